// Charts of what was kept (solid) and removed (hatched).

import { drawing, element } from "./elements.js";
import { bytes, count, percent } from "./wording.js";
import { nameOf } from "./workspace.js";

const WIDTH = 1000;
const HEIGHT = 240;
const FOOT = 1;
const HEAD = 2; // room for the outline of the tallest column
const MOST_COLUMNS = 500;
const DENSE = 120; // beyond this, outlines would hide the columns

/** A column for each page of a site: its size, and how much was kept. */
export function siteChart(site, pages) {
  const shown = pages.filter((page) => page.result && !page.result.error).sort((one, other) => other.result.bytes_before - one.result.bytes_before);
  const drawn = shown.slice(0, MOST_COLUMNS);
  const most = Math.max(1, ...drawn.map((page) => page.result.bytes_before));
  const step = WIDTH / Math.max(12, drawn.length);
  const gap = drawn.length > DENSE ? 0 : Math.min(8, step * 0.28);
  const columns = drawn.map((page, position) => column(page, position * step + gap / 2, step - gap, most));
  const picture = drawing("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: drawn.length > DENSE ? "columns dense" : "columns", role: "img", "aria-label": labelOf(site, shown) }, hatchPattern(), columns, drawing("line", { x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT, class: "foot" }));
  return element("figure", { class: "chart" }, picture, caption(most, shown, drawn));
}

/** A bar for each site. */
export function sitesChart(sites) {
  const most = Math.max(1, ...sites.map((site) => site.totals.bytes_before));
  return element("div", { class: "bars", role: "list" }, sites.map((site) => siteBar(site, most)));
}

function siteBar(site, most) {
  const { bytes_before: before, bytes_after: after, removed } = site.totals;
  const bar = element("span", { class: "kept-bar", "aria-hidden": "true" }, element("span"));
  bar.style.inlineSize = `${(100 * before) / most}%`;
  bar.firstChild.style.inlineSize = `${(100 * after) / Math.max(1, before)}%`;
  return element(
    "div",
    { role: "listitem" },
    element("a", { href: `#/eliminate/${site.id}` }, site.name),
    element("span", { class: "track" }, bar),
    element("span", { class: "figures" }, `${bytes(before)} to ${bytes(after)}, ${percent(removed)} removed`),
  );
}

function column(page, x, width, most) {
  const { bytes_before: before, bytes_after: after } = page.result;
  const whole = ((HEIGHT - FOOT - HEAD) * before) / most;
  const kept = ((HEIGHT - FOOT - HEAD) * Math.min(after, before)) / most;
  const title = drawing("title", {}, `${nameOf(page.id)}: ${bytes(before)} to ${bytes(after)}`);
  return drawing(
    "a",
    { href: `#/result/${page.id}`, tabindex: -1, "aria-hidden": "true" },
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
  return `Chart: ${count(pages.length, "page")} of ${site.name}, size before and after. The table has the same numbers.`;
}

function caption(most, shown, drawn) {
  return element(
    "figcaption",
    { class: "hint" },
    element("span", {}, element("span", { class: "swatch kept" }), " kept"),
    element("span", {}, element("span", { class: "swatch noise" }), " removed"),
    element("span", {}, `tallest: ${bytes(most)}`),
    shown.length > drawn.length && element("span", {}, `the ${drawn.length} largest of ${count(shown.length, "page")}`),
  );
}
