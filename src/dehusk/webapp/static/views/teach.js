// Teach: what was corrected, what can be undone, and what comes out of it: a model, and labelled pages.

import { get, queryOf, remove } from "../api.js";
import { button, choice, element, fill, setOptions } from "../elements.js";
import { newest } from "../latest.js";
import { announce, warn } from "../notices.js";
import { saveFile } from "../saving.js";
import { cleanAgain, entryText, undo } from "../undo.js";
import { count, cut, decimal, SCOPES } from "../wording.js";
import { nameOf, pageOf, pagesOf, refresh, siteOf, workspace } from "../workspace.js";

const MOST_DOUBTFUL = 8;
const MOST_HISTORY = 12;

export function teachView(content, [siteId]) {
  const select = choice("Site", [], siteId, (id) => (location.hash = `#/teach/${id}`));
  const list = element("ol", { class: "corrections", reversed: true });
  const undoLast = button("Undo last", () => undo(last).then(load).catch(warn), { id: "undo" });
  let last = null; // the number of the last action on this site
  const none = element("p", { class: "hint" }, "No corrections yet. Open a page, select a block, and keep or drop it: you choose whether that goes for this block, this position on all pages, a container, or everything that looks like it.");
  const doubtful = element("ul", { class: "doubtful" });
  const history = element("ol", { class: "history", reversed: true });
  const exports = exportPart(siteId);
  const begin = newest();
  let basis = null;
  fill(
    content,
    element("div", { class: "page-head" }, element("div", {}, element("h1", { tabindex: -1 }, "Teach"), element("p", { class: "lead" }, "Correct a block once, and the correction applies wherever you say. It is part of the site's model.")), select),
    element(
      "div",
      { class: "bench teach-bench" },
      element(
        "div",
        { class: "wide" },
        element("section", { class: "card", "aria-labelledby": "corrections-title" }, element("div", { class: "row spread" }, element("h2", { id: "corrections-title" }, "Corrections"), undoLast), none, list),
        element("section", { class: "card", "aria-labelledby": "history-title" }, element("h2", { id: "history-title" }, "History"), element("p", { class: "hint" }, "Everything that can be undone, on all sites. Ctrl-Z undoes the last."), history),
      ),
      element(
        "div",
        { class: "side" },
        element("section", { class: "card", "aria-labelledby": "doubt-title" }, element("h2", { id: "doubt-title" }, "Worth checking"), element("p", { class: "hint" }, "Pages with the lowest confidence."), doubtful),
        exports.root,
      ),
    ),
  );

  async function drop(correction) {
    await remove(`/api/sites/${siteId}/corrections/${correction.id}`);
    await Promise.all([refresh(), load()]);
    announce("Correction removed.");
    await cleanAgain(siteId);
  }

  async function load() {
    const isNewest = begin();
    const [{ corrections }, { history: entries }] = await Promise.all([get(`/api/sites/${siteId}/corrections`), get("/api/history")]);
    if (!isNewest()) return;
    none.hidden = corrections.length > 0;
    last = entries.find((entry) => entry.site === siteId)?.action ?? null;
    undoLast.disabled = last === null;
    fill(list, corrections.reverse().map((each) => correctionRow(each, () => drop(each).catch(warn))));
    fill(history, entries.slice(0, MOST_HISTORY).map((entry) => element("li", {}, element("span", {}, capital(entryText(entry))), button("Undo", () => undo(entry.action).then(load).catch(warn), { class: "quiet", "aria-label": `Undo in history: ${entryText(entry)}` }))));
  }

  function update() {
    const site = siteOf(siteId);
    select.hidden = workspace.sites.length < 2;
    setOptions(select.querySelector("select"), workspace.sites.map((each) => [each.id, each.name]), siteId);
    showDoubtful(doubtful, siteId);
    exports.update(site);
    const now = `${site.corrections} ${workspace.version}`;
    if (now === basis) return;
    basis = now;
    load().catch(warn);
  }

  update();
  return { update };
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function correctionRow({ keep, scope, text, path, page, pages, blocks }, onUndo) {
  const from = pageOf(page);
  return element(
    "li",
    {},
    element("div", {}, element("span", { class: keep ? "sign kept" : "sign noise" }, keep ? "keep" : "drop"), " ", element("span", { class: "quoted" }, cut(text || "(no text)", 160))),
    element("p", { class: "hint" }, `${capital(SCOPES[scope])}: ${count(blocks, "block")} on ${count(pages, "page")}`, from && [", made on ", element("a", { href: `#/result/${page}` }, nameOf(from.id))]),
    element("p", { class: "hint mono path" }, path),
    button("Remove", onUndo, { class: "quiet", "aria-label": `Remove: ${keep ? "keep" : "drop"} ${cut(text, 40)}` }),
  );
}

function showDoubtful(list, siteId) {
  const known = pagesOf(siteId).filter((page) => page.result && page.result.confidence !== null && !page.result.error);
  const least = known.sort((one, other) => one.result.confidence - other.result.confidence).slice(0, MOST_DOUBTFUL);
  const rows = least.length ? least : pagesOf(siteId).slice(0, MOST_DOUBTFUL);
  fill(list, rows.map((page) => element("li", {}, element("a", { href: `#/result/${page.id}` }, nameOf(page.id)), page.result && element("span", { class: "hint" }, decimal(page.result.confidence)))));
}

function exportPart(siteId) {
  const save = (id, label, path) => button(label, () => saveFile(path).catch(warn), { id });
  const model = save("export-model", "Site model", `/api/sites/${siteId}/model`);
  const note = element("p", { class: "hint spaced" });
  const root = element(
    "section",
    { class: "card", "aria-labelledby": "export-title" },
    element("h2", { id: "export-title" }, "Export"),
    element("p", { class: "hint" }, "The model of this site with its corrections: ", element("code", {}, "dehusk clean --model"), " gives the same result."),
    element("div", { class: "row" }, model),
    element("p", { class: "hint spaced" }, "Pages you have checked in ", element("a", { href: "#/label" }, "Label"), ", or given a gold text, for ", element("code", {}, "dehusk train"), "."),
    element("div", { class: "row" }, save("export-zip", "Labelled pages (zip)", `/api/labelled.zip${queryOf({ site: siteId })}`), save("export-parquet", "Labelled pages (Parquet)", `/api/labelled.parquet${queryOf({ site: siteId })}`)),
    note,
  );
  return {
    root,
    update(site) {
      model.disabled = !site.learnt;
      note.textContent = site.learnt ? "" : "The model can be saved once the site is learnt: eliminate first.";
    },
  };
}
