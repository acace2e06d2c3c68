// The panel for one block: why it was kept or dropped, which pages repeat it, and buttons to correct it.

import { get, post } from "./api.js";
import { button, element, fill } from "./elements.js";
import { latest } from "./latest.js";
import { announce, notify, warn } from "./notices.js";
import { count, cut, decimal, percent, plain, SCOPES } from "./wording.js";
import { nameOf } from "./workspace.js";

const MOST_TEXT = 320;
const MOST_WHERE = 8;

export class BlockPanel {
  constructor(page, listeners) {
    this.page = page;
    this.listeners = listeners;
    this.scope = "place";
    this.blocks = [];
    this.details = new Map();
    this.index = null;
    this.body = element("div", { class: "panel-body" });
    this.root = element("aside", { class: "panel card", "aria-label": "Block details" }, this.body);
    this.load = latest((index) => this.detail(index), (detail, index) => this.showDetail(index, detail), warn);
    this.showHelp();
  }

  setBlocks(blocks) {
    this.blocks = blocks;
    this.details.clear();
    if (this.index !== null) this.show(this.index);
  }

  show(index) {
    this.index = index;
    const block = this.blocks[index];
    if (!block) return this.showHelp();
    this.more = element("div", { class: "more" });
    fill(this.body, this.head(block), this.text(block), this.figures(block), this.teaching(block), this.more);
    if (this.details.has(index)) this.showDetail(index, this.details.get(index));
    else this.load(index);
  }

  /** Correct the block: keep or drop it on all pages in the chosen scope. */
  async teach(keep) {
    const { index, scope } = this;
    if (index === null) return;
    const { pages } = await post(`/api/sites/${this.page.site}/corrections`, { page: this.page.id, block: index, keep, scope });
    notify(`${keep ? "Keep" : "Drop"}: applied to ${count(pages, "page")} of the site.`);
    await this.listeners.onTaught();
  }

  showHelp() {
    fill(
      this.body,
      element("h2", {}, "Why?"),
      element("p", { class: "hint" }, "Point at a block to see how it was scored, or press Tab and use the arrow keys. Click to select it."),
      element("p", { class: "hint" }, element("kbd", {}, "K"), " keep, ", element("kbd", {}, "D"), " drop: applies to the whole site."),
      element("p", {}, button("Start with the first block", () => this.listeners.onStep(1))),
    );
  }

  head({ index, kept, taught, kind, hidden }) {
    return element(
      "div",
      { class: "row panel-head" },
      button("‹", () => this.listeners.onStep(-1), { class: "quiet round", "aria-label": "Previous block" }),
      element("h2", {}, `Block ${index + 1}`, element("span", { class: "hint" }, ` of ${this.blocks.length}`)),
      button("›", () => this.listeners.onStep(1), { class: "quiet round", "aria-label": "Next block" }),
      button("Close", () => this.listeners.onClose(), { class: "quiet close" }),
      element("p", { class: "row signs" }, element("span", { class: kept ? "sign kept" : "sign noise" }, kept ? "kept" : "noise"), element("span", { class: "hint" }, plain(kind)), taught && element("span", { class: "sign" }, `taught: ${taught}`), hidden && element("span", { class: "hint" }, "hidden on the page")),
    );
  }

  text({ text }) {
    return element("blockquote", {}, cut(text, MOST_TEXT));
  }

  figures({ score, importance, repeats, text_pages: textPages, link_share: links }) {
    const rows = [
      ["Score", gauge(score)],
      ["Importance", gauge(importance)],
      ["Repeated here", repeats ? `on ${count(repeats, "other page")}` : "on no other page"],
      textPages > repeats + 1 && ["Repeated anywhere", `on ${count(textPages, "page")}`],
      links > 0 && ["In links", percent(links)],
    ];
    return element("dl", { class: "figures" }, rows.filter(Boolean).map(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
  }

  teaching(block) {
    const radio = (scope, label) => element("label", { class: "tick" }, element("input", { type: "radio", name: "scope", value: scope, checked: this.scope === scope, onchange: () => (this.scope = scope) }), element("span", { dataset: { scope } }, label));
    const correct = (keep) => () => this.teach(keep).catch(warn);
    return element(
      "fieldset",
      { class: "teaching" },
      element("legend", {}, "Correct this block"),
      element(
        "div",
        { class: "row" },
        button("Keep", correct(true), { id: "keep", "aria-keyshortcuts": "k", "aria-pressed": String(block.taught === "keep") }),
        button("Drop", correct(false), { id: "drop", "aria-keyshortcuts": "d", "aria-pressed": String(block.taught === "drop") }),
      ),
      Object.entries(SCOPES).map(([scope, label]) => radio(scope, label)),
    );
  }

  async detail(index) {
    if (!this.details.has(index)) this.details.set(index, await get(`/api/pages/${this.page.id}/blocks/${index}`));
    return this.details.get(index);
  }

  showDetail(index, detail) {
    if (index !== this.index) return;
    for (const [scope, label] of Object.entries(SCOPES)) {
      const target = this.body.querySelector(`[data-scope="${scope}"]`);
      if (target) target.textContent = `${label} (${count(detail.shared[scope], "page")})`;
    }
    fill(
      this.more,
      detail.reasons.length > 0 && [element("h3", {}, "Reasons"), element("ul", {}, detail.reasons.map((reason) => element("li", {}, reason)))],
      detail.where.length > 0 && this.elsewhere(detail.where),
      element("p", { class: "path mono" }, detail.path),
      detail.node && element("p", {}, element("a", { href: `#/template/${this.page.site}/${detail.node}` }, "Show in the template")),
    );
    announce(`${detail.kept ? "Kept" : "Noise"}: ${cut(detail.text, 80)}`);
  }

  elsewhere(where) {
    const links = where.map(({ page, name, block }) => element("li", {}, element("a", { href: `#/result/${page}/${block}` }, nameOf(page, name))));
    const rest = links.length > MOST_WHERE && element("details", {}, element("summary", {}, `${links.length - MOST_WHERE} more`), element("ul", {}, links.slice(MOST_WHERE)));
    return [element("h3", {}, "Also on"), element("ul", { class: "where" }, links.slice(0, MOST_WHERE)), rest];
  }
}

/** A number from 0 to 1 with a bar; the bar is only decoration. */
function gauge(value) {
  if (value === null) return "no opinion";
  const bar = element("span", { class: "gauge", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.inlineSize = `${100 * value}%`;
  return [bar, decimal(value)];
}
