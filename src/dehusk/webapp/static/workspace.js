// This tab's copy of the workspace, kept up to date: other tabs and programs change it too.

import { get, watchVersions } from "./api.js";
import { warn } from "./notices.js";
import { shortName } from "./wording.js";

const POLL = 2000;
const REST = 400; // between two loads, while a job keeps changing the version

const listeners = new Set();
let loading = null;
let wanted = 0;
let isReported = false;

export const workspace = { version: 0, allow_fetch: false, sites: [], pages: [], limits: {} };
export let choices = { methods: [], tools: [], missing_tools: [], formats: [], favours: [], page_types: [] };

const pagesById = new Map();
const sitesById = new Map();
const shortNames = new Map();
const fileNames = new Map();

export const pageOf = (id) => pagesById.get(id);
export const siteOf = (id) => sitesById.get(id);
/** A page's title, or its file name if it has none. */
export const nameOf = (id, name = "") => shortNames.get(id) ?? shortName(name);
/** A page's file name, without the folder that all pages of its site share. */
export const fileOf = (id) => fileNames.get(id) ?? "";
export const pagesOf = (site) => workspace.pages.filter((page) => page.site === site);

let onJob = () => {};

/** Call a listener with the id of the running job, or null, at each poll. */
export function watchJobs(listener) {
  onJob = listener;
}

/** Call a listener after each change; returns a function that removes it. */
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

/** Reload if anything has changed; concurrent calls share one request. */
export function refresh() {
  loading ??= load().finally(() => {
    loading = null;
    if (wanted > workspace.version) setTimeout(() => refresh().catch(() => {}), REST);
  });
  return loading;
}

/** Show the results of a running job before the workspace is reloaded. */
export function noteResults(rows) {
  for (const row of rows) {
    const page = pagesById.get(row.page);
    if (page) page.result = row;
  }
  if (rows.length) notifyListeners();
}

async function load() {
  const response = await get("/api/workspace", { since: workspace.version || null });
  onJob(response.job);
  if (response.changed === false) return;
  response.sites.sort((one, other) => one.name.localeCompare(other.name));
  Object.assign(workspace, response);
  index(pagesById, response.pages);
  index(sitesById, response.sites);
  nameAll(response.pages);
  notifyListeners();
}

/** Name pages by their titles, without the name of the site in them; pages without a title by their files. */
function nameAll(pages) {
  const folders = new Map();
  const endings = new Map();
  for (const { site, name, title } of pages) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    folders.set(site, folders.has(site) ? sharedFolder(folders.get(site), folder) : folder);
    const ending = endingOf(title);
    if (ending) endings.set(site + ending, (endings.get(site + ending) ?? 0) + 1);
  }
  shortNames.clear();
  fileNames.clear();
  for (const { id, site, name, title } of pages) {
    const ending = endingOf(title);
    const own = ending && endings.get(site + ending) > 1 ? title.slice(0, -ending.length) : title;
    fileNames.set(id, shortName(name.slice(folders.get(site).length)));
    shortNames.set(id, own || fileNames.get(id));
  }
}

/** The part of a title after its last separator, which often names the site: " | Kettle & Quill". */
function endingOf(title) {
  return title.match(/\s[|–—·:-]\s[^|–—·]{2,60}$/)?.[0] ?? "";
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

/** Update everything that is shown. */
export function notifyListeners() {
  for (const listener of [...listeners]) listener();
}

/** Report a missing server once, not every two seconds. */
function reportOnce(error) {
  if (!isReported) warn(error);
  isReported = true;
}

function poll() {
  setTimeout(async () => {
    if (!document.hidden) await refresh().then(() => (isReported = false), reportOnce);
    poll();
  }, POLL);
  document.onvisibilitychange = () => document.hidden || refresh().catch(() => {});
}
