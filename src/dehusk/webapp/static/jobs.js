// Background jobs: progress in all views, and a button to cancel.

import { get, post, remove } from "./api.js";
import { button, element, fill } from "./elements.js";
import { announce, notify, warn } from "./notices.js";
import { count, duration } from "./wording.js";
import { noteResults, refresh, notifyListeners } from "./workspace.js";

const POLL = 150;
const ANNOUNCE = 3000; // screen readers do not announce every page
const OVER = new Set(["done", "failed", "cancelled"]);

let current = null;
const waiting = new Set(); // sites to clean again when the running job is over

export const isBusy = () => current !== null;

/** Follow a job that another tab or program started; `id` is that of the running job, or null. */
export function noticeJob(id) {
  if (id && !isBusy()) findRunning().catch(warn);
}

/** Clean sites (by default all), or only some pages, and show progress. Resolves when the job is over. */
export async function eliminate(sites = null, pages = null) {
  current ??= "starting";
  try {
    const { job } = await post("/api/eliminate", pages ? { pages } : { sites });
    current = null;
    return await follow(job);
  } finally {
    if (current === "starting") current = null;
  }
}

/** Clean a site again after a change of settings; changes during a job are collected and applied once. */
export async function eliminateAgain(site) {
  waiting.add(site);
  if (!isBusy()) await eliminateWaiting();
}

async function eliminateWaiting() {
  const sites = [...waiting];
  waiting.clear();
  if (sites.length) await eliminate(sites);
}

/** Follow a job started by another tab, or by this one before a reload. */
export async function findRunning() {
  const { jobs } = await get("/api/jobs");
  const job = jobs.find((each) => !OVER.has(each.state));
  if (job) follow(job).catch(warn);
}

/** Show a job's progress until it is over. */
export async function follow(job) {
  current = job.id;
  notifyListeners();
  const bar = progressBar(job);
  let rows = 0;
  try {
    while (!OVER.has(job.state)) {
      await new Promise((done) => setTimeout(done, POLL));
      job = await get(`/api/jobs/${job.id}`, { after: rows });
      rows += job.rows.length;
      noteResults(job.rows);
      bar.show(job);
    }
  } finally {
    if (current === job.id) current = null;
    bar.close();
    notifyListeners();
  }
  await refresh();
  report(job);
  if (!isBusy()) eliminateWaiting().catch(warn);
  return job;
}

function report(job) {
  if (job.state === "failed") warn({ message: job.error, code: "job" });
  else if (job.state === "cancelled") notify("Stopped. Finished pages keep their results.");
  else if (job.kind === "eliminate") announce(`Done: ${count(job.result.pages, "page")} cleaned in ${duration(job.seconds)}.`);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function progressBar(job) {
  const place = document.getElementById("job");
  const meter = element("progress", { max: 1, "aria-label": "Progress" });
  const step = element("span", { class: "step" });
  const figures = element("span", { class: "figures" });
  const stop = button("Cancel", () => remove(`/api/jobs/${job.id}`).catch(warn), { class: "quiet", id: "cancel" });
  let announced = 0;
  fill(place, step, meter, figures, stop);
  place.dataset.job = job.id;
  place.hidden = false;
  announce({ fetch: "Fetching pages.", train: "Training." }[job.kind] ?? "Cleaning pages.");
  return {
    show(now) {
      step.textContent = now.step ? capital(now.step) : "Waiting for another job";
      meter.value = now.total ? now.done / now.total : 0;
      const pages = now.step_total ? `page ${now.step_done} of ${now.step_total}` : now.total ? `page ${now.done} of ${now.total}` : "";
      figures.textContent = [pages, now.remaining > 1 && `about ${duration(now.remaining)} left`].filter(Boolean).join(", ");
      if (Date.now() - announced > ANNOUNCE) {
        announced = Date.now();
        announce(`${now.step}: ${figures.textContent}`);
      }
    },
    close() {
      if (place.dataset.job !== job.id) return; // another job uses the bar now
      place.hidden = true;
      fill(place);
    },
  };
}
