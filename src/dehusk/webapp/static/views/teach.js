// Teach: list and undo corrections, and export them as labelled pages.

import { get, post, queryOf, remove } from "../api.js";
import { button, choice, element, fill, setOptions } from "../elements.js";
import { newest } from "../latest.js";
import { announce, warn } from "../notices.js";
import { count, cut, decimal, SCOPES } from "../wording.js";
import { nameOf, pageOf, pagesOf, refresh, siteOf, workspace } from "../workspace.js";

const MOST_DOUBTFUL = 8;

export function teachView(content, [siteId]) {
  const select = choice("Site", [], siteId, (id) => (location.hash = `#/teach/${id}`));
  const list = element("ol", { class: "corrections", reversed: true });
  const undo = button("Undo last", () => change(() => post(`/api/sites/${siteId}/corrections/undo`), "Last correction removed.").catch(warn), { id: "undo" });
  const none = element("p", { class: "hint" }, "No corrections yet. Open a page, click a block, and press K to keep or D to drop it. The correction applies to the same position on all pages of the site.");
  const doubtful = element("ul", { class: "doubtful" });
  let basis = null;
  fill(
    content,
    element("div", { class: "page-head" }, element("div", {}, element("h1", { tabindex: -1 }, "Teach"), element("p", { class: "lead" }, "Correct a block once, and the correction applies to the same position on every page of the site.")), select),
    element(
      "div",
      { class: "bench teach-bench" },
      element("section", { class: "card wide", "aria-labelledby": "corrections-title" }, element("div", { class: "row spread" }, element("h2", { id: "corrections-title" }, "Corrections"), undo), none, list),
      element(
        "div",
        { class: "side" },
        element("section", { class: "card", "aria-labelledby": "doubt-title" }, element("h2", { id: "doubt-title" }, "Worth checking"), element("p", { class: "hint" }, "Pages with the lowest confidence."), doubtful),
        exportPart(siteId),
      ),
    ),
  );

  async function change(act, message) {
    await act();
    await Promise.all([refresh(), load()]);
    announce(message);
  }

  const begin = newest();

  async function load() {
    const isNewest = begin();
    const { corrections } = await get(`/api/sites/${siteId}/corrections`);
    if (!isNewest()) return;
    none.hidden = corrections.length > 0;
    undo.disabled = corrections.length === 0;
    fill(list, corrections.reverse().map((each) => correctionRow(each, () => change(() => remove(`/api/sites/${siteId}/corrections/${each.id}`), "Correction removed.").catch(warn))));
  }

  function update() {
    const site = siteOf(siteId);
    select.hidden = workspace.sites.length < 2;
    setOptions(select.querySelector("select"), workspace.sites.map((each) => [each.id, each.name]), siteId);
    showDoubtful(doubtful, siteId);
    const now = `${site.corrections} ${workspace.version}`;
    if (now === basis) return;
    basis = now;
    load().catch(warn);
  }

  update();
  return { update };
}

function correctionRow({ keep, scope, text, path, page, pages }, onUndo) {
  const from = pageOf(page);
  return element(
    "li",
    {},
    element("div", {}, element("span", { class: keep ? "sign kept" : "sign noise" }, keep ? "keep" : "drop"), " ", element("span", { class: "quoted" }, cut(text || "(no text)", 160))),
    element("p", { class: "hint" }, `${SCOPES[scope]}, ${count(pages, "page")}`, from && [", made on ", element("a", { href: `#/result/${page}` }, nameOf(from.id))]),
    element("p", { class: "hint mono path" }, path),
    button("Undo", onUndo, { class: "quiet", "aria-label": `Undo: ${keep ? "keep" : "drop"} ${cut(text, 40)}` }),
  );
}

function showDoubtful(list, siteId) {
  const known = pagesOf(siteId).filter((page) => page.result && page.result.confidence !== null && !page.result.error);
  const least = known.sort((one, other) => one.result.confidence - other.result.confidence).slice(0, MOST_DOUBTFUL);
  const rows = least.length ? least : pagesOf(siteId).slice(0, MOST_DOUBTFUL);
  fill(list, rows.map((page) => element("li", {}, element("a", { href: `#/result/${page.id}` }, nameOf(page.id)), page.result && element("span", { class: "hint" }, decimal(page.result.confidence)))));
}

function exportPart(siteId) {
  const link = (format, label) => element("a", { class: "button", download: true, id: `export-${format}`, href: `/api/labelled.${format}${queryOf({ site: siteId })}` }, label);
  return element(
    "section",
    { class: "card", "aria-labelledby": "export-title" },
    element("h2", { id: "export-title" }, "Labelled data"),
    element("div", { class: "row" }, link("zip", "Export as zip"), link("parquet", "Export as Parquet")),
    element("p", { class: "hint spaced" }, "Pages with corrections or gold text, for ", element("code", {}, "dehusk train"), "."),
  );
}
