// What this tab knows of the workspace, and keeping it up to date: other tabs and programs change it, too.

import { get, watchVersions } from "./api.js";
import { warn } from "./notices.js";
import { shortName } from "./wording.js";

const POLL = 2000;
const REST = 400; // between two loads, while a job makes a new version every moment

const listeners = new Set();
let loading = null;
let wanted = 0;
let isTold = false;

export const workspace = { version: 0, allow_fetch: false, sites: [], pages: [], limits: {} };
export let choices = { methods: [], tools: [], formats: [], favours: [] };

const pagesById = new Map();
const sitesById = new Map();
const shortNames = new Map();

export const pageOf = (id) => pagesById.get(id);
export const siteOf = (id) => sitesById.get(id);
/** A page's name as people know it: without the folder that all pages of its site are in. */
export const nameOf = (id, name = "") => shortNames.get(id) ?? shortName(name);
export const pagesOf = (site) => workspace.pages.filter((page) => page.site === site);

/** Be called after each change; gives a function that ends it. */
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function begin() {
  choices = await get("/api/choices");
  await load();
  watchVersions((version) => {
    wanted = Math.max(wanted, version);
    if (version > workspace.version) refresh().catch(() => {});
  });
  poll();
}

/** Load anew if anything has changed; calls while one is under way share it. */
export function refresh() {
  loading ??= load().finally(() => {
    loading = null;
    if (wanted > workspace.version) setTimeout(() => refresh().catch(() => {}), REST);
  });
  return loading;
}

/** Results of a job, before the workspace is loaded again. */
export function noteResults(rows) {
  for (const row of rows) {
    const page = pagesById.get(row.page);
    if (page) page.result = row;
  }
  if (rows.length) tellAll();
}

async function load() {
  const answer = await get("/api/workspace", { since: workspace.version || null });
  if (answer.changed === false) return;
  answer.sites.sort((one, other) => one.name.localeCompare(other.name));
  Object.assign(workspace, answer);
  index(pagesById, answer.pages);
  index(sitesById, answer.sites);
  nameAll(answer.pages);
  tellAll();
}

function nameAll(pages) {
  const folders = new Map();
  for (const { site, name } of pages) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    folders.set(site, folders.has(site) ? sharedFolder(folders.get(site), folder) : folder);
  }
  shortNames.clear();
  for (const { id, site, name } of pages) shortNames.set(id, shortName(name.slice(folders.get(site).length)));
}

function sharedFolder(one, other) {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  return one.slice(0, one.lastIndexOf("/", end - 1) + 1);
}

function index(map, values) {
  map.clear();
  for (const value of values) map.set(value.id, value);
}

/** Have all that is shown look again. */
export function tellAll() {
  for (const listener of [...listeners]) listener();
}

/** A server that is gone is told of once, not every two seconds. */
function complain(error) {
  if (!isTold) warn(error);
  isTold = true;
}

function poll() {
  setTimeout(async () => {
    if (!document.hidden) await refresh().then(() => (isTold = false), complain);
    poll();
  }, POLL);
  document.onvisibilitychange = () => document.hidden || refresh().catch(() => {});
}
