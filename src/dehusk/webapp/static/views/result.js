// Result: a page before and after cleaning, with reasons.

import { get, put, queryOf } from "../api.js";
import { BlockFrame, sandboxed } from "../block-frame.js";
import { BlockPanel } from "../block-panel.js";
import { button, choice, element, fill, setOptions, tick } from "../elements.js";
import { latest, newest } from "../latest.js";
import { notify, warn } from "../notices.js";
import { keepAddress } from "../routes.js";
import { tabs } from "../tabs.js";
import { bytes, decimal, milliseconds, percent, plain } from "../wording.js";
import { nameOf, pageOf, pagesOf, refresh, siteOf } from "../workspace.js";

const FORMATS = [["reading", "Reading"], ["text", "Text"], ["markdown", "Markdown"], ["html", "HTML"], ["json", "JSON"]];
const SHADES = [["shaded", "noise shaded"], ["plain", "as it is"], ["kept", "only what is kept"], ["hidden", "with hidden parts"]];

// The choice is kept from page to page.
const chosen = { format: "reading", images: false, shade: "shaded" };

export function resultView(content, [pageId, blockPart]) {
  const page = pageOf(pageId);
  const state = { selected: null, value: null, basis: basisOf(pageId) };
  const panel = new BlockPanel(page, { onTaught: () => refresh().then(reload), onClose: () => content.classList.remove("has-block"), onStep: step });
  const frame = new BlockFrame({ onHover: hover, onSelect: (index) => select(index, false), onKey: press });
  const output = outputPart(page, state);
  const begin = newest();
  const head = header(page);
  const figures = element("p", { class: "figures-line" });
  const threshold = thresholdTrial(page, state, frame, panel, output, reload);

  fill(
    content,
    head.root,
    element("div", { class: "row result-bar" }, figures, threshold.root),
    element(
      "div",
      { class: "panes" },
      element("section", { class: "pane", "aria-labelledby": "original-title" }, originalBar(page, frame, state, output), frame.root),
      output.root,
      panel.root,
    ),
  );

  function hover(index) {
    const shown = index ?? state.selected;
    if (shown !== null && shown !== panel.index) panel.show(shown);
  }

  function select(index, isScrolled) {
    if (index === null || index === undefined) return;
    state.selected = index;
    frame.activate(index, isScrolled);
    panel.show(index);
    content.classList.add("has-block");
    keepAddress(`#/result/${pageId}/${index}`);
  }

  /** Step to another block; while the page is loading, wait for it. */
  function step(by) {
    frame.ready.then(() => select(frame.neighbour(panel.index, by), true));
  }

  function press(key) {
    const keep = { k: true, d: false }[key.toLowerCase()];
    if (key === "Escape") return Boolean(panel.root.querySelector("#keep")?.focus() ?? true);
    if (keep === undefined || panel.index === null) return false;
    panel.teach(keep).catch(warn);
    return true;
  }

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type='radio']), select, textarea, [role='tab']")) return;
    if (press(event.key)) event.preventDefault();
  };

  async function reload() {
    const isNewest = begin();
    const { blocks } = await get(`/api/pages/${pageId}/blocks`, { value: state.value });
    if (!isNewest()) return;
    frame.showBlocks(blocks);
    panel.setBlocks(blocks);
    await output.load();
  }

  function showFigures(response) {
    fill(figures, figuresOf(response));
  }
  output.onResult = showFigures;

  document.addEventListener("keydown", onKey);
  frame.setShade(chosen.shade);
  frame.load(viewAddress(pageId, "original", state));
  reload()
    .then(() => blockPart && select(Number(blockPart), true))
    .catch(warn);
  if (blockPart) frame.active = Number(blockPart);

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
      if (block) select(Number(block), true);
      return true;
    },
    leave: () => document.removeEventListener("keydown", onKey),
  };
}

/** What a result depends on: if it changes, the result is loaded again. */
function basisOf(pageId) {
  const { settings, learnt, corrections } = siteOf(pageOf(pageId).site);
  return JSON.stringify([settings, learnt, corrections]);
}

function viewAddress(pageId, view, state) {
  return `/view/${pageId}/${view}${queryOf({ value: state.value, images: chosen.images ? 1 : null })}`;
}

function figuresOf(response) {
  const parts = [
    [percent(response.removed), "removed"],
    [`${bytes(response.bytes_before)} → ${bytes(response.bytes_after)}`, ""],
    response.page_type && [plain(response.page_type), ""],
    response.confidence !== null && [decimal(response.confidence), "confidence"],
    [plain(response.method), response.learnt ? "with the site's template" : "without a template"],
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
    element("div", {}, site, element("h1", { tabindex: -1, class: "small" }, nameOf(page.id).split("/").pop())),
    element("nav", { class: "row", "aria-label": "Other pages of the site" }, previous, select, next),
  );

  function update() {
    const pages = [...pagesOf(page.site)].sort((one, other) => (one.name < other.name ? -1 : 1));
    const position = pages.findIndex((each) => each.id === page.id);
    site.textContent = `${siteOf(page.site).name} · page ${position + 1} of ${pages.length}`;
    lead(previous, pages[position - 1], "‹", "Previous page");
    lead(next, pages[position + 1], "›", "Next page");
    setOptions(select.querySelector("select"), pages.map((each) => [each.id, nameOf(each.id)]), page.id);
  }
  update();
  return { root, update };
}

function lead(link, page, sign, label) {
  fill(link, sign);
  link.setAttribute("aria-label", page ? `${label}: ${page.name}` : label);
  if (page) link.href = `#/result/${page.id}`;
  else link.removeAttribute("href");
  link.setAttribute("aria-disabled", String(!page));
}

function originalBar(page, frame, state, output) {
  const shade = choice("Show", SHADES, chosen.shade, (value) => {
    chosen.shade = value;
    frame.setShade(value);
  }, { id: "shade" });
  shade.classList.add("inline");
  const images = tick("Images", chosen.images, (isWanted) => {
    chosen.images = isWanted;
    frame.load(viewAddress(page.id, "original", state));
    output.load().catch(warn);
  }, { id: "images", title: "Loads images from the web: their servers can see the requests" });
  return element("div", { class: "pane-bar" }, element("h2", { id: "original-title" }, "Original"), element("div", { class: "row" }, shade, images));
}

function outputPart(page, state) {
  const panel = element("div", { role: "tabpanel", id: "output", class: "frame", tabindex: -1 });
  const download = element("a", { class: "button", download: true, id: "download" }, "Download");
  const all = element("a", { class: "button", download: true, id: "download-all" }, "All as zip");
  const begin = newest();
  const part = { root: null, load, onResult: () => {}, content: "" };
  const choose = (value) => {
    chosen.format = value;
    load().catch(warn);
  };
  part.root = element(
    "section",
    { class: "pane", "aria-labelledby": "cleaned-title" },
    element("div", { class: "pane-bar" }, element("h2", { id: "cleaned-title" }, "Cleaned"), tabs("Formats", panel, FORMATS, chosen.format, choose)),
    panel,
    element("div", { class: "row pane-foot" }, button("Copy", () => copy(part.content).catch(warn), { id: "copy" }), download, all),
  );

  async function load() {
    const format = chosen.format === "reading" ? "text" : chosen.format;
    download.href = `/api/pages/${page.id}/download${queryOf({ format, value: state.value })}`;
    all.href = `/api/download.zip${queryOf({ format, site: page.site })}`;
    const [wanted, isNewest] = [chosen.format, begin()];
    const response = await get(`/api/pages/${page.id}/result`, { format, value: state.value });
    if (!isNewest()) return;
    part.content = response.content;
    part.onResult(response);
    if (wanted === "reading") fill(panel, sandboxed("The cleaned page", viewAddress(page.id, "cleaned", state)));
    else fill(panel, element("pre", { tabindex: 0, class: `output ${wanted}`, "aria-label": wanted }, response.content || "Nothing was kept."));
  }
  return part;
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  notify("Copied.");
}

/** Try another threshold on this page: the frame is shaded again while the slider moves. */
function thresholdTrial(page, state, frame, panel, output, reload) {
  const slider = element("input", { type: "range", min: 0, max: 1, step: 0.005, id: "trial", "aria-label": "Try a threshold on this page" });
  const shown = element("output", { for: "trial" });
  const use = button("Use for the site", () => settle().catch(warn), { hidden: true });
  const back = button("Back", () => leave().catch(warn), { class: "quiet", hidden: true });
  const preview = latest((value) => get(`/api/pages/${page.id}/decision`, { value }), show, warn);
  const reread = latest(() => output.load(), () => {}, warn);

  function show(response) {
    if (state.value === null) return;
    frame.showDecision(response.kept);
    shown.textContent = `${decimal(response.threshold)}: ${percent(response.characters ? response.characters_kept / response.characters : 0)} kept`;
  }

  function setTrying(isTrying) {
    use.hidden = back.hidden = !isTrying;
    if (!isTrying) shown.textContent = "";
  }

  slider.addEventListener("input", () => {
    state.value = slider.value;
    setTrying(true);
    preview(slider.value);
    reread(slider.value);
  });
  slider.addEventListener("change", () => reload().catch(warn));

  async function settle() {
    const threshold = Number(state.value);
    await leave(false);
    await put(`/api/sites/${page.site}/settings`, { threshold });
    notify("Threshold set for the whole site. Eliminate again to update the totals.");
    await refresh();
  }

  async function leave(isReloaded = true) {
    state.value = null;
    setTrying(false);
    if (isReloaded) await reload();
  }

  get(`/api/pages/${page.id}/decision`)
    .then(({ threshold }) => threshold !== null && (slider.value = threshold))
    .catch(warn);
  return { root: element("div", { class: "row trial" }, element("label", { class: "field inline" }, element("span", {}, "Threshold"), slider), shown, use, back) };
}
