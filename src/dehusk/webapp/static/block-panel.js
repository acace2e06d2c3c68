// The panel for blocks: why one was kept or dropped, which pages repeat it, and a form to correct it.

import { get } from "./api.js";
import { button, element, fill } from "./elements.js";
import { latest } from "./latest.js";
import { announce, warn } from "./notices.js";
import { TeachingForm } from "./teaching-form.js";
import { count, cut, decimal, percent, plain } from "./wording.js";
import { nameOf } from "./workspace.js";

const MOST_TEXT = 320;
const MOST_WHERE = 8;

export class BlockPanel {
  /** `listeners`: onTaught(), onClose(), onStep(by), onSeveral(is wanted). */
  constructor(page, listeners) {
    this.page = page;
    this.listeners = listeners;
    this.blocks = [];
    this.details = new Map();
    this.index = null;
    this.chosen = [];
    this.form = new TeachingForm(page, listeners.onTaught);
    this.body = element("div", { class: "panel-body" });
    this.root = element("aside", { class: "panel card", "aria-label": "Block details" }, this.body);
    this.load = latest((index) => this.detail(index), (detail, index) => this.showDetail(index, detail), warn);
    this.showHelp();
  }

  setBlocks(blocks) {
    this.blocks = blocks;
    this.details.clear();
    if (this.index !== null) this.show(this.index, this.chosen);
  }

  /** Show a block, or what several have in common; before the list of blocks has come, once it has. */
  show(index, chosen = [index]) {
    this.index = index;
    this.chosen = chosen.length ? chosen : [index];
    if (!this.blocks.length) return;
    const block = this.blocks[index];
    if (!block) return this.showHelp();
    this.more = element("div", { class: "more" });
    const isOne = this.chosen.length === 1;
    fill(this.body, this.head(block), this.text(), this.form.root, isOne && this.figures(block), this.more);
    this.form.show(this.chosen, block);
    if (!isOne) return;
    if (this.details.has(index)) this.showDetail(index, this.details.get(index));
    else this.load(index);
  }

  showHelp() {
    this.index = null;
    fill(
      this.body,
      element("h2", {}, "Why?"),
      element("p", { class: "hint" }, "Select a block to see why it was kept or dropped, and to correct it."),
      element("p", { class: "hint for-pointers" }, "Point at a block to look, click to hold it. Shift-click or drag to select several."),
      element("p", { class: "hint for-keyboards" }, element("kbd", {}, "Tab"), " into the page, arrow keys to move, ", element("kbd", {}, "K"), " keep, ", element("kbd", {}, "D"), " drop, ", element("kbd", {}, "Ctrl Z"), " undo."),
      element("p", {}, button("Start with the first block", () => this.listeners.onStep(1))),
    );
  }

  head({ index, kept, taught, kind, hidden, changed_by_site: isChanged }) {
    const many = this.chosen.length;
    const title = many > 1 ? `${many} blocks` : `Block ${index + 1}`;
    const signs = [
      element("span", { class: kept ? "sign kept" : "sign noise" }, kept ? "kept" : "noise"),
      element("span", { class: "hint" }, plain(kind)),
      taught && element("span", { class: "sign" }, `taught: ${taught}`),
      isChanged && !taught && element("span", { class: "sign site" }, `${kept ? "kept" : "dropped"} because of the site`),
      hidden && element("span", { class: "hint" }, "hidden on the page"),
    ];
    return element(
      "div",
      { class: "row panel-head" },
      button("‹", () => this.listeners.onStep(-1), { class: "quiet round", "aria-label": "Previous block" }),
      element("h2", {}, title, many === 1 && element("span", { class: "hint" }, ` of ${this.blocks.length}`)),
      button("›", () => this.listeners.onStep(1), { class: "quiet round", "aria-label": "Next block" }),
      button("×", () => this.listeners.onClose(), { class: "quiet round close", "aria-label": "Close" }),
      many === 1 && element("p", { class: "row signs" }, signs),
    );
  }

  text() {
    const quoted = this.chosen.slice(0, 4).map((index) => element("p", {}, cut(this.blocks[index].text || "(no text)", this.chosen.length > 1 ? 80 : MOST_TEXT)));
    return element("blockquote", {}, quoted, this.chosen.length > 4 && element("p", { class: "hint" }, `and ${this.chosen.length - 4} more`));
  }

  figures({ score, importance, repeats, text_pages: textPages, link_share: links }) {
    const rows = [
      ["Score", gauge(score)],
      importance !== null && ["Importance", gauge(importance)],
      repeats !== null && ["Same text here", repeats ? `on ${count(repeats, "other page")}` : "on no other page"],
      repeats !== null && textPages > repeats + 1 && ["Same text anywhere", `on ${count(textPages, "page")}`],
      links > 0 && ["In links", percent(links)],
    ];
    return element("dl", { class: "figures" }, rows.filter(Boolean).map(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
  }

  async detail(index) {
    if (!this.details.has(index)) this.details.set(index, await get(`/api/pages/${this.page.id}/blocks/${index}`));
    return this.details.get(index);
  }

  showDetail(index, detail) {
    if (index !== this.index || this.chosen.length > 1) return;
    if (this.blocks[index]?.repeats === null) {
      // The list of blocks came before the site was read; now both numbers are known.
      Object.assign(this.blocks[index], { repeats: detail.repeats, text_pages: detail.text_pages });
      this.body.querySelector("dl.figures")?.replaceWith(this.figures(this.blocks[index]));
    }
    this.form.setContainers(detail.containers);
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
