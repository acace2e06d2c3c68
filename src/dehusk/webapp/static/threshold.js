// The threshold of a site: move it, and see at once what it would keep of up to 20 pages.

import { get, put } from "./api.js";
import { button, element, fill } from "./elements.js";
import { eliminateAgain } from "./jobs.js";
import { latest } from "./latest.js";
import { say, warn } from "./notices.js";
import { count, decimal, number, percent } from "./wording.js";
import { nameOf, refresh, siteOf } from "./workspace.js";

const USEFUL = { importance: 0.6 }; // beyond that a style tree keeps next to nothing
const STEP = 0.005;

/** The part of a view that holds the slider. */
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

  const show = (answer) => {
    scale(slider, answer);
    const value = answer.value ?? (moved ? Number(slider.value) : meanOf(answer.pages));
    if (!moved) slider.value = value;
    shownValue.textContent = answer.value === null ? "automatic" : String(Number(answer.value.toFixed(3)));
    share.textContent = percent(answer.total.kept);
    slider.setAttribute("aria-valuetext", `${decimal(Number(slider.value), 3)}, keeps ${percent(answer.total.kept)}`);
    meaning.textContent = meaningOf(answer);
    details.textContent = detailsOf(answer);
    showSamples(samples, answer.pages);
  };
  const ask = latest((value) => get(`/api/sites/${siteId}/threshold`, { value }), show, warn);

  async function settle(value) {
    moved = false;
    const isClean = Boolean(siteOf(siteId)?.totals);
    await put(`/api/sites/${siteId}/settings`, { threshold: value });
    await refresh();
    ask(value === null ? "auto" : value);
    say(value === null ? "The threshold is chosen automatically." : `Threshold ${value}.`);
    if (isClean) await eliminateAgain(siteId);
  }

  slider.addEventListener("input", () => {
    moved = true;
    ask(slider.value);
  });
  slider.addEventListener("change", () => settle(Number(slider.value)).catch(warn));

  const root = element(
    "section",
    { class: "card threshold", "aria-labelledby": "threshold-title" },
    element("h2", { id: "threshold-title" }, "Threshold"),
    element("div", { class: "dial" }, element("p", {}, shownValue, element("span", { class: "hint" }, " set")), element("p", {}, share, element("span", { class: "hint" }, " of the text kept"))),
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
    /** Ask again if something it depends on has changed. */
    update() {
      const site = siteOf(siteId);
      const key = JSON.stringify([site.settings, site.learnt, site.pages, site.corrections]);
      automatic.disabled = site.settings.threshold === null;
      if (key === shownFor || moved) return;
      shownFor = key;
      ask(null);
    },
  };
}

function scale(slider, answer) {
  const most = USEFUL[answer.kind] ?? answer.maximum;
  slider.min = answer.minimum;
  slider.max = most;
}

function meanOf(pages) {
  const known = pages.map((page) => page.threshold).filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : 0;
}

function meaningOf(answer) {
  const learnt = answer.learnt ? "" : " This method has not learnt the site yet: eliminate first to see what it can do.";
  return `${answer.meaning[0].toUpperCase()}${answer.meaning.slice(1)}.${learnt}`;
}

function detailsOf({ pages, of, total }) {
  const which = pages.length < of ? `${pages.length} of ${count(of, "page")}, chosen by chance` : `all ${count(of, "page")}`;
  const emptied = total.emptied ? ` ${count(total.emptied, "page")} would be left empty.` : "";
  return `Seen on ${which}: ${number(total.characters_kept)} of ${number(total.characters)} characters.${emptied}`;
}

/** The samples' bars: rows stay, and only their widths change while the slider moves. */
function showSamples(list, pages) {
  const key = pages.map((page) => page.page).join();
  if (list.dataset.key !== key) {
    fill(list, pages.map((page) => element("li", {}, element("a", { href: `#/result/${page.page}` }, nameOf(page.page, page.name)), element("span", { class: "husk-bar", "aria-hidden": "true" }, element("span")), element("span", { class: "figures" }))));
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
