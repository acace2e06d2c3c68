// Label: a queue of pages to check block by block, by keyboard alone if you like. Checked pages are exported as gold.

import { get, put, queryOf, send } from "../api.js";
import { BlockFrame } from "../block-frame.js";
import { button, choice, element, fill, setOptions } from "../elements.js";
import { follow } from "../jobs.js";
import { announce, notify, warn } from "../notices.js";
import { saveFile } from "../saving.js";
import { undo } from "../undo.js";
import { count, cut } from "../wording.js";
import { choices, nameOf, pageOf, pagesOf, refresh, siteOf } from "../workspace.js";

const KINDS = { k: "content", d: "noise", c: "comment" };
const WORDS = { content: "content", noise: "noise", comment: "reader's comment" };

export function labelView(content, [pageId]) {
  const page = pageOf(pageId);
  const state = { kinds: [], doubtful: new Set(), selected: [], blocks: [], type: "", isLeft: false };
  const frame = new BlockFrame({ onHover: () => {}, onSelect: select, onKey: press, onUndo: () => undo().catch(warn) });
  const progress = element("progress", { max: 1, "aria-label": "Pages checked" });
  const figures = element("p", { class: "figures-line" });
  const now = element("p", { class: "now", "aria-live": "polite" });
  const type = choice("Type of page", choices.page_types.map((name) => [name, name]), "", (value) => (state.type = value), { id: "page-type" });
  const note = element("input", { type: "text", id: "label-note", maxlength: 1000, placeholder: "what was unclear", autocomplete: "off" });
  const pages = choice("Page", [], pageId, (id) => (location.hash = `#/label/${id}`), { id: "page-choice" });
  const mark = (kind, label, key) => button([label, element("kbd", { class: "for-keyboards" }, key)], () => whenLoaded(() => set(kind)), { id: `mark-${kind}` });
  fill(
    content,
    element("div", { class: "page-head" }, element("div", {}, element("p", { class: "over" }, siteOf(page.site).name), element("h1", { tabindex: -1, class: "small" }, nameOf(pageId))), pages),
    element("div", { class: "row result-bar" }, progress, figures),
    element(
      "div",
      { class: "label-bench" },
      element("section", { class: "pane", "aria-label": "The page" }, frame.root),
      element(
        "aside",
        { class: "card panel", "aria-label": "Labels" },
        element("h2", {}, "Label"),
        element("p", { class: "hint" }, "Go through the blocks. Mark what a reader came for as content, the rest as noise."),
        now,
        element("div", { class: "row marks-row" }, mark("content", "Content", "K"), mark("noise", "Noise", "D"), mark("comment", "Comment", "C")),
        button(["Unsure", element("kbd", { class: "for-keyboards" }, "U")], () => whenLoaded(doubt), { id: "mark-doubtful" }),
        type,
        element("label", { class: "field" }, element("span", {}, "Note"), note),
        element("div", { class: "row" }, button(["Checked, next page", element("kbd", { class: "for-keyboards" }, "Enter")], () => whenLoaded(check), { class: "primary", id: "checked" }), button("Skip", () => next(), { id: "skip-page" })),
        exportPart(page.site),
      ),
    ),
  );

  function kindsOf({ content: kept, comments, doubtful }) {
    state.kinds = state.blocks.map(() => "noise");
    for (const index of kept) state.kinds[index] = "content";
    for (const index of comments) state.kinds[index] = "comment";
    state.doubtful = new Set(doubtful);
  }

  function show() {
    frame.showBlocks(state.blocks.map(({ index }) => ({ index, kept: state.kinds[index] === "content", taught: null, comment: state.kinds[index] === "comment", doubtful: state.doubtful.has(index) })));
    const index = state.selected.at(-1);
    if (index === undefined) return fill(now, "No block is selected.");
    const what = `${WORDS[state.kinds[index]]}${state.doubtful.has(index) ? ", unsure" : ""}`;
    return fill(now, element("strong", {}, state.selected.length > 1 ? `${state.selected.length} blocks: ` : ""), element("span", { class: "quoted" }, cut(state.blocks[index].text || "(no text)", 90)), element("span", { class: "hint" }, ` ${what}`));
  }

  function select(index, how = "one") {
    if (index === null || index === undefined) return;
    if (how === "range" && state.selected.length) state.selected = frame.between(state.anchor ?? state.selected[0], index);
    else if (how === "toggle") state.selected = [...new Set([...state.selected, index])];
    else [state.selected, state.anchor] = [[index], index];
    frame.select(state.selected, index, false);
    if (state.blocks.length) show();
  }

  function set(kind) {
    for (const index of state.selected) state.kinds[index] = kind;
    show();
    announce(`${count(state.selected.length, "block")}: ${WORDS[kind]}`);
  }

  function doubt() {
    for (const index of state.selected) state.doubtful.has(index) ? state.doubtful.delete(index) : state.doubtful.add(index);
    show();
  }

  /** What is asked for while the page or its label is loading is done once they are there. */
  function whenLoaded(act) {
    loaded.then(act).catch(warn);
  }

  function press(key) {
    const small = key.toLowerCase();
    if (key === "Enter") whenLoaded(check);
    else if (small === "u") whenLoaded(doubt);
    else if (KINDS[small]) whenLoaded(() => set(KINDS[small]));
    else return false;
    return true;
  }

  async function check() {
    const of = (kind) => state.blocks.map(({ index }) => index).filter((index) => state.kinds[index] === kind);
    const label = { page_type: type.querySelector("select").value, content: of("content"), comments: of("comment"), doubtful: [...state.doubtful], note: note.value.trim(), checked: true };
    await put(`/api/pages/${pageId}/label`, label);
    await refresh();
    if (!state.isLeft) next(); // unless the person has gone to another view meanwhile
  }

  /** The next page that is not checked, those with the lowest confidence first. */
  function next() {
    const left = queueOf(page.site).filter((each) => each.id !== pageId);
    if (!left.length) return notify(`All ${count(pagesOf(page.site).length, "page")} of ${siteOf(page.site).name} are checked.`);
    const all = queueOf(page.site);
    const after = all.slice(all.findIndex((each) => each.id === pageId) + 1).find((each) => each.id !== pageId) ?? left[0];
    location.hash = `#/label/${after.id}`;
    return undefined;
  }

  function update() {
    const all = pagesOf(page.site);
    const done = all.filter((each) => each.checked).length;
    progress.value = done / all.length;
    fill(figures, element("span", {}, element("strong", {}, `${done} of ${all.length}`), " pages checked"), pageOf(pageId).checked && element("span", { class: "sign kept" }, "this page is checked"));
    setOptions(pages.querySelector("select"), all.map((each) => [each.id, `${each.checked ? "✓ " : ""}${nameOf(each.id)}`]), pageId);
  }

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, button, a")) return;
    if (press(event.key)) event.preventDefault();
  };
  document.addEventListener("keydown", onKey);

  async function load() {
    const [{ blocks }, label] = await Promise.all([get(`/api/pages/${pageId}/blocks`), get(`/api/pages/${pageId}/label`)]);
    state.blocks = blocks;
    kindsOf(label);
    type.querySelector("select").value = label.page_type;
    note.value = label.note;
    await frame.ready;
    select(state.selected.at(-1) ?? frame.order[0]);
    show();
    frame.stop?.focus({ preventScroll: true });
  }

  frame.load(`/view/${pageId}/original`);
  update();
  const loaded = load();
  loaded.catch(warn);
  const leave = () => {
    state.isLeft = true;
    document.removeEventListener("keydown", onKey);
  };
  return { update, leave };
}

/** Pages to check, the most doubtful first. */
function queueOf(site) {
  const confidence = (page) => page.result?.confidence ?? 1;
  return pagesOf(site).filter((page) => !page.checked).sort((one, other) => confidence(one) - confidence(other));
}

function exportPart(siteId) {
  const file = element("input", { type: "file", class: "visually-hidden", id: "labels-file", tabindex: -1, "aria-hidden": "true", accept: ".jsonl", onchange: () => take(file).catch(warn) });
  return element(
    "div",
    { class: "export" },
    element("h3", {}, "Checked pages"),
    element("div", { class: "row" }, button("Save labels", () => saveFile(`/api/labels.jsonl${queryOf({ site: siteId })}`).catch(warn), { id: "save-labels" }), button("Save pages", () => saveFile(`/api/labelled.parquet${queryOf({ site: siteId })}`).catch(warn), { id: "save-pages" }), button("Load labels", () => file.click(), { id: "load-labels" }), file),
    element("p", { class: "hint" }, "Labels name blocks by keys and hold no text; pages are a Parquet table. ", element("code", {}, "dehusk train hybrid --labels"), " reads both from one folder."),
    element("div", { class: "row" }, button("Train with these", () => train().catch(warn), { id: "train" })),
    element("p", { class: "hint" }, "Trains sequence labels, a method that needs no PyTorch, with all checked pages, and saves the model for ", element("code", {}, "dehusk clean --model"), "."),
  );
}

async function train() {
  const { job } = await send("POST", "/api/train", {});
  const done = await follow(job);
  if (done.state !== "done") return;
  await saveFile("/api/trained");
  notify(`Trained with ${count(done.result.pages, "page")}.`, done.result.unusable);
}

async function take(file) {
  const text = await file.files[0].text();
  file.value = "";
  const told = await send("POST", "/api/labels", new Blob([text], { type: "application/jsonl" }));
  await refresh();
  notify(`${count(told.set, "page")} labelled.`, [told.unknown && `${count(told.unknown, "line")} for pages that are not here`, told.invalid && `${count(told.invalid, "line")} not understood`].filter(Boolean));
}
