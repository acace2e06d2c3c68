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
export let choices = { methods: [], tools: [], formats: [], favours: [] };

const pagesById = new Map();
const sitesById = new Map();
const shortNames = new Map();

export const pageOf = (id) => pagesById.get(id);
export const siteOf = (id) => sitesById.get(id);
/** A page's short name: without the folder that all pages of its site share. */
export const nameOf = (id, name = "") => shortNames.get(id) ?? shortName(name);
export const pagesOf = (site) => workspace.pages.filter((page) => page.site === site);

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
  if (response.changed === false) return;
  response.sites.sort((one, other) => one.name.localeCompare(other.name));
  Object.assign(workspace, response);
  index(pagesById, response.pages);
  index(sitesById, response.sites);
  nameAll(response.pages);
  notifyListeners();
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
