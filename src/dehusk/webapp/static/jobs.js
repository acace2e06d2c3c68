// Following work of the server: progress for all views, and a way to stop it.

import { get, post, remove } from "./api.js";
import { button, element, fill } from "./elements.js";
import { say, tell, warn } from "./notices.js";
import { count } from "./wording.js";
import { noteResults, refresh, tellAll } from "./workspace.js";

const ASK = 150;
const SAY = 3000; // those who listen are not told every page
const OVER = new Set(["done", "failed", "cancelled"]);

let current = null;
const waiting = new Set(); // sites to be cleaned again when the job that runs is over

export const isBusy = () => current !== null;

/** Clean sites (all, if none are given), and follow it. Resolves when it is over. */
export async function eliminate(sites = null) {
  current ??= "asked";
  try {
    const { job } = await post("/api/eliminate", { sites });
    current = null;
    return await follow(job);
  } finally {
    if (current === "asked") current = null;
  }
}

/** Clean a site again because a setting has changed; while a job runs, changes are gathered and done once. */
export async function eliminateAgain(site) {
  waiting.add(site);
  if (!isBusy()) await eliminateWaiting();
}

async function eliminateWaiting() {
  const sites = [...waiting];
  waiting.clear();
  if (sites.length) await eliminate(sites);
}

/** Find what another tab, or this one before it was loaded again, has started. */
export async function findRunning() {
  const { jobs } = await get("/api/jobs");
  const job = jobs.find((each) => !OVER.has(each.state));
  if (job) follow(job).catch(warn);
}

/** Show a job's progress until it is over. */
export async function follow(job) {
  current = job.id;
  tellAll();
  const bar = progressBar(job);
  let rows = 0;
  try {
    while (!OVER.has(job.state)) {
      await new Promise((done) => setTimeout(done, ASK));
      job = await get(`/api/jobs/${job.id}`, { after: rows });
      rows += job.rows.length;
      noteResults(job.rows);
      bar.show(job);
    }
  } finally {
    if (current === job.id) current = null;
    bar.close();
    tellAll();
  }
  await refresh();
  report(job);
  if (!isBusy()) eliminateWaiting().catch(warn);
  return job;
}

function report(job) {
  if (job.state === "failed") warn({ message: job.error, code: "job" });
  else if (job.state === "cancelled") tell("Stopped. What was done stays.");
  else if (job.kind === "eliminate") say(`Done: ${count(job.done, "page")} cleaned.`);
}

function progressBar(job) {
  const place = document.getElementById("job");
  const meter = element("progress", { max: 1, "aria-label": "Progress" });
  const step = element("span", { class: "step" });
  const figures = element("span", { class: "figures" });
  const stop = button("Cancel", () => remove(`/api/jobs/${job.id}`).catch(warn), { class: "quiet", id: "cancel" });
  let said = 0;
  fill(place, step, meter, figures, stop);
  place.dataset.job = job.id;
  place.hidden = false;
  say(job.kind === "fetch" ? "Fetching pages." : "Cleaning pages.");
  return {
    show(now) {
      step.textContent = now.step || "waiting";
      meter.value = now.total ? now.done / now.total : 0;
      figures.textContent = now.total ? `${now.done} of ${now.total}` : "";
      if (Date.now() - said > SAY) {
        said = Date.now();
        say(`${now.step}: ${now.done} of ${now.total}`);
      }
    },
    close() {
      if (place.dataset.job !== job.id) return; // another has taken its place
      place.hidden = true;
      fill(place);
    },
  };
}
