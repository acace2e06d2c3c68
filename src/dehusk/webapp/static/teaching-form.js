// Correct blocks: what the correction is to apply to, what it would change, and buttons to keep or drop.

import { post } from "./api.js";
import { button, element, fill, setOptions } from "./elements.js";
import { latest } from "./latest.js";
import { warn } from "./notices.js";
import { cleanAgain, tellDone } from "./undo.js";
import { count, cut, SCOPES } from "./wording.js";
import { nameOf } from "./workspace.js";

// The scope is kept from block to block and from page to page.
const chosen = { scope: "place" };

export class TeachingForm {
  /** `onTaught()` is called, and awaited, after a correction. */
  constructor(page, onTaught) {
    this.page = page;
    this.onTaught = onTaught;
    this.blocks = [];
    this.isKept = false;
    this.containers = [];
    this.effect = element("p", { class: "effect", "aria-live": "polite" });
    this.examples = element("details", { class: "examples" });
    this.container = element("select", { id: "container", "aria-label": "Container", onchange: () => this.choose("container") });
    this.keep = button("Keep", () => this.teach(true).catch(warn), { id: "keep", "aria-keyshortcuts": "k" });
    this.drop = button("Drop", () => this.teach(false).catch(warn), { id: "drop", "aria-keyshortcuts": "d" });
    this.scopes = Object.fromEntries(Object.keys(SCOPES).map((scope) => [scope, this.radio(scope)]));
    this.preview = latest((wish) => post(this.address("/preview"), wish), (effect, wish) => this.showEffect(effect, wish), warn);
    this.root = element(
      "fieldset",
      { class: "teaching" },
      element("legend", {}, "Correct"),
      element("div", { class: "row" }, this.keep, this.drop),
      element("div", { class: "scopes", role: "radiogroup", "aria-label": "Apply to" }, Object.values(this.scopes).map(({ root }) => root)),
      this.effect,
      this.examples,
    );
  }

  /** Show the form for some blocks; `containers` are known a moment later. */
  show(blocks, first) {
    const isNew = blocks.join() !== this.blocks.join() || first.kept !== this.isKept;
    this.blocks = blocks;
    this.isKept = first.kept;
    this.keep.setAttribute("aria-pressed", String(blocks.length === 1 && first.taught === "keep"));
    this.drop.setAttribute("aria-pressed", String(blocks.length === 1 && first.taught === "drop"));
    if (isNew) this.containers = [];
    this.scopes.container.root.hidden = blocks.length > 1 || this.containers.length === 0;
    if (isNew) this.ask();
  }

  /** The elements around the block, to choose from. */
  setContainers(containers) {
    this.containers = containers;
    const options = containers.map(({ key, label, blocks, pages }) => [key, `${label}: ${count(blocks, "block")} on ${count(pages, "page")}`]);
    setOptions(this.container, options, options.some(([key]) => key === this.container.value) ? this.container.value : options[0]?.[0]);
    this.scopes.container.root.hidden = this.blocks.length > 1 || containers.length === 0;
    if (chosen.scope === "container") this.ask();
  }

  radio(scope) {
    const input = element("input", { type: "radio", name: "scope", value: scope, checked: chosen.scope === scope, onchange: () => this.choose(scope) });
    const label = element("label", { class: "tick" }, input, element("span", {}, SCOPES[scope]));
    return { input, root: element("div", { class: "scope", dataset: { scope } }, label, scope === "container" && this.container) };
  }

  choose(scope) {
    chosen.scope = scope;
    this.scopes[scope].input.checked = true;
    this.ask();
  }

  /** The scope in use: a container only where there is one. */
  get scope() {
    return chosen.scope === "container" && (this.blocks.length > 1 || !this.containers.length) ? "place" : chosen.scope;
  }

  wish(keep) {
    const { scope } = this;
    return { page: this.page.id, blocks: this.blocks, keep, scope, container: scope === "container" ? this.container.value : "" };
  }

  ask() {
    fill(this.effect, "Counting …");
    this.examples.hidden = true;
    this.preview(this.wish(!this.isKept));
  }

  /** What the opposite of the present decision would change. */
  showEffect({ blocks, pages, changed, examples, most_changed: most }, wish) {
    if (JSON.stringify(wish) !== JSON.stringify(this.wish(!this.isKept))) return;
    const verb = wish.keep ? "Keep" : "Drop";
    const changes = changed === null ? "" : `, ${changed === blocks ? "all" : changed} of which change`;
    fill(this.effect, element("strong", {}, verb), ` would apply to ${count(blocks, "block")} on ${count(pages, "page")}${pages > 1 ? changes : ""}.`);
    this.examples.hidden = blocks < 2;
    fill(
      this.examples,
      element("summary", {}, "Examples"),
      element("ul", {}, examples.map(({ page, name, block, text }) => element("li", {}, element("a", { href: `#/result/${page}/${block}` }, cut(text || "(no text)", 70)), element("span", { class: "hint" }, ` ${cut(nameOf(page, name), 40)}`)))),
      most.length > 1 && [element("p", { class: "hint" }, "Pages that change most:"), element("ul", {}, most.map(({ page, name, changed: number }) => element("li", {}, element("a", { href: `#/result/${page}` }, cut(nameOf(page, name), 50)), ` ${count(number, "block")}`)))],
    );
  }

  async teach(keep) {
    if (!this.blocks.length) return;
    const { blocks, pages, changed, action } = await post(this.address(), this.wish(keep));
    const same = changed !== null && changed < blocks ? ` ${count(blocks - changed, "block was", "blocks were")} already so.` : "";
    tellDone(`${keep ? "Kept" : "Dropped"} ${count(blocks, "block")} on ${count(pages, "page")}.${same}`, action);
    await this.onTaught();
    cleanAgain(this.page.site).catch(warn);
  }

  address(end = "") {
    return `/api/sites/${this.page.site}/corrections${end}`;
  }
}
