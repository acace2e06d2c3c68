// Charts of what was kept (solid) and removed (hatched).

import { drawing, element } from "./elements.js";
import { count, number, percent } from "./wording.js";
import { nameOf } from "./workspace.js";

const WIDTH = 1000;
const HEIGHT = 240;
const FOOT = 1;
const HEAD = 2; // room for the outline of the tallest column
const MOST_COLUMNS = 60; // more are too thin to read or to hit
const TENTHS = 10;

/** A column for each page of a site: its text, and how much was kept; for many pages, how many lost how much. */
export function siteChart(site, pages) {
  const shown = pages.filter((page) => page.result && !page.result.error);
  return shown.length > MOST_COLUMNS ? spreadChart(site, shown) : columnChart(site, shown);
}

function columnChart(site, shown) {
  const sorted = [...shown].sort((one, other) => other.result.characters - one.result.characters);
  const most = Math.max(1, ...sorted.map((page) => page.result.characters));
  const step = WIDTH / Math.max(12, sorted.length);
  const gap = Math.min(8, step * 0.28);
  const columns = sorted.map((page, position) => column(page, position * step + gap / 2, step - gap, most));
  const picture = drawing("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "columns", role: "img", "aria-label": labelOf(site, shown) }, hatchPattern(), columns, drawing("line", { x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT, class: "foot" }));
  return element("figure", { class: "chart" }, picture, caption(most));
}

/** Bars for tenths of the text removed, each with the number of its pages. */
function spreadChart(site, shown) {
  const counts = Array.from({ length: TENTHS }, () => 0);
  for (const { result } of shown) counts[Math.min(TENTHS - 1, Math.floor(result.removed * TENTHS))] += 1;
  const most = Math.max(...counts);
  const bars = counts.map((number, tenth) => {
    const bar = element("span", { class: "spread-bar", "aria-hidden": "true" });
    bar.style.inlineSize = `${(100 * number) / most}%`;
    return element("li", {}, element("span", { class: "range" }, `${tenth * 10}–${tenth * 10 + 10} %`), element("span", { class: "track" }, bar), element("span", { class: "figures" }, number ? count(number, "page") : ""));
  });
  return element("figure", { class: "chart" }, element("ul", { class: "spread", "aria-label": labelOf(site, shown) }, bars), element("figcaption", { class: "hint" }, `How much of their text ${count(shown.length, "page")} lost. The table has each page.`));
}

/** A bar for each site. */
export function sitesChart(sites) {
  const most = Math.max(1, ...sites.map((site) => site.totals.characters));
  return element("div", { class: "bars", role: "list" }, sites.map((site) => siteBar(site, most)));
}

function siteBar(site, most) {
  const { characters, characters_kept: kept, removed, pages } = site.totals;
  const bar = element("span", { class: "kept-bar", "aria-hidden": "true" }, element("span"));
  bar.style.inlineSize = `${(100 * characters) / most}%`;
  bar.firstChild.style.inlineSize = `${(100 * kept) / Math.max(1, characters)}%`;
  return element(
    "div",
    { role: "listitem" },
    element("a", { href: `#/eliminate/${site.id}` }, site.name),
    element("span", { class: "track" }, bar),
    element("span", { class: "figures" }, `${percent(removed)} of the text removed, ${count(pages, "page")}`),
  );
}

function column(page, x, width, most) {
  const { characters, characters_kept: after, removed } = page.result;
  const whole = ((HEIGHT - FOOT - HEAD) * characters) / most;
  const kept = ((HEIGHT - FOOT - HEAD) * Math.min(after, characters)) / most;
  const title = drawing("title", {}, `${nameOf(page.id)}: ${percent(removed)} of ${number(characters)} characters removed`);
  return drawing(
    "g",
    { class: "column", onclick: () => (location.hash = `#/result/${page.id}`) },
    drawing("rect", { x, y: HEIGHT - FOOT - whole, width, height: whole, class: "removed" }),
    drawing("rect", { x, y: HEIGHT - FOOT - kept, width, height: kept, class: "kept" }),
    title,
  );
}

function hatchPattern() {
  const stroke = drawing("path", { d: "M-2 2L2 -2M0 8L8 0M6 10L10 6", class: "hatch-line" });
  return drawing("defs", {}, drawing("pattern", { id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse" }, stroke));
}

function labelOf(site, pages) {
  return `Chart: ${count(pages.length, "page")} of ${site.name}, text kept and removed. The table has the same numbers.`;
}

function caption(most) {
  return element(
    "figcaption",
    { class: "hint" },
    element("span", {}, element("span", { class: "swatch kept" }), " kept"),
    element("span", {}, element("span", { class: "swatch noise" }), " removed"),
    element("span", {}, `tallest: ${number(most)} characters of text`),
  );
}
