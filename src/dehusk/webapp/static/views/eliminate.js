// Eliminate: the settings of a site, and how much was removed.

import { put } from "../api.js";
import { siteChart, sitesChart } from "../charts.js";
import { downloadRow } from "../downloads.js";
import { button, choice, element, fill, setOptions, tick } from "../elements.js";
import { eliminate, eliminateAgain, isBusy } from "../jobs.js";
import { warn } from "../notices.js";
import { PageTable } from "../page-table.js";
import { thresholdPart } from "../threshold.js";
import { bytes, count, decimal, duration, milliseconds, number, percent, plain } from "../wording.js";
import { choices, nameOf, pagesOf, refresh, siteOf, workspace } from "../workspace.js";

export function eliminateView(content, [siteId]) {
  const head = header(siteId);
  const totals = element("section", { class: "totals", "aria-label": "Totals" });
  const download = downloadRow("Download the site (zip)", siteId);
  const first = element("section", { class: "card first-look", "aria-labelledby": "first-title" });
  const overview = element("section", { class: "card", "aria-labelledby": "overview-title" });
  const chart = element("section", { class: "card", "aria-labelledby": "chart-title" });
  const settings = settingsPart(siteId);
  const threshold = thresholdPart(siteId);
  const table = new PageTable(`Results of ${siteOf(siteId).name}`);
  let drawn = null;
  fill(
    content,
    head.root,
    totals,
    download,
    first,
    element(
      "div",
      { class: "bench" },
      element("div", { class: "side" }, settings.root, threshold.root),
      element("div", { class: "wide" }, overview, chart, element("section", { "aria-label": "Pages" }, table.root)),
    ),
  );

  function update() {
    const site = siteOf(siteId);
    const pages = pagesOf(siteId);
    head.update();
    settings.update(site);
    threshold.update();
    showTotals(totals, site);
    download.hidden = !site.totals;
    showFirst(first, site, pages);
    showOverview(overview);
    const key = pages.map((page) => `${page.id}${page.result?.bytes_after}`).join();
    if (key !== drawn) showChart(chart, site, pages);
    drawn = key;
    table.show(pages);
  }

  update();
  return { update };
}

function header(siteId) {
  const select = choice("Site", [], siteId, (id) => (location.hash = `#/eliminate/${id}`));
  const one = button("Eliminate the noise", () => eliminate([siteId]).catch(warn), { class: "primary", id: "eliminate" });
  const all = button("All sites", () => eliminate().catch(warn), { id: "eliminate-all" });
  const lead = element("p", { class: "lead" });
  return {
    root: element("div", { class: "page-head" }, element("div", {}, element("h1", { tabindex: -1 }, "Eliminate"), lead), element("div", { class: "row" }, select, one, all)),
    update() {
      const site = siteOf(siteId);
      select.hidden = all.hidden = workspace.sites.length < 2;
      one.disabled = all.disabled = isBusy();
      setOptions(select.querySelector("select"), workspace.sites.map((each) => [each.id, each.name]), siteId);
      lead.textContent = leadOf(site);
    },
  };
}

function leadOf({ name, learnt, totals }) {
  if (!totals) return `Learn the template of ${name} and remove it.`;
  if (totals.stale) return `${count(totals.stale, "result")} of ${name} ${totals.stale === 1 ? "is" : "are"} older than the settings.`;
  return learnt?.knows_a_template && !learnt.distrust ? `${name}, with a template learnt from ${count(learnt.pages, "page")}.` : `${name}, each page on its own.`;
}

function showTotals(place, { totals, seconds }) {
  if (!totals) return fill(place);
  const figures = [
    [percent(totals.removed), "of the text removed"],
    [number(totals.pages), totals.pages === 1 ? "page" : "pages"],
    seconds !== null && [duration(seconds), "for all, learning included"],
    [milliseconds(totals.ms / totals.pages), "a page"],
    [`${bytes(totals.bytes_before)} → ${bytes(totals.bytes_after)}`, "html to text"],
    totals.failed && [number(totals.failed), "failed"],
  ];
  return fill(place, figures.filter(Boolean).map(([figure, what]) => element("p", {}, element("strong", {}, figure), " ", element("span", {}, what))));
}

/** What to look at first, and what to do next. */
function showFirst(place, site, pages) {
  const good = pages.filter(({ result }) => result && !result.error);
  place.hidden = good.length === 0;
  const least = good.filter(({ result }) => result.confidence !== null).sort((one, other) => one.result.confidence - other.result.confidence).slice(0, 3);
  const most = [...good].sort((one, other) => other.result.removed - one.result.removed).slice(0, 3);
  const changed = good.filter(({ result }) => result.changed_by_site).sort((one, other) => other.result.changed_by_site - one.result.changed_by_site).slice(0, 3);
  const list = (title, chosen, figure) => chosen.length > 0 && element("div", {}, element("h3", {}, title), element("ul", {}, chosen.map((page) => element("li", {}, element("a", { href: `#/result/${page.id}` }, nameOf(page.id)), element("span", { class: "hint" }, ` ${figure(page.result)}`)))));
  const [look] = least.length ? least : most;
  fill(
    place,
    element("h2", { id: "first-title" }, "Look at these first"),
    element("div", { class: "first-lists" }, list("Lowest confidence", least, (result) => decimal(result.confidence)), list("Most removed", most, (result) => percent(result.removed)), list("Most changed by the site", changed, (result) => count(result.changed_by_site, "block"))),
    look && element("p", { class: "row next-steps" }, element("span", { class: "hint" }, "Then:"), element("a", { href: `#/result/${look.id}` }, "see and correct"), element("a", { href: `#/label/${look.id}` }, "label pages"), element("a", { href: `#/teach/${site.id}` }, "take the model")),
  );
}

function showOverview(place) {
  const done = workspace.sites.filter((site) => site.totals);
  place.hidden = done.length < 2;
  fill(place, element("h2", { id: "overview-title" }, "All sites"), done.length > 1 && sitesChart(done));
}

function showChart(place, site, pages) {
  const hasResults = pages.some((page) => page.result);
  place.hidden = !hasResults;
  fill(place, element("h2", { id: "chart-title" }, "Text kept and removed"), hasResults && siteChart(site, pages));
}

function settingsPart(siteId) {
  const change = (what) => set(siteId, what).catch(warn);
  const method = choice("Method", choices.methods.map(({ name }) => [name, plain(name)]), "", (value) => change({ method: value }), { id: "method" });
  const favour = choice("When in doubt", [["precision", "drop it (precision)"], ["balanced", "balance"], ["recall", "keep it (recall)"]], "", (value) => change({ favour: value }), { id: "favour" });
  const comments = tick("Keep readers' comments", false, (value) => change({ comments: value }), { id: "comments" });
  const summary = element("p", { class: "hint" });
  const sample = element("input", { type: "number", id: "learn-from", min: 2, max: 200, onchange: () => change({ learn_from: Number(sample.value) }) });
  const learnt = element("details", { class: "learnt" });
  const root = element("section", { class: "card settings", "aria-labelledby": "settings-title" }, element("h2", { id: "settings-title" }, "Method"), element("div", { class: "stack" }, method, summary, favour, comments, element("label", { class: "field" }, element("span", {}, "Pages to learn from, at most"), sample), learnt));
  return {
    root,
    update({ settings, learnt: model }) {
      if (document.activeElement !== sample) sample.value = settings.learn_from;
      showLearnt(learnt, model);
      const chosen = choices.methods.find(({ name }) => name === settings.method);
      method.querySelector("select").value = settings.method;
      favour.querySelector("select").value = settings.favour;
      comments.querySelector("input").checked = settings.comments;
      favour.hidden = comments.hidden = !chosen?.judges_pages;
      summary.textContent = chosen?.summary ?? "";
    },
  };
}

/** What the site taught, from which pages, and whether it is used. */
function showLearnt(place, model) {
  place.hidden = !model;
  const key = JSON.stringify(model);
  if (!model || place.dataset.key === key) return;
  place.dataset.key = key;
  const trust = model.distrust ? `Not trusted, each page is judged on its own: ${model.distrust}.` : model.knows_a_template ? "Its template is known and used." : "They are too few or too different: each page is judged on its own.";
  fill(place, element("summary", {}, `Learnt from ${count(model.pages, "page")}`), element("p", { class: "hint" }, trust, model.current ? "" : " Pages or settings have changed since."), element("ul", {}, model.from.slice(0, 200).map((id) => element("li", {}, element("a", { href: `#/result/${id}` }, nameOf(id, "a removed page"))))));
}

/** Change a setting, and clean the site again if it was clean. */
async function set(siteId, what) {
  const isClean = Boolean(siteOf(siteId).totals);
  try {
    await put(`/api/sites/${siteId}/settings`, what);
  } finally {
    await refresh();
  }
  if (isClean) await eliminateAgain(siteId);
}
