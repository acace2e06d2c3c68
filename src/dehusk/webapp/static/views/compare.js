// Compare: two ways to clean one page, and their differences.

import { get, put, remove } from "../api.js";
import { loadingSign } from "../block-frame.js";
import { button, choice, element, fill, setOptions } from "../elements.js";
import { newest } from "../latest.js";
import { announce, notify, warn } from "../notices.js";
import { count, decimal, milliseconds, number, plain } from "../wording.js";
import { choices, nameOf, pageOf, pagesOf, refresh, siteOf, workspace } from "../workspace.js";

// The choice is kept from page to page.
const chosen = { left: null, right: null };

export function compareView(content, [pageId]) {
  const page = pageOf(pageId);
  const sides = { left: sideSelect("left", "Left", load), right: sideSelect("right", "Right", load) };
  const body = element("div", { class: "compared", "aria-live": "off" });
  const summary = element("p", { class: "figures-line", role: "status" });
  const next = button("Next difference", () => stepThrough(body), { id: "next-difference" });
  const gold = goldPart(page, load);
  const whole = wholePart(page.site);
  const pageSelect = choice("Page", [], pageId, (id) => (location.hash = `#/compare/${id}`), { id: "page-choice" });
  chosen.left ??= `method:${siteOf(page.site).settings.method}`;
  chosen.right ??= choices.tools.length ? `tool:${choices.tools[0]}` : `method:${choices.methods.find(({ name }) => `method:${name}` !== chosen.left).name}`;
  fill(
    content,
    element("div", { class: "page-head" }, element("div", {}, element("p", { class: "over" }, siteOf(page.site).name), element("h1", { tabindex: -1, class: "small" }, "Compare ", element("span", { class: "of" }, nameOf(page.id).split("/").pop()))), pageSelect),
    element("div", { class: "row result-bar" }, summary, next),
    body,
    gold.root,
    whole.root,
  );

  const begin = newest();

  async function load() {
    for (const side of Object.values(sides)) side.update(pageOf(pageId));
    const isNewest = begin();
    body.setAttribute("aria-busy", "true");
    try {
      const response = await get(`/api/pages/${pageId}/compare`, chosen);
      if (isNewest()) show(response);
    } finally {
      if (isNewest()) body.removeAttribute("aria-busy");
    }
  }

  // Showing the same content again would scroll the reader away from the current difference.
  let shown = "";

  function show(response) {
    const content = JSON.stringify([chosen, response], (name, value) => (name === "ms" ? undefined : value));
    if (content === shown) return;
    shown = content;
    fill(summary, differenceLine(response));
    next.disabled = response.only_left + response.only_right === 0;
    fill(body, column("left", sides.left, response), column("right", sides.right, response));
  }

  function update() {
    const pages = [...pagesOf(page.site)].sort((one, other) => (one.name < other.name ? -1 : 1));
    setOptions(pageSelect.querySelector("select"), pages.map((each) => [each.id, nameOf(each.id)]), pageId);
    gold.update(pageOf(pageId));
    whole.update();
  }

  update();
  let version = workspace.version;
  load().catch(warn);
  return {
    update() {
      update();
      if (version === workspace.version) return;
      version = workspace.version;
      load().catch(warn);
    },
  };
}

function sideSelect(side, label, load) {
  const root = choice(label, [], "", (value) => {
    chosen[side] = value;
    load().catch(warn);
  }, { id: `side-${side}` });
  return {
    root,
    update(page) {
      const isTaught = siteOf(page.site).corrections > 0;
      const options = [
        ...choices.methods.map(({ name }) => [`method:${name}`, `dehusk, ${plain(name)}${isTaught ? ", with corrections" : ""}`]),
        ...(isTaught ? choices.methods.map(({ name }) => [`untaught:${name}`, `dehusk, ${plain(name)}, without corrections`]) : []),
        ...choices.tools.map((name) => [`tool:${name}`, name]),
        ...(page.gold || page.checked ? [["gold", page.gold ? "gold text" : "gold: the checked label"]] : []),
      ];
      if (!options.some(([value]) => value === chosen[side])) chosen[side] = options[0][0];
      setOptions(root.querySelector("select"), options, chosen[side]);
    },
  };
}

function differenceLine({ same, only_left: left, only_right: right, cut }) {
  if (left + right === 0) return element("span", {}, element("strong", {}, "No difference"), `: ${count(same, "word")} on both sides`);
  return [
    element("span", {}, element("strong", {}, number(same)), ` ${same === 1 ? "word" : "words"} on both sides`),
    element("span", {}, element("mark", { class: "left" }, number(left)), " only left"),
    element("span", {}, element("mark", { class: "right" }, number(right)), " only right"),
    cut && element("span", {}, "only the beginning of these long texts is compared"),
  ];
}

function column(side, select, response) {
  const { words, ms, error, score, corrected } = response[side];
  const about = error ? element("p", { class: "failed" }, error) : element("p", { class: "hint" }, `${count(words, "word")}, ${milliseconds(ms)}`);
  return element(
    "section",
    { class: "pane", "aria-label": side === "left" ? "Left" : "Right" },
    element("div", { class: "pane-bar" }, select.root, element("div", { class: "marks" }, score && scoreLine(score), about)),
    corrected > 0 && element("p", { class: "caution" }, `${count(corrected, "block")} of this page ${corrected === 1 ? "is" : "are"} as you taught; other tools do not know that. Choose “without corrections” to compare like with like.`),
    element("div", { class: "frame", tabindex: 0, role: "group", "aria-label": `Text of the ${side} side` }, element("div", { class: "text" }, segmentsOf(side, response.segments))),
  );
}

function scoreLine({ precision, recall, f1 }) {
  return element("p", { class: "score" }, element("strong", {}, `F1 ${decimal(f1)}`), element("span", { class: "hint" }, ` precision ${decimal(precision)}, recall ${decimal(recall)}`));
}

/** The text of one side: its own words marked, and a sign where only the other side has words. */
function segmentsOf(side, segments) {
  return segments.map(({ kind, text }) => {
    if (kind === "same") return text;
    if (kind === side) return text.split(/(\s*\n\s*)/).map((part) => (part.trim() ? marked(side, part) : part));
    return element("span", { class: "gap", title: "the other side has text here" });
  });
}

function marked(side, text) {
  return element("mark", { class: side, tabindex: -1, "aria-description": "only on this side" }, text);
}

/** Move to the next difference, in either column. */
function stepThrough(body) {
  const all = [...body.querySelectorAll("mark")];
  const now = all.findIndex((mark) => mark.classList.contains("current"));
  all[now]?.classList.remove("current");
  const next = all[(now + 1) % all.length];
  if (!next) return;
  next.classList.add("current");
  next.scrollIntoView({ block: "center" });
  next.focus({ preventScroll: true });
  announce(next.textContent);
}

/** All ways to clean, scored on the pages of the site that a person has labelled. */
function wholePart(siteId) {
  const table = element("div", { role: "status" });
  const run = button("Score the whole site", () => score().catch(warn), { id: "score-site" });
  const note = element("p", { class: "hint" });

  async function score() {
    fill(table, loadingSign("Cleaning the labelled pages in every way …"));
    const taught = siteOf(siteId).corrections > 0 ? ["untaught:hybrid"] : [];
    const sides = [...new Set([chosen.left, chosen.right, "method:hybrid", ...taught, ...choices.tools.map((name) => `tool:${name}`)])].filter((name) => name !== "gold").slice(0, 8);
    const { pages, sides: scored } = await get(`/api/sites/${siteId}/scores`, { sides: sides.join() });
    const rows = scored.sort((one, other) => other.f1 - one.f1).map(({ name, precision, recall, f1, ms, failed }) => element("tr", {}, element("th", { scope: "row" }, sideName(name)), [decimal(f1), decimal(precision), decimal(recall), milliseconds(ms), failed || ""].map((cell) => element("td", {}, String(cell)))));
    fill(table, element("table", { class: "scores" }, element("caption", {}, `Means of ${count(pages, "labelled page")}`), element("thead", {}, element("tr", {}, ["", "F1", "Precision", "Recall", "Time a page", "Failed"].map((title) => (title ? element("th", { scope: "col" }, title) : element("td"))))), element("tbody", {}, rows)));
  }

  return {
    root: element(
      "section",
      { class: "card whole", "aria-labelledby": "whole-title" },
      element("h2", { id: "whole-title" }, "Whole site"),
      note,
      choices.missing_tools.length > 0 && element("p", { class: "hint" }, `More to compare with: ${choices.missing_tools.join(", ")}. `, element("code", {}, "pip install 'dehusk[eval]'")),
      element("div", { class: "row" }, run),
      table,
    ),
    update() {
      const labelled = pagesOf(siteId).filter((page) => page.gold || page.checked).length;
      run.disabled = labelled === 0;
      note.textContent = labelled ? `${count(labelled, "page")} with gold text or a checked label.` : "Label some pages, or add gold text, to score all ways to clean on them.";
    },
  };
}

function sideName(name) {
  const [kind, chosenName] = name.split(":");
  return kind === "tool" ? chosenName : `dehusk, ${plain(chosenName)}${kind === "untaught" ? ", without corrections" : ""}`;
}

function goldPart(page, load) {
  const area = element("textarea", { rows: 8, id: "gold", spellcheck: "false" });
  const save = button("Save", () => store().catch(warn), { id: "gold-save" });
  const clear = button("Remove", () => drop().catch(warn), { class: "quiet", id: "gold-remove" });
  let isLoaded = false;
  const root = element(
    "details",
    { class: "card gold" },
    element("summary", {}, element("h2", {}, "Gold text"), element("span", { class: "hint" }, "what a person would keep; both sides are scored against it")),
    element("label", { class: "field" }, element("span", {}, "Paste the text here"), area),
    element("div", { class: "row" }, save, clear),
  );
  root.addEventListener("toggle", () => read().catch(warn));

  async function read() {
    if (isLoaded || !pageOf(page.id).gold) return;
    isLoaded = true;
    area.value = (await get(`/api/pages/${page.id}/gold`)).text;
  }

  async function store() {
    await put(`/api/pages/${page.id}/gold`, { text: area.value });
    await refresh();
    notify("Gold text saved.");
    await load();
  }

  async function drop() {
    await remove(`/api/pages/${page.id}/gold`);
    area.value = "";
    await refresh();
    await load();
  }

  return {
    root,
    update(now) {
      clear.hidden = !now.gold;
      if (now.gold && root.open) read().catch(warn);
    },
  };
}
