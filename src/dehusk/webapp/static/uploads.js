// Files and folders that people drop or choose, sent in portions that the server takes.

import { post } from "./api.js";
import { tell, warn } from "./notices.js";
import { bytes, count, cut } from "./wording.js";
import { refresh, workspace } from "./workspace.js";

const TAKEN = /\.(html?|xhtml|xht|shtml|mhtml|mht|zip)$/i;
const PORTION = { bytes: 16e6, files: 400 }; // small enough for progress to be seen
const MOST_TOLD = 5;

/** Everything in a drop, folders and what is below them included, as [{name, file}]. */
export async function filesOfDrop(transfer) {
  // Entries are only there until the event is over: ask for all of them before waiting for any.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return filesOfInput(transfer.files);
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

/** What was chosen with an input of files or of a folder. */
export function filesOfInput(files) {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** Send them; `onProgress` gets how many of how many are sent. */
export async function send(found, site, onProgress) {
  const pages = found.filter(({ name }) => TAKEN.test(name));
  const skipped = found.length - pages.length;
  const sum = { added: 0, known: 0, skipped: skipped ? [`${count(skipped, "file")} left out: not html, mhtml or zip`] : [] };
  let sent = 0;
  for (const portion of portionsOf(pages.filter((page) => fits(page)))) {
    onProgress(sent, pages.length);
    add(sum, await post("/api/pages", formOf(portion, site)));
    sent += portion.length;
  }
  await refresh();
  report(sum);
  return sum;
}

/** Tell what became of pages that were added. */
export function reportAdded(answer) {
  const sum = { added: 0, known: 0, skipped: [] };
  add(sum, answer);
  report(sum);
}

function fits({ name, file }) {
  const most = workspace.limits.request_bytes;
  if (!most || file.size < most) return true;
  warn({
    code: "too-large",
    message: `${name} has ${bytes(file.size)}, and no more than ${bytes(most)} are taken at once.`,
    remedy: "Send less at once, or give the file to dehusk serve on the command line.",
  });
  return false;
}

async function collect(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    found.push({ name: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = entry.createReader();
  // A reader gives a part of the folder at a time, and nothing when there is no more.
  for (;;) {
    const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!entries.length) return;
    for (const each of entries) await collect(each, found);
  }
}

function* portionsOf(pages) {
  let portion = [];
  let size = 0;
  for (const page of pages) {
    if (portion.length && (size + page.file.size > PORTION.bytes || portion.length >= PORTION.files)) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(page);
    size += page.file.size;
  }
  if (portion.length) yield portion;
}

function formOf(portion, site) {
  const form = new FormData();
  if (site) form.append("site", site);
  for (const { name, file } of portion) form.append("file", file, name);
  return form;
}

function add(sum, answer) {
  sum.added += answer.added.length;
  sum.known += answer.known.length;
  sum.skipped.push(...answer.skipped.map(({ name, reason }) => `${cut(name, 80)}: ${reason}`));
}

function report({ added, known, skipped }) {
  const parts = [added && `${count(added, "page")} added`, known && `${number(known)} already here`].filter(Boolean);
  const details = skipped.slice(0, MOST_TOLD);
  if (skipped.length > MOST_TOLD) details.push(`and ${skipped.length - MOST_TOLD} more`);
  tell(parts.length ? `${parts.join(", ")}.` : "No pages added.", details);
}

function number(known) {
  return known === 1 ? "1 was" : `${known} were`;
}
