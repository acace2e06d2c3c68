// Following work of the server: progress for all views, and a way to stop it.

import { get, post, remove } from "./api.js";
import { button, element, fill } from "./elements.js";
import { say, tell, warn } from "./notices.js";
import { count } from "./wording.js";
import { noteResults, refresh } from "./workspace.js";

const ASK = 150;
const SAY = 3000; // those who listen are not told every page
const OVER = new Set(["done", "failed", "cancelled"]);

let current = null;

export const isBusy = () => current !== null;

/** Clean sites (all, if none are given), and follow it. Resolves when it is over. */
export async function eliminate(sites = null) {
  const { job } = await post("/api/eliminate", { sites });
  return follow(job);
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
  }
  await refresh();
  report(job);
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
      place.hidden = true;
      fill(place);
    },
  };
}
