// The threshold slider of a site, with a live preview on up to 20 pages.

import { get, put } from "./api.js";
import { button, element, fill } from "./elements.js";
import { eliminateAgain } from "./jobs.js";
import { latest } from "./latest.js";
import { announce, warn } from "./notices.js";
import { count, decimal, number, percent } from "./wording.js";
import { nameOf, refresh, siteOf } from "./workspace.js";

const USEFUL = { importance: 0.6 }; // beyond that a style tree keeps almost nothing
const STEP = 0.005;

/** The card with the slider. */
export function thresholdPart(siteId) {
  const slider = element("input", { type: "range", id: "threshold", min: 0, max: 1, step: STEP });
  const shownValue = element("output", { for: "threshold", class: "big", id: "threshold-value" });
  const share = element("output", { class: "big", id: "kept-share" });
  const meaning = element("p", { class: "hint" });
  const details = element("p", { class: "hint" });
  const automatic = button("Automatic", () => settle(null).catch(warn), { id: "automatic" });
  const samples = element("ul", { class: "samples", "aria-label": "What is kept of each sample page" });
  let moved = false;
  let shownFor = "";

  const show = (response) => {
    scale(slider, response);
    const value = response.value ?? (moved ? Number(slider.value) : meanOf(response.pages));
    if (!moved) slider.value = value;
    shownValue.textContent = response.value === null ? "automatic" : String(Number(response.value.toFixed(3)));
    share.textContent = percent(response.total.kept);
    slider.setAttribute("aria-valuetext", `${decimal(Number(slider.value), 3)}, keeps ${percent(response.total.kept)}`);
    meaning.textContent = meaningOf(response);
    details.textContent = detailsOf(response);
    showSamples(samples, response.pages);
  };
  const preview = latest((value) => get(`/api/sites/${siteId}/threshold`, { value }), show, warn);

  async function settle(value) {
    moved = false;
    const isClean = Boolean(siteOf(siteId)?.totals);
    await put(`/api/sites/${siteId}/settings`, { threshold: value });
    await refresh();
    preview(value === null ? "auto" : value);
    announce(value === null ? "The threshold is chosen automatically." : `Threshold ${value}.`);
    if (isClean) await eliminateAgain(siteId);
  }

  slider.addEventListener("input", () => {
    moved = true;
    preview(slider.value);
  });
  slider.addEventListener("change", () => settle(Number(slider.value)).catch(warn));

  const root = element(
    "section",
    { class: "card threshold", "aria-labelledby": "threshold-title" },
    element("h2", { id: "threshold-title" }, "Threshold"),
    element("div", { class: "dial" }, element("p", {}, shownValue, element("span", { class: "hint" }, " threshold")), element("p", {}, share, element("span", { class: "hint" }, " of the text kept"))),
    element("label", { class: "visually-hidden", for: "threshold" }, "Threshold"),
    slider,
    element("div", { class: "ends hint", "aria-hidden": "true" }, element("span", {}, "keeps more"), element("span", {}, "keeps less")),
    element("div", { class: "row" }, automatic),
    meaning,
    samples,
    details,
  );
  return {
    root,
    /** Load the preview again if something it depends on has changed. */
    update() {
      const site = siteOf(siteId);
      const key = JSON.stringify([site.settings, site.learnt, site.pages, site.corrections]);
      automatic.disabled = site.settings.threshold === null;
      if (key === shownFor || moved) return;
      shownFor = key;
      preview(null);
    },
  };
}

function scale(slider, response) {
  const most = USEFUL[response.kind] ?? response.maximum;
  slider.min = response.minimum;
  slider.max = most;
}

function meanOf(pages) {
  const known = pages.map((page) => page.threshold).filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : 0;
}

function meaningOf(response) {
  const learnt = response.learnt ? "" : " This method has not learnt the site yet: eliminate first.";
  return `${response.meaning[0].toUpperCase()}${response.meaning.slice(1)}.${learnt}`;
}

function detailsOf({ pages, of, total }) {
  const which = pages.length < of ? `${pages.length} of ${count(of, "page")}, a random sample` : `all ${count(of, "page")}`;
  const emptied = total.emptied ? ` ${count(total.emptied, "page")} would be left empty.` : "";
  return `Preview on ${which}: ${number(total.characters_kept)} of ${number(total.characters)} characters.${emptied}`;
}

/** Show a bar for each sample page; only widths change while the slider moves. */
function showSamples(list, pages) {
  const key = pages.map((page) => page.page).join();
  if (list.dataset.key !== key) {
    fill(list, pages.map((page) => element("li", {}, element("a", { href: `#/result/${page.page}` }, nameOf(page.page, page.name)), element("span", { class: "kept-bar", "aria-hidden": "true" }, element("span")), element("span", { class: "figures" }))));
    list.dataset.key = key;
  }
  pages.forEach((page, position) => {
    const [, bar, figures] = list.children[position].children;
    const kept = page.characters ? page.characters_kept / page.characters : 0;
    bar.firstChild.style.inlineSize = `${100 * kept}%`;
    figures.textContent = percent(kept);
    list.children[position].classList.toggle("emptied", page.characters_kept === 0);
  });
}
