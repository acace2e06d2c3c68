// A table of pages and their results. Rows are updated in place, so that 300 pages stay fast.

import { element, fill } from "./elements.js";
import { bytes, count, milliseconds, percent, plain } from "./wording.js";
import { fileOf, nameOf } from "./workspace.js";

const MOST_ROWS = 400; // more only on request

const COLUMNS = [
  { key: "name", title: "Page", value: (page) => page.name },
  { key: "before", title: "HTML", value: (page) => page.bytes },
  { key: "after", title: "Text kept", value: (page) => page.result?.bytes_after ?? -1 },
  { key: "removed", title: "Text removed", value: (page) => page.result?.removed ?? -1 },
  { key: "confidence", title: "Confidence", value: (page) => page.result?.confidence ?? -1 },
  { key: "type", title: "Type", value: (page) => page.result?.page_type ?? "" },
  { key: "ms", title: "Time", value: (page) => page.result?.ms ?? -1 },
];

/** A table. `selection` (a Set of ids, or null) adds checkboxes; `onSelect` is called when one changes. */
export class PageTable {
  constructor(caption, selection = null, onSelect = () => {}) {
    this.selection = selection;
    this.onSelect = onSelect;
    this.rows = new Map();
    this.order = { key: "name", isDown: false };
    this.isWhole = false;
    this.pages = [];
    this.wanted = "";
    this.body = element("tbody", { role: "rowgroup" });
    this.more = element("button", { type: "button", class: "quiet", onclick: () => this.showWhole() });
    this.heads = COLUMNS.map((column) => this.head(column));
    const headRow = element("tr", { role: "row" }, selection && element("td", { class: "select", role: "cell" }), this.heads);
    const table = element(
      "table",
      { class: "pages", role: "table" },
      element("caption", { class: "visually-hidden" }, caption),
      element("thead", { role: "rowgroup" }, headRow),
      this.body,
    );
    this.root = element("div", { class: "page-table" }, table, this.more);
  }

  /** Show only pages whose title or file has these words. */
  search(words) {
    this.wanted = words;
    this.show(this.pages);
  }

  show(pages) {
    this.pages = pages;
    const sorted = this.sorted(pages.filter((page) => isWanted(page, this.wanted)));
    const visible = this.isWhole ? sorted : sorted.slice(0, MOST_ROWS);
    const wanted = new Set(visible.map((page) => page.id));
    for (const [id, row] of this.rows) {
      if (!wanted.has(id)) {
        row.root.remove();
        this.rows.delete(id);
      }
    }
    visible.forEach((page, position) => this.place(page, position));
    this.more.hidden = visible.length === sorted.length;
    this.more.textContent = `Show all ${count(sorted.length, "page")}`;
    for (const head of this.heads) head.setAttribute("aria-sort", this.sortOf(head.dataset.key));
  }

  place(page, position) {
    let row = this.rows.get(page.id);
    if (!row) this.rows.set(page.id, (row = this.makeRow(page)));
    if (row.page !== page || row.result !== page.result) this.fillRow(row, page);
    if (row.box) row.box.checked = this.selection.has(page.id);
    if (this.body.children[position] !== row.root) this.body.insertBefore(row.root, this.body.children[position] ?? null);
  }

  makeRow(page) {
    const cells = Object.fromEntries(COLUMNS.map(({ key, title }) => [key, element(key === "name" ? "th" : "td", { class: key, role: key === "name" ? "rowheader" : "cell", dataset: { title } })]));
    cells.name.scope = "row";
    const link = element("a", { href: `#/result/${page.id}` });
    const file = element("span", { class: "file" });
    cells.name.append(link, file);
    const box = this.selection && element("input", { type: "checkbox", onchange: () => this.select(page.id, box.checked) });
    const first = box && element("td", { class: "select", role: "cell" }, box);
    return { root: element("tr", { role: "row", dataset: { page: page.id } }, first, Object.values(cells)), cells, link, file, box };
  }

  fillRow(row, page) {
    row.page = page;
    row.result = page.result;
    const { cells, link } = row;
    link.textContent = nameOf(page.id);
    link.title = page.url || page.name;
    row.file.textContent = fileOf(page.id) === nameOf(page.id) ? "" : fileOf(page.id);
    row.box?.setAttribute("aria-label", `Select ${nameOf(page.id)}`);
    cells.before.textContent = bytes(page.bytes);
    fillResult(cells, page.result);
    row.root.classList.toggle("stale", Boolean(page.result?.stale));
  }

  select(id, isSelected) {
    isSelected ? this.selection.add(id) : this.selection.delete(id);
    this.onSelect();
  }

  showWhole() {
    this.isWhole = true;
    this.show(this.pages);
  }

  head({ key, title }) {
    const sort = element("button", { type: "button", onclick: () => this.sortBy(key) }, title);
    return element("th", { class: key, scope: "col", role: "columnheader", dataset: { key } }, sort);
  }

  sortBy(key) {
    this.order = { key, isDown: this.order.key === key && !this.order.isDown };
    this.show(this.pages);
  }

  sortOf(key) {
    if (this.order.key !== key) return "none";
    return this.order.isDown ? "descending" : "ascending";
  }

  sorted(pages) {
    const { value } = COLUMNS.find(({ key }) => key === this.order.key);
    const sign = this.order.isDown ? -1 : 1;
    const keyed = pages.map((page) => [value(page), page]);
    keyed.sort(([one], [other]) => sign * (one < other ? -1 : one > other ? 1 : 0));
    return keyed.map(([, page]) => page);
  }
}

/** Filters by words and by what is known of a page. */
export const FILTERS = [
  ["all", "all pages", () => true],
  ["doubtful", "low confidence", ({ result }) => result?.confidence !== null && result?.confidence < 0.85],
  ["most", "over 80 % removed", ({ result }) => result?.removed > 0.8],
  ["site", "changed by the site", ({ result }) => result?.changed_by_site > 0],
  ["empty", "nothing kept", ({ result }) => result && !result.error && result.characters_kept === 0],
  ["failed", "failed", ({ result }) => Boolean(result?.error)],
  ["stale", "outdated", ({ result }) => Boolean(result?.stale)],
  ["unchecked", "not checked", ({ checked }) => !checked],
  ["checked", "checked", ({ checked }) => checked],
];

/** Whether a page has all these words in its title, file name or type. */
function isWanted(page, words) {
  if (!words) return true;
  const text = `${nameOf(page.id)} ${page.name} ${page.result?.page_type ?? ""}`.toLowerCase();
  return words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function fillResult(cells, result) {
  if (!result || result.error) {
    for (const key of ["removed", "confidence", "type", "ms"]) fill(cells[key]);
    fill(cells.after, result?.error ? element("span", { class: "failed", title: result.error }, "failed") : "");
    return;
  }
  cells.after.textContent = bytes(result.bytes_after);
  fill(cells.removed, meter(result.removed), percent(result.removed), result.stale && element("span", { class: "mark", title: "Settings or pages have changed since: eliminate again" }, " outdated"));
  cells.confidence.textContent = result.confidence === null ? "" : result.confidence.toFixed(2);
  cells.type.textContent = plain(result.page_type);
  cells.ms.textContent = milliseconds(result.ms);
}

/** A bar whose solid part is what was kept; only decoration for the number beside it. */
function meter(removed) {
  const bar = element("span", { class: "kept-bar", "aria-hidden": "true" }, element("span"));
  bar.firstChild.style.inlineSize = percent(1 - removed, 1).replace(" ", "");
  return bar;
}
