// Upload dropped or chosen files and folders, in batches that the server accepts.

import { post } from "./api.js";
import { notify, warn } from "./notices.js";
import { bytes, count, cut } from "./wording.js";
import { refresh, workspace } from "./workspace.js";

const ACCEPTED = /\.(html?|xhtml|xht|shtml|mhtml|mht|zip|css|warc|warc\.(gz|zst|lz4))$/i; // style sheets, to show pages as they look
const BATCH = { bytes: 16e6, files: 400 }; // small enough to show progress
const MOST_LISTED = 5;

/** All files in a drop, including those in folders, as [{name, file}]. */
export async function filesOfDrop(transfer) {
  // Entries are only valid during the event: get all of them before awaiting any.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return filesOfInput(transfer.files);
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

/** The files chosen with a file or folder input. */
export function filesOfInput(files) {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** Upload files; `onProgress` gets the number sent and the total. */
export async function send(found, site, onProgress) {
  const pages = found.filter(({ name }) => ACCEPTED.test(name));
  const skipped = found.length - pages.length;
  const sum = { added: 0, known: 0, skipped: skipped ? [`${count(skipped, "file")} skipped: not HTML, MHTML, WARC or zip`] : [] };
  let sent = 0;
  for (const batch of batchesOf(pages.filter((page) => fits(page)))) {
    onProgress(sent, pages.length);
    add(sum, await post("/api/pages", formOf(batch, site)));
    sent += batch.length;
  }
  await refresh();
  report(sum);
  return sum;
}

/** Report which pages were added. */
export function reportAdded(response) {
  const sum = { added: 0, known: 0, skipped: [] };
  add(sum, response);
  report(sum);
}

function fits({ name, file }) {
  const most = workspace.limits.request_bytes;
  if (!most || file.size < most) return true;
  warn({
    code: "too-large",
    message: `${name} has ${bytes(file.size)}; the limit for one upload is ${bytes(most)}.`,
    remedy: "Send less at once, or pass the file to dehusk serve on the command line.",
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
  // A reader returns part of the folder at a time, and nothing at the end.
  for (;;) {
    const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!entries.length) return;
    for (const each of entries) await collect(each, found);
  }
}

function* batchesOf(pages) {
  let batch = [];
  let size = 0;
  for (const page of pages) {
    if (batch.length && (size + page.file.size > BATCH.bytes || batch.length >= BATCH.files)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(page);
    size += page.file.size;
  }
  if (batch.length) yield batch;
}

function formOf(batch, site) {
  const form = new FormData();
  if (site) form.append("site", site);
  for (const { name, file } of batch) form.append("file", file, name);
  return form;
}

function add(sum, response) {
  sum.added += response.added.length;
  sum.known += response.known.length;
  sum.skipped.push(...response.skipped.map(({ name, reason }) => `${cut(name, 80)}: ${reason}`));
}

function report({ added, known, skipped }) {
  const parts = [added && `${count(added, "page")} added`, known && `${number(known)} already there`].filter(Boolean);
  const details = skipped.slice(0, MOST_LISTED);
  if (skipped.length > MOST_LISTED) details.push(`and ${skipped.length - MOST_LISTED} more`);
  notify(parts.length ? `${parts.join(", ")}.` : "No pages added.", details);
}

function number(known) {
  return known === 1 ? "1 was" : `${known} were`;
}
