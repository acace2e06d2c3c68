// The tree widget: nodes are loaded when they are opened; arrow keys work as in any tree.

import { get } from "./api.js";
import { element } from "./elements.js";
import { warn } from "./notices.js";
import { count, cut, decimal } from "./wording.js";

const MOST_SAMPLE = 90;
export const LEVELS = 5;

/** The colour level of an importance. */
export const levelOf = (importance) => Math.min(LEVELS - 1, Math.floor(importance * LEVELS));

export class StyleTree {
  constructor(siteId, { root, learnt }, onSelect) {
    this.siteId = siteId;
    this.learnt = Math.max(1, learnt);
    this.onSelect = onSelect;
    this.items = new Map();
    this.selected = null;
    this.root = element("ul", { role: "tree", class: "tree", "aria-label": "Style tree", onkeydown: (event) => this.press(event) });
    this.root.append(this.item(root, 1));
    this.open(root.id).catch(warn);
    this.setStop(root.id);
  }

  item(node, level) {
    const children = element("ul", { role: "group", hidden: true });
    const row = element("div", { class: "node", onclick: (event) => this.click(event, node.id) }, this.cells(node));
    const root = element(
      "li",
      {
        role: "treeitem",
        tabindex: -1,
        "aria-level": level,
        "aria-selected": "false",
        "aria-expanded": node.children_total ? "false" : null,
        "aria-label": this.label(node),
        dataset: { node: node.id },
      },
      row,
      node.children_total > 0 && children,
    );
    this.items.set(node.id, { node, root, children, level, shown: 0 });
    return root;
  }

  cells(node) {
    const bar = element("span", { class: "gauge", "aria-hidden": "true" }, element("span"));
    bar.firstChild.style.inlineSize = `${(100 * node.pages) / this.learnt}%`;
    return [
      element("span", { class: "twisty", "aria-hidden": "true" }),
      element("span", { class: `chip level-${levelOf(node.importance)}` }),
      element("span", { class: "importance" }, decimal(node.importance)),
      element("span", { class: "label mono" }, node.label),
      element("span", { class: `mark ${node.mark}` }, node.mark),
      element("span", { class: "on" }, bar, element("span", {}, `${node.pages} / ${this.learnt}`)),
      element("span", { class: "sample" }, cut(node.samples.join(" · "), MOST_SAMPLE)),
    ];
  }

  label(node) {
    return `${node.label}, ${node.mark}, importance ${decimal(node.importance)}, on ${count(node.pages, "page")}`;
  }

  async open(id) {
    const item = this.items.get(id);
    if (!item.node.children_total || item.root.getAttribute("aria-expanded") === "true") return;
    if (item.node.children === null) {
      const { children } = await get(`/api/sites/${this.siteId}/tree/${id}`);
      item.node = { ...item.node, children };
    }
    if (!item.shown) this.addChildren(item, item.node.children);
    item.children.hidden = false;
    item.root.setAttribute("aria-expanded", "true");
  }

  close(id) {
    const item = this.items.get(id);
    if (item.root.getAttribute("aria-expanded") !== "true") return false;
    item.children.hidden = true;
    item.root.setAttribute("aria-expanded", "false");
    return true;
  }

  addChildren(item, children) {
    item.children.append(...children.map((child) => this.item(child, item.level + 1)));
    item.shown += children.length;
    this.addMore(item);
  }

  /** Add an item that loads the next children, if there are more. */
  addMore(item) {
    const left = item.node.children_total - item.shown;
    if (left <= 0) return;
    const show = async () => {
      const { children } = await get(`/api/sites/${this.siteId}/tree/${item.node.id}`, { offset: item.shown });
      more.remove();
      this.addChildren(item, children);
      if (children.length) this.focus(children[0].id);
    };
    const more = element("li", { role: "treeitem", tabindex: -1, "aria-level": item.level + 1, dataset: { more: "" }, onclick: () => show().catch(warn) }, element("div", { class: "node more-nodes" }, `${count(left, "more node")} …`));
    item.children.append(more);
  }

  /** Expand the ancestors of a node and select it. */
  async reveal(id) {
    if (!this.items.has(id)) {
      const node = await get(`/api/sites/${this.siteId}/tree/${encodeURIComponent(id)}`);
      for (const ancestor of node.ancestors ?? []) if (this.items.has(ancestor)) await this.open(ancestor);
      if (!this.items.has(id)) return this.onSelect(node);
    }
    for (let group = this.items.get(id).root.parentElement; group !== this.root; group = group.parentElement.parentElement) await this.open(group.parentElement.dataset.node);
    this.select(id);
    this.items.get(id).root.firstElementChild.scrollIntoView({ block: "center" });
  }

  select(id) {
    if (this.selected) this.items.get(this.selected)?.root.setAttribute("aria-selected", "false");
    this.selected = id;
    const { root, node } = this.items.get(id);
    root.setAttribute("aria-selected", "true");
    this.setStop(id);
    this.onSelect(node);
  }

  click(event, id) {
    event.stopPropagation();
    const isOpen = this.items.get(id).root.getAttribute("aria-expanded") === "true";
    if (event.target.closest(".twisty") || this.selected === id) isOpen ? this.close(id) : this.open(id).catch(warn);
    else if (!isOpen) this.open(id).catch(warn);
    this.select(id);
    this.items.get(id).root.focus({ preventScroll: true });
  }

  press(event) {
    const item = event.target.closest("[role='treeitem']");
    const act = item && this.keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act.call(this, item, item.dataset.node);
  }

  keys = {
    ArrowDown: (item) => this.step(item, 1),
    ArrowUp: (item) => this.step(item, -1),
    Home: () => this.focusItem(this.visible()[0]),
    End: () => this.focusItem(this.visible().at(-1)),
    ArrowRight: (item, id) => (item.getAttribute("aria-expanded") === "true" ? this.step(item, 1) : id && this.open(id).catch(warn)),
    ArrowLeft: (item, id) => (id && this.close(id)) || this.focusItem(item.parentElement.closest("[role='treeitem']")),
    Enter: (item, id) => (id ? this.select(id) : item.click()),
    " ": (item, id) => (id ? this.select(id) : item.click()),
  };

  visible() {
    return [...this.root.querySelectorAll("[role='treeitem']")].filter((item) => !item.parentElement.closest("[hidden]"));
  }

  step(item, by) {
    const all = this.visible();
    this.focusItem(all[all.indexOf(item) + by]);
  }

  focus(id) {
    this.focusItem(this.items.get(id).root);
  }

  focusItem(item) {
    if (!item) return;
    for (const other of this.root.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  }

  setStop(id) {
    for (const other of this.root.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    this.items.get(id).root.tabIndex = 0;
  }
}
