// Teach: what people said is to be kept or dropped, taking it back, and taking it away as labelled pages.

import { get, post, queryOf, remove } from "../api.js";
import { button, choice, element, fill, setOptions } from "../elements.js";
import { newest } from "../latest.js";
import { say, warn } from "../notices.js";
import { count, cut, decimal } from "../wording.js";
import { nameOf, pageOf, pagesOf, refresh, siteOf, workspace } from "../workspace.js";

const SCOPES = { place: "this place", look: "all that looks like it" };
const MOST_DOUBTFUL = 8;

export function teachView(content, [siteId]) {
  const select = choice("Site", [], siteId, (id) => (location.hash = `#/teach/${id}`));
  const list = element("ol", { class: "corrections", reversed: true });
  const undo = button("Undo the last", () => take(() => post(`/api/sites/${siteId}/corrections/undo`), "The last was taken back.").catch(warn), { id: "undo" });
  const none = element("p", { class: "hint" }, "Nothing yet. Open a page, click a block, and say keep (K) or drop (D). It holds for all pages of the site that share the place.");
  const doubtful = element("ul", { class: "doubtful" });
  let basis = null;
  fill(
    content,
    element("div", { class: "page-head" }, element("div", {}, element("h1", { tabindex: -1 }, "Teach"), element("p", { class: "lead" }, "Where dehusk is wrong, say so once: every page of the site that shares the place follows.")), select),
    element(
      "div",
      { class: "bench teach-bench" },
      element("section", { class: "card wide", "aria-labelledby": "said-title" }, element("div", { class: "row spread" }, element("h2", { id: "said-title" }, "What was said"), undo), none, list),
      element(
        "div",
        { class: "side" },
        element("section", { class: "card", "aria-labelledby": "doubt-title" }, element("h2", { id: "doubt-title" }, "Worth a look"), element("p", { class: "hint" }, "Pages dehusk is least sure of."), doubtful),
        exportPart(siteId),
      ),
    ),
  );

  async function take(act, said) {
    await act();
    await Promise.all([refresh(), load()]);
    say(said);
  }

  const ask = newest();

  async function load() {
    const isNewest = ask();
    const { corrections } = await get(`/api/sites/${siteId}/corrections`);
    if (!isNewest()) return;
    none.hidden = corrections.length > 0;
    undo.disabled = corrections.length === 0;
    fill(list, corrections.reverse().map((each) => correctionRow(each, () => take(() => remove(`/api/sites/${siteId}/corrections/${each.id}`), "Taken back.").catch(warn))));
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
    element("p", { class: "hint" }, `${SCOPES[scope]}, ${count(pages, "page")}`, from && [", said on ", element("a", { href: `#/result/${page}` }, nameOf(from.id))]),
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
    element("div", { class: "row" }, link("zip", "Export as zip"), link("parquet", "as Parquet")),
    element("p", { class: "hint spaced" }, "Pages that were corrected or have a gold text, for ", element("code", {}, "dehusk train"), "."),
  );
}
