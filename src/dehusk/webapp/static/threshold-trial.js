// Try another threshold on one page: the frame is shaded again while the slider moves. Nothing around the slider may
// change its size meanwhile, or it would move away from under the pointer.

import { get, put } from "./api.js";
import { button, element } from "./elements.js";
import { latest } from "./latest.js";
import { notify, warn } from "./notices.js";
import { cleanAgain } from "./undo.js";
import { decimal, percent } from "./wording.js";
import { refresh } from "./workspace.js";

/** `state.value` is the threshold that is tried, or null; `parts` are {frame, output, reload}. */
export function thresholdTrial(page, state, { frame, output, reload }) {
  const slider = element("input", { type: "range", min: 0, max: 1, step: 0.005, id: "trial", "aria-label": "Try a threshold on this page" });
  const shown = element("output", { for: "trial" });
  const use = button("Use for the site", () => settle().catch(warn));
  const back = button("Back", () => leave().catch(warn), { class: "quiet" });
  const preview = latest((value) => get(`/api/pages/${page.id}/decision`, { value }), show, warn);
  const reread = latest(() => output.load(), () => {}, warn);
  const root = element("div", { class: "row trial" }, element("label", { class: "field inline" }, element("span", {}, "Threshold"), slider), shown, use, back);
  setTrying(false);

  function show(response) {
    if (state.value === null) return;
    frame.showDecision(response.kept);
    shown.textContent = `${decimal(response.threshold)}: ${percent(response.characters ? response.characters_kept / response.characters : 0)} kept`;
  }

  function setTrying(isTrying) {
    root.classList.toggle("trying", isTrying);
    use.disabled = back.disabled = !isTrying;
    if (!isTrying) shown.textContent = "";
  }

  slider.addEventListener("input", () => {
    state.value = slider.value;
    setTrying(true);
    preview(slider.value);
    reread(slider.value);
  });
  slider.addEventListener("change", () => reload().catch(warn));

  async function settle() {
    const threshold = Number(state.value);
    await leave(false);
    await put(`/api/sites/${page.site}/settings`, { threshold });
    notify(`Threshold ${decimal(threshold)} is used for the whole site.`);
    await refresh();
    await cleanAgain(page.site);
  }

  async function leave(isReloaded = true) {
    state.value = null;
    setTrying(false);
    if (isReloaded) await reload();
  }

  get(`/api/pages/${page.id}/decision`)
    .then(({ threshold }) => threshold !== null && state.value === null && (slider.value = threshold))
    .catch(warn);
  return { root };
}
