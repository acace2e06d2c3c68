// The app: routing between views, and what all views share.

import { element, fill } from "./elements.js";
import { findRunning, noticeJob } from "./jobs.js";
import { warn } from "./notices.js";
import { partsOfAddress } from "./routes.js";
import { compareView } from "./views/compare.js";
import { eliminateView } from "./views/eliminate.js";
import { labelView } from "./views/label.js";
import { pagesView } from "./views/pages.js";
import { resultView } from "./views/result.js";
import { teachView } from "./views/teach.js";
import { templateView } from "./views/template.js";
import { listenForUndo } from "./undo.js";
import { begin, pageOf, siteOf, watch, watchJobs, workspace } from "./workspace.js";

// `show(content, parts of the address)` returns {update(), leave()}.
const VIEWS = {
  pages: { show: pagesView, title: "Pages", about: "none" },
  eliminate: { show: eliminateView, title: "Eliminate", about: "site" },
  result: { show: resultView, title: "Result", about: "page" },
  template: { show: templateView, title: "Template", about: "site" },
  teach: { show: teachView, title: "Teach", about: "site" },
  label: { show: labelView, title: "Label", about: "page" },
  compare: { show: compareView, title: "Compare", about: "page" },
};

const content = document.getElementById("content");
const last = { page: sessionStorage.getItem("page"), site: sessionStorage.getItem("site") };
let shown = null;

function route() {
  const [name, ...rest] = partsOfAddress();
  const view = VIEWS[name];
  if (!view) return location.replace("#/pages");
  if (shown?.name === name && shown.view.move?.(rest)) return remember(name, rest);
  if (view.about !== "none" && !rest[0]) {
    const known = lastViewed(view.about);
    if (known) return location.replace(`#/${name}/${known}`);
  }
  shown?.view.leave?.();
  window.scrollTo(0, 0);
  const isFirst = shown === null;
  content.className = `view-${name}`;
  fill(content);
  shown = { name, about: rest[0], view: isMissing(view, rest[0]) ? missingView(view) : view.show(content, rest) };
  remember(name, rest);
  if (!isFirst) (content.querySelector("h1") ?? content).focus({ preventScroll: true });
}

/** The page or site viewed last, else the first. */
function lastViewed(about) {
  if (about === "page") {
    const inSite = workspace.pages.find((page) => page.site === last.site && page.result) ?? workspace.pages.find((page) => page.site === last.site);
    return (pageOf(last.page) ?? inSite ?? workspace.pages[0])?.id;
  }
  return (siteOf(last.site) ?? workspace.sites[0])?.id;
}

function isMissing(view, id) {
  if (view.about === "none") return false;
  return view.about === "page" ? !pageOf(id) : !siteOf(id);
}

function missingView(view) {
  const isEmpty = workspace.pages.length === 0;
  fill(
    content,
    element("h1", { tabindex: -1 }, view.title),
    element("p", { class: "lead" }, isEmpty ? "There are no pages yet." : `That ${view.about} no longer exists.`),
    element("p", {}, element("a", { class: "button", href: isEmpty ? "#/pages" : `#/${view.title.toLowerCase()}` }, isEmpty ? "Add pages" : "Show another")),
  );
  return { isMissingView: true, update: () => (isMissing(view, partsOfAddress()[1]) ? undefined : restart()) };
}

function restart() {
  shown = null;
  route();
}

/** Make the links to views lead to what was viewed last. */
function remember(name, [id]) {
  document.title = `${VIEWS[name].title} · dehusk`;
  if (VIEWS[name].about === "page" && pageOf(id)) Object.assign(last, { page: id, site: pageOf(id).site });
  if (VIEWS[name].about === "site" && siteOf(id)) {
    if (pageOf(last.page)?.site !== id) last.page = null;
    last.site = id;
  }
  for (const [key, value] of Object.entries(last)) value ? sessionStorage.setItem(key, value) : sessionStorage.removeItem(key);
  for (const link of document.querySelectorAll("#views a")) {
    const known = lastViewed(VIEWS[link.dataset.view].about);
    link.href = VIEWS[link.dataset.view].about === "none" || !known ? `#/${link.dataset.view}` : `#/${link.dataset.view}/${known}`;
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function onChange() {
  const [name, ...rest] = partsOfAddress();
  const view = VIEWS[name];
  if (!view || !shown) return;
  if (view.about !== "none" && !rest[0]) return restart();
  if (!shown.view.isMissingView && isMissing(view, rest[0])) return restart();
  shown.view.update?.();
  remember(name, rest);
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  content.focus();
});
// A file dropped outside the drop zone must not replace the app.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("unhandledrejection", (event) => warn(event.reason));

try {
  await begin();
  watch(onChange);
  watchJobs(noticeJob);
  listenForUndo();
  window.addEventListener("hashchange", route);
  route();
  await findRunning();
} catch (error) {
  warn(error);
}
