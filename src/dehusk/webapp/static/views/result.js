// Result: a page before and after cleaning, with reasons.

import { get, queryOf } from "../api.js";
import { BlockFrame } from "../block-frame.js";
import { BlockPanel } from "../block-panel.js";
import { button, choice, element, fill, setOptions, tick } from "../elements.js";
import { newest } from "../latest.js";
import { announce, warn } from "../notices.js";
import { chosen as output_choice, outputPart } from "../result-output.js";
import { keepAddress } from "../routes.js";
import { scrollTogether } from "../scrolling.js";
import { thresholdTrial } from "../threshold-trial.js";
import { undo } from "../undo.js";
import { bytes, count, decimal, milliseconds, percent, plain } from "../wording.js";
import { nameOf, pageOf, pagesOf, refresh, siteOf } from "../workspace.js";

const LOOKS = [["styled", "own style"], ["original", "plain"]];
const FILTERS = [
  ["all", "all blocks", () => true],
  ["site", "changed by the site", (block) => block.changed_by_site],
  ["kept", "kept", (block) => block.kept],
  ["noise", "noise", (block) => !block.kept],
  ["taught", "corrected", (block) => block.taught !== null],
  ["comment", "readers' comments", (block) => block.comment],
];
const SHADES = [["shaded", "noise shaded"], ["plain", "as it is"], ["kept", "only what is kept"], ["hidden", "with hidden parts"]];

// The choice is kept from page to page.
// On a phone, a page with its own style would be too small to read.
const chosen = { shade: "shaded", look: window.innerWidth > 736 ? "styled" : "original" };

export function resultView(content, [pageId, blockPart]) {
  const page = pageOf(pageId);
  const state = { selected: [], value: null, basis: basisOf(pageId), isSeveral: false, words: "", kind: "all" };
  const viewAddress = (view) => `/view/${pageId}/${view}${queryOf({ value: state.value, images: output_choice.images ? 1 : null })}`;
  const panel = new BlockPanel(page, { onTaught: () => refresh().then(reload), onClose: release, onStep: step });
  const frame = new BlockFrame({ onHover: hover, onSelect: (index, how) => select(index, how), onKey: press, onUndo: () => undo().catch(warn), onScroll: () => together.follow() });
  const finder = blockFinder({ find: () => whenLoaded(find), showKind: (kind) => whenLoaded(() => showKind(kind)), setWords: (words) => ((state.words = words.trim().toLowerCase()), showFound()) });
  const output = outputPart(page, state, viewAddress);
  const begin = newest();
  let hasBlocks;
  const blocks = new Promise((settle) => (hasBlocks = settle));
  const head = header(page);
  const figures = element("p", { class: "figures-line" });
  const trial = thresholdTrial(page, state, { frame, output, reload });
  const together = scrollTogether(frame, output);
  output.onResult = (response) => fill(figures, figuresOf(response));

  fill(
    content,
    head.root,
    element("div", { class: "row result-bar" }, figures, trial.root),
    element(
      "div",
      { class: "panes" },
      element("section", { class: "pane", "aria-labelledby": "original-title" }, originalBar(frame, { viewAddress, output, jump: () => whenLoaded(jump), finder, setSeveral: (is) => (state.isSeveral = is) }), frame.root),
      output.root,
      panel.root,
    ),
  );

  /** A block that is held stays in the panel, wherever the pointer goes. */
  function hover(index) {
    if (index !== null && !state.selected.length && index !== panel.index) panel.show(index);
  }

  function select(index, how = "one", isScrolled = false) {
    if (index === null || index === undefined || Number.isNaN(index)) return;
    state.selected = extended(index, state.isSeveral && how === "one" ? "toggle" : how);
    const active = state.selected.includes(index) ? index : state.selected.at(-1);
    if (active === undefined) return release();
    frame.select(state.selected, how === "range" ? index : active, isScrolled);
    panel.show(active, state.selected);
    content.classList.add("has-block");
    keepAddress(`#/result/${pageId}/${active}`);
  }

  function extended(index, how) {
    if (how === "toggle") return state.selected.includes(index) ? state.selected.filter((each) => each !== index) : [...state.selected, index];
    if (how === "range" && state.selected.length) {
      state.anchor ??= state.selected[0];
      return frame.between(state.anchor, index);
    }
    state.anchor = index;
    return [index];
  }

  function release() {
    state.selected = [];
    frame.select([], null, false);
    panel.showHelp();
    content.classList.remove("has-block");
    keepAddress(`#/result/${pageId}`);
  }

  /** What is asked for while the page or its blocks are loading is done once they are there. */
  function whenLoaded(act) {
    Promise.all([frame.ready, blocks]).then(act).catch(warn);
  }

  function step(by) {
    whenLoaded(() => select(frame.neighbour(panel.index, by), "one", true));
  }

  function press(key) {
    const keep = { k: true, d: false }[key.toLowerCase()];
    if (key === "Escape") return state.selected.length ? Boolean(panel.root.querySelector("#keep")?.focus() ?? true) : false;
    if (keep === undefined || panel.index === null) return false;
    whenLoaded(() => panel.form.teach(keep));
    return true;
  }

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type='radio']), select, textarea, [role='tab']")) return;
    if (press(event.key)) event.preventDefault();
  };

  /** Scroll to the first block that is kept. */
  function jump() {
    const first = panel.blocks.find((block) => block.kept && !block.hidden && frame.parts.has(block.index) && block.kind !== "title");
    if (first) frame.scrollTo(first.index);
  }

  /** The blocks of the chosen kind that have the words asked for. */
  function wantedBlocks() {
    const isOfKind = FILTERS.find(([value]) => value === state.kind)[2];
    return panel.blocks.filter((block) => isOfKind(block) && block.text.toLowerCase().includes(state.words) && frame.parts.has(block.index));
  }

  /** Fade the blocks of other kinds, and tell how many are left. */
  function showKind(kind) {
    state.kind = kind;
    showFound();
    announce(`${count(wantedBlocks().length, "block")} found.`);
  }

  function showFound() {
    const found = wantedBlocks();
    frame.setFound(state.kind === "all" ? null : new Set(found.map(({ index }) => index)));
    finder.tell(state.kind === "all" && !state.words ? "" : String(found.length));
  }

  /** Select the next block of the chosen kind that has these words. */
  function find() {
    const after = state.selected.at(-1) ?? -1;
    const found = wantedBlocks();
    const next = found.find(({ index }) => index > after) ?? found[0];
    if (next) select(next.index, "one", true);
    else announce("No such block.");
  }

  /** The text does not wait for the list of blocks, nor the list for the text. */
  async function reload() {
    await Promise.all([output.load(), loadBlocks()]);
  }

  async function loadBlocks() {
    const isNewest = begin();
    const found = await get(`/api/pages/${pageId}/blocks`, { value: state.value });
    if (!isNewest()) return;
    frame.showBlocks(found.blocks);
    panel.setBlocks(found.blocks);
    hasBlocks();
    frame.ready.then(showFound);
  }

  document.addEventListener("keydown", onKey);
  frame.setShade(chosen.shade);
  frame.load(viewAddress(chosen.look), chosen.look === "styled");
  reload().catch(warn);
  if (blockPart) whenLoaded(() => select(Number(blockPart), "one", true));

  return {
    update() {
      head.update();
      const basis = basisOf(pageId);
      if (basis === state.basis) return;
      state.basis = basis;
      reload().catch(warn);
    },
    move([other, block]) {
      if (other !== pageId) return false;
      if (block) select(Number(block), "one", true);
      return true;
    },
    leave: () => document.removeEventListener("keydown", onKey),
  };
}

/** What a result depends on: if it changes, the result is loaded again. */
function basisOf(pageId) {
  const { settings, learnt, corrections, taught } = siteOf(pageOf(pageId).site);
  return JSON.stringify([settings, learnt?.current, learnt?.pages, corrections, taught]);
}

function figuresOf(response) {
  const parts = [
    [percent(response.removed), "of the text removed"],
    response.page_type && [plain(response.page_type), ""],
    response.confidence !== null && [decimal(response.confidence), "confidence"],
    [plain(response.method), response.learnt ? "with the site's template" : "without a template"],
    [`${bytes(response.bytes_before)} → ${bytes(response.bytes_after)}`, "html to text"],
    [milliseconds(response.ms), ""],
  ];
  return parts.filter(Boolean).map(([figure, what]) => element("span", {}, element("strong", {}, figure), what && ` ${what}`));
}

function header(page) {
  const previous = element("a", { class: "button round", rel: "prev", id: "previous" });
  const next = element("a", { class: "button round", rel: "next", id: "next" });
  const select = choice("Page", [], page.id, (id) => (location.hash = `#/result/${id}`), { id: "page-choice" });
  const site = element("p", { class: "over" });
  const root = element(
    "div",
    { class: "page-head" },
    element("div", {}, site, element("h1", { tabindex: -1, class: "small" }, nameOf(page.id))),
    element("nav", { class: "row", "aria-label": "Other pages of the site" }, previous, select, next),
  );

  function update() {
    const pages = [...pagesOf(page.site)].sort((one, other) => (one.name < other.name ? -1 : 1));
    const position = pages.findIndex((each) => each.id === page.id);
    site.textContent = `${siteOf(page.site).name} · page ${position + 1} of ${pages.length} · ${page.name}`;
    lead(previous, pages[position - 1], "‹", "Previous page");
    lead(next, pages[position + 1], "›", "Next page");
    setOptions(select.querySelector("select"), pages.map((each) => [each.id, nameOf(each.id)]), page.id);
  }
  update();
  return { root, update };
}

function lead(link, page, sign, label) {
  fill(link, sign);
  link.setAttribute("aria-label", page ? `${label}: ${nameOf(page.id)}` : label);
  if (page) link.href = `#/result/${page.id}`;
  else link.removeAttribute("href");
  link.setAttribute("aria-disabled", String(!page));
}

/** Search and filter over blocks, with their number and a button to the next one. */
function blockFinder({ find, showKind, setWords }) {
  const words = element("input", { type: "search", id: "find-block", placeholder: "Find a block", "aria-label": "Find a block", oninput: () => setWords(words.value), onkeydown: (event) => event.key === "Enter" && find() });
  const kind = choice("Blocks", FILTERS.map(([value, text]) => [value, text]), "all", showKind, { id: "block-filter", "aria-label": "Blocks" });
  kind.firstChild.remove();
  const number = element("span", { class: "hint", id: "blocks-found" });
  const root = element("span", { class: "row finder" }, words, kind, button("Next", find, { class: "quiet", id: "find-next", "aria-describedby": "blocks-found" }), number);
  return { root, tell: (text) => (number.textContent = text) };
}

function originalBar(frame, { viewAddress, output, jump, finder, setSeveral }) {
  const shade = choice("Show", SHADES, chosen.shade, (value) => {
    chosen.shade = value;
    frame.setShade(value);
  }, { id: "shade", "aria-label": "Show" });
  shade.firstChild.remove();
  const look = choice("Look", LOOKS, chosen.look, (value) => {
    chosen.look = value;
    frame.load(viewAddress(value), value === "styled");
  }, { id: "look", "aria-label": "Look" });
  look.firstChild.remove();
  const images = tick("Images from the web", output_choice.images, (isWanted) => {
    output_choice.images = isWanted;
    frame.load(viewAddress(chosen.look), chosen.look === "styled");
    output.load().catch(warn);
  }, { id: "images", "aria-describedby": "images-note" });
  return element(
    "div",
    { class: "pane-bar" },
    element("h2", { id: "original-title" }, "Original"),
    element("div", { class: "row" }, look, shade),
    element(
      "div",
      { class: "row pane-options" },
      button("Start of content", jump, { class: "quiet", id: "jump" }),
      finder.root,
      tick("Select several", false, setSeveral, { id: "several" }),
      images,
      element("span", { class: "hint", id: "images-note" }, "(their servers see it)"),
    ),
  );
}
