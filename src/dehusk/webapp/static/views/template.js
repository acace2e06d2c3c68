// Template: the site's style tree. What is equal on all pages is pale and hatched, what differs is strong.

import { get } from "../api.js";
import { choice, element, fill, setOptions } from "../elements.js";
import { newest } from "../latest.js";
import { warn } from "../notices.js";
import { keepAddress } from "../routes.js";
import { LEVELS, StyleTree } from "../style-tree.js";
import { count, decimal } from "../wording.js";
import { nameOf, siteOf, workspace } from "../workspace.js";

const MARKS = { noisy: "nothing in it is important", meaningful: "nothing in it is noise", mixed: "partly noise" };

export function templateView(content, [siteId, nodeId]) {
  const head = header(siteId);
  const panel = element("aside", { class: "panel card", "aria-label": "Node details", id: "node" });
  const place = element("div", { class: "tree-place card" }, element("p", { class: "hint" }, "Learning the template …"));
  const [beginTree, beginNode] = [newest(), newest()];
  let tree = null;
  let basis = basisOf(siteId);
  fill(content, head.root, legend(), element("div", { class: "tree-bench" }, place, panel));
  showHelp(panel);

  async function load(selected) {
    const isNewest = beginTree();
    const response = await get(`/api/sites/${siteId}/tree`);
    if (!isNewest()) return;
    head.show(response);
    if (!response.root) return fill(place, element("p", { class: "hint" }, "Nothing to show yet."));
    tree = new StyleTree(siteId, response, (node) => select(node).catch(warn));
    fill(place, tree.root);
    if (selected) await tree.reveal(selected);
  }

  async function select(node) {
    keepAddress(`#/template/${siteId}/${node.id}`);
    fill(panel, nodeHead(node));
    const isNewest = beginNode();
    const below = await get(`/api/sites/${siteId}/tree/${node.id}/blocks`);
    if (isNewest()) fill(panel, nodeHead(node), blocksBelow(below));
  }

  load(nodeId).catch(warn);
  return {
    update() {
      head.update();
      if (basisOf(siteId) === basis) return;
      basis = basisOf(siteId);
      load(tree?.selected).catch(warn);
    },
    move([site, node]) {
      if (site !== siteId) return false;
      if (node && tree) tree.reveal(node).catch(warn);
      return true;
    },
  };
}

function basisOf(siteId) {
  const { learnt, pages } = siteOf(siteId);
  return JSON.stringify([learnt, pages]);
}

function header(siteId) {
  const lead = element("p", { class: "lead" });
  const select = choice("Site", [], siteId, (id) => (location.hash = `#/template/${id}`));
  function update() {
    select.hidden = workspace.sites.length < 2;
    setOptions(select.querySelector("select"), workspace.sites.map((site) => [site.id, site.name]), siteId);
  }
  update();
  return {
    root: element("div", { class: "page-head" }, element("div", {}, element("h1", { tabindex: -1 }, "Template"), lead), select),
    update,
    show({ learnt, places, threshold }) {
      const limit = threshold === null ? "" : ` Nodes with an importance up to ${decimal(threshold)} are noise.`;
      lead.textContent = `${siteOf(siteId).name}: ${count(places, "node")} on ${count(learnt, "page")}.${limit}`;
    },
  };
}

function legend() {
  const steps = Array.from({ length: LEVELS }, (_, level) => element("li", {}, element("span", { class: `chip level-${level}`, "aria-hidden": "true" }), ` ${(level / LEVELS).toFixed(1)}–${((level + 1) / LEVELS).toFixed(1)}`));
  return element("div", { class: "legend" }, element("span", { class: "hint" }, "Importance: 0 is the same on all pages, 1 is different on each"), element("ul", { "aria-label": "Colours of importance" }, steps));
}

function showHelp(panel) {
  fill(panel, element("h2", {}, "Node details"), element("p", { class: "hint" }, "Select a node to see its pages and blocks. Arrow keys move through the tree: right opens, left closes."));
}

function nodeHead(node) {
  const rows = [
    ["Importance", decimal(node.importance)],
    ["Own importance, without its children", decimal(node.own_importance)],
    ["Pages", String(node.pages)],
    node.leaf_pages > 0 && node.below > 0 && ["Pages without children", String(node.leaf_pages)],
    ["Nodes below", String(node.below)],
  ];
  return [
    element("h2", { class: "mono" }, node.label),
    element("p", { class: "hint" }, `${node.mark}: ${MARKS[node.mark] ?? ""}`),
    element("dl", { class: "figures" }, rows.filter(Boolean).map(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])),
  ];
}

function blocksBelow({ pages, pages_total: total }) {
  if (!pages.length) return element("p", { class: "hint" }, "No text blocks under this node.");
  return [
    element("h3", {}, pages.length < total ? `${pages.length} of ${count(total, "page")}` : count(total, "page")),
    element(
      "ul",
      { class: "under" },
      pages.map(({ page, name, blocks }) =>
        element(
          "li",
          {},
          element("a", { href: `#/result/${page}${blocks.length ? `/${blocks[0].index}` : ""}` }, nameOf(page, name)),
          element("ul", {}, blocks.map(({ index, text, kept }) => element("li", { class: kept ? "kept" : "noise" }, element("a", { href: `#/result/${page}/${index}` }, text || "(no text)"), element("span", { class: "visually-hidden" }, kept ? ", kept" : ", noise")))),
        ),
      ),
    ),
  ];
}
