// Pages: add, list, move and remove them.

import { patch, post, remove } from "../api.js";
import { downloadRow } from "../downloads.js";
import { button, choice, drawing, element, fill } from "../elements.js";
import { eliminate, follow, isBusy } from "../jobs.js";
import { confirmed, warn } from "../notices.js";
import { FILTERS, PageTable } from "../page-table.js";
import { filesOfDrop, filesOfInput, reportAdded, send } from "../uploads.js";
import { tellDone } from "../undo.js";
import { bytes, count, percent } from "../wording.js";
import { pagesOf, refresh, workspace } from "../workspace.js";

export function pagesView(content) {
  const selection = new Set();
  const groups = new Map();
  const list = element("div", { class: "sites" });
  const head = header();
  const bar = selectionBar(selection, update);
  const intake = intakeArea();
  const filter = filterBar(update);
  fill(content, head.root, steps(), intake.root, filter.root, bar.root, list);

  function update() {
    const known = new Set(workspace.pages.map((page) => page.id));
    for (const id of [...selection]) if (!known.has(id)) selection.delete(id);
    content.classList.toggle("empty", workspace.pages.length === 0);
    head.update();
    bar.update();
    intake.update();
    filter.update();
    showGroups(list, groups, selection, update, filter);
  }

  update();
  return { update, leave: intake.leave };
}

function header() {
  const lead = element("p", { class: "lead" });
  const title = element("h1", { tabindex: -1 });
  const go = button("Eliminate the noise", () => eliminate().catch(warn), { class: "primary", id: "eliminate" });
  const root = element("div", { class: "page-head" }, element("div", {}, title, lead), go);
  return {
    root,
    update() {
      title.textContent = workspace.pages.length ? "Pages" : "Remove boilerplate from web pages";
      go.hidden = workspace.pages.length === 0;
      go.disabled = isBusy();
      const size = workspace.pages.reduce((sum, page) => sum + page.bytes, 0);
      lead.textContent = workspace.pages.length
        ? `${count(workspace.pages.length, "page")} of ${count(workspace.sites.length, "site")}, ${bytes(size)}.`
        : "Add the pages of a site. dehusk learns their template and removes it: menus, banners, notices and everything else around the main content.";
    },
  };
}

/** What to do, for those who are here for the first time. */
function steps() {
  const step = (title, text) => element("li", {}, element("h2", {}, title), element("p", {}, text));
  return element(
    "ol",
    { class: "steps" },
    step("Add pages", "Files, a folder, a zip file or saved pages of one site or of many. The more pages of a site, the better its template is known."),
    step("Eliminate", "One button learns each site's template and removes it, with menus, banners and notices. Nothing leaves this machine."),
    step("Look and teach", "See what was kept and why. Correct a block once, and all pages follow. Take text, Markdown or a model with you."),
  );
}

/** Search and filter, and export all that is listed. */
function filterBar(changed) {
  const words = element("input", { type: "search", id: "search", placeholder: "Search: title, file or type", "aria-label": "Search pages", oninput: () => changed() });
  const kind = choice("Only", FILTERS.map(([value, text]) => [value, text]), "all", () => changed(), { id: "filter" });
  kind.classList.add("inline");
  const download = downloadRow("Download all (zip)");
  const root = element("div", { class: "row filter-bar", role: "search" }, words, kind, download);
  return {
    root,
    get words() {
      return words.value.trim();
    },
    accepts: (page) => FILTERS.find(([value]) => value === kind.querySelector("select").value)[2](page),
    update() {
      root.hidden = workspace.pages.length === 0;
      download.hidden = !workspace.sites.some((site) => site.totals);
    },
  };
}

function selectionBar(selection, changed) {
  const summary = element("span");
  const target = element("input", { type: "text", required: true, maxlength: 200, placeholder: "another site", "aria-label": "Site to move the selected pages to", id: "move-target", autocomplete: "off" });
  const root = element(
    "div",
    { class: "selection", role: "group", "aria-label": "Selected pages" },
    summary,
    element("form", { class: "move", onsubmit: (event) => move(event).catch(warn) }, target, element("button", { type: "submit", id: "move-selected" }, "Move")),
    button("Eliminate selected", () => eliminate(null, [...selection]).catch(warn), { id: "eliminate-selected" }),
    button("Remove selected", () => removeSelected().catch(warn), { id: "remove-selected" }),
    button("Clear selection", () => (selection.clear(), changed()), { class: "quiet" }),
  );

  async function move(event) {
    event.preventDefault();
    for (const id of selection) await patch(`/api/pages/${id}`, { site: target.value.trim() });
    selection.clear();
    target.value = "";
    await refresh();
    changed();
  }

  async function removeSelected() {
    const pages = [...selection];
    const { removed, action } = await post("/api/pages/remove", { pages });
    selection.clear();
    await refresh();
    changed();
    if (action) tellDone(`${count(removed, "page")} removed.`, action);
  }

  return {
    root,
    update() {
      root.hidden = selection.size === 0;
      summary.textContent = `${count(selection.size, "page")} selected`;
    },
  };
}

function intakeArea() {
  const files = element("input", { type: "file", multiple: true, class: "visually-hidden", id: "files", tabindex: -1, "aria-hidden": "true", accept: ".html,.htm,.xhtml,.xht,.shtml,.mhtml,.mht,.zip,.warc,.gz,.zst,.lz4" });
  const folder = element("input", { type: "file", webkitdirectory: true, class: "visually-hidden", id: "folder", tabindex: -1, "aria-hidden": "true" });
  const site = element("input", { type: "text", id: "site-name", placeholder: "detected automatically", maxlength: 200, autocomplete: "off" });
  const progress = element("p", { class: "sending", role: "status" });
  const sample = button("Try the sample site", () => addSample(sample).catch(warn), { id: "sample" });
  const zone = element(
    "section",
    { class: "drop", "aria-label": "Add pages" },
    picture(),
    element("p", { class: "invite" }, "Drop pages, folders or a zip file here"),
    element(
      "div",
      { class: "row" },
      button("Choose files", () => files.click(), { id: "choose-files" }),
      button("Choose a folder", () => folder.click(), { id: "choose-folder" }),
      sample,
    ),
    element("label", { class: "field inline" }, element("span", {}, "Site"), site),
    progress,
    files,
    folder,
  );

  async function take(found) {
    zone.setAttribute("aria-busy", "true");
    try {
      await send(await found, site.value.trim(), (sent, all) => (progress.textContent = `Sending ${sent} of ${all} …`));
    } finally {
      zone.removeAttribute("aria-busy");
      progress.textContent = "";
    }
  }
  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      take(filesOfInput(input.files)).catch(warn);
      input.value = "";
    });
  }
  const stopDrops = acceptDrops(zone, (transfer) => take(filesOfDrop(transfer)).catch(warn));
  const fetching = fetchForm();
  return { root: element("div", { class: "intake" }, zone, fetching.root), update: fetching.update, leave: stopDrops };
}

/** A drawing of a page: boilerplate hatched, content solid. */
function picture() {
  const box = (kind, x, y, width, height) => drawing("rect", { class: kind, x, y, width, height, rx: 2 });
  const removed = [box("removed", 8, 8, 104, 12), box("removed", 8, 26, 24, 48), box("removed", 8, 80, 104, 8)];
  const kept = [box("kept", 40, 26, 52, 7), ...[40, 48, 56].map((y) => box("kept", 40, y, 72, 4)), box("kept", 40, 64, 46, 4)];
  const hatch = drawing("pattern", { id: "drawing-hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse" }, drawing("path", { d: "M-1 1L1 -1M0 5L5 0M4 6L6 4", class: "hatch-line" }));
  return drawing("svg", { viewBox: "0 0 120 96", class: "drawing", "aria-hidden": "true" }, drawing("defs", {}, hatch), box("sheet", 1, 1, 118, 94), removed, kept);
}

async function addSample(sample) {
  sample.disabled = true;
  try {
    reportAdded(await post("/api/pages/sample"));
    await refresh();
  } finally {
    sample.disabled = false;
  }
}

/** Accept drops anywhere in the window: a file dropped beside the zone would replace the app. */
function acceptDrops(zone, take) {
  const over = (event) => {
    event.preventDefault();
    zone.classList.add("over");
  };
  const away = (event) => event.relatedTarget === null && zone.classList.remove("over");
  const drop = (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer);
  };
  const events = { dragover: over, dragleave: away, drop };
  for (const [name, listener] of Object.entries(events)) window.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(events)) window.removeEventListener(name, listener);
  };
}

function fetchForm() {
  const url = element("input", { type: "url", id: "url", required: true, placeholder: "https://", autocomplete: "off" });
  const pages = element("input", { type: "number", id: "url-pages", min: 1, max: 200, value: 1 });
  const root = element(
    "form",
    { class: "fetch", "aria-label": "Fetch pages from the web", onsubmit: (event) => submit(event).catch(warn) },
    element("label", { class: "field" }, element("span", {}, "Address of a page or site"), url),
    element("label", { class: "field" }, element("span", {}, "Most pages"), pages),
    element("button", { type: "submit" }, "Fetch"),
  );

  async function submit(event) {
    event.preventDefault();
    const { job } = await post("/api/pages/fetch", { url: url.value, pages: Number(pages.value) });
    const done = await follow(job);
    if (done.state === "done") reportAdded(done.result);
  }

  const off = element("p", { class: "hint" }, "To fetch pages from the web, start the server with ", element("code", {}, "dehusk serve --allow-fetch"), ".");
  const both = element("div", {}, root, off);
  return {
    root: both,
    update() {
      root.hidden = !workspace.allow_fetch;
      off.hidden = workspace.allow_fetch;
    },
  };
}

function showGroups(list, groups, selection, changed, filter) {
  const sites = [...workspace.sites].filter((site) => site.pages > 0);
  const wanted = new Set(sites.map((site) => site.id));
  for (const [id, group] of groups) {
    if (!wanted.has(id)) {
      group.root.remove();
      groups.delete(id);
    }
  }
  sites.forEach((site, position) => {
    let group = groups.get(site.id);
    if (!group) groups.set(site.id, (group = siteGroup(site, selection, changed)));
    group.update(site, filter);
    if (list.children[position] !== group.root) list.insertBefore(group.root, list.children[position] ?? null);
  });
}

function siteGroup(site, selection, changed) {
  const table = new PageTable(`Pages of ${site.name}`, selection, changed);
  const about = element("span", { class: "about" });
  const all = element("input", { type: "checkbox", "aria-label": `Select all pages of ${site.name}`, onchange: () => selectAll(all.checked) });
  const root = element(
    "details",
    { class: "site", open: true, dataset: { site: site.id } },
    element("summary", {}, element("h2", {}, site.name), about),
    element(
      "div",
      { class: "row site-actions" },
      element("label", { class: "tick" }, all, element("span", {}, "Select all")),
      element("a", { href: `#/eliminate/${site.id}` }, "Settings and chart"),
      element("a", { href: `#/template/${site.id}` }, "Template"),
      button("Remove site", () => removeSite(site).catch(warn), { class: "quiet" }),
    ),
    table.root,
  );

  function selectAll(isSelected) {
    for (const page of pagesOf(site.id)) isSelected ? selection.add(page.id) : selection.delete(page.id);
    changed();
  }

  return {
    root,
    update(now, filter) {
      const pages = pagesOf(site.id);
      const chosen = pages.filter((page) => selection.has(page.id)).length;
      all.checked = chosen === pages.length;
      all.indeterminate = chosen > 0 && chosen < pages.length;
      const removed = now.totals ? `, ${percent(now.totals.removed)} of the text removed` : "";
      about.textContent = `${count(pages.length, "page")}, ${bytes(now.bytes)} of html${removed}`;
      table.wanted = filter.words;
      table.show(pages.filter(filter.accepts));
      root.hidden = table.rows.size === 0 && pages.length > 0;
    },
  };
}

async function removeSite(site) {
  const question = `Remove ${site.name} with its ${count(site.pages, "page")}, model and corrections?`;
  if (!(await confirmed(question, "Remove"))) return;
  const { action } = await remove(`/api/sites/${site.id}`);
  await refresh();
  tellDone(`${site.name} removed.`, action);
}
