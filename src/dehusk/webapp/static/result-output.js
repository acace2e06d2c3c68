// The cleaned page: as it reads, as source in a format, its metadata; copied and downloaded.

import { get, queryOf } from "./api.js";
import { loadingSign, sandboxed } from "./block-frame.js";
import { formatSelect, wanted } from "./downloads.js";
import { button, element, fill } from "./elements.js";
import { newest } from "./latest.js";
import { notify, warn } from "./notices.js";
import { tabs } from "./tabs.js";
import { count, plain } from "./wording.js";
import { choices } from "./workspace.js";

const TABS = [["reading", "Reading"], ["text", "Text"], ["markdown", "Markdown"], ["html", "HTML"], ["json", "JSON"], ["metadata", "About"]];
const CHUNKS = ["chunks", "Chunks"]; // where the server can make them
const SOURCES = new Set(["text", "markdown", "html", "json"]);
const LABELS = { title: "Title", subtitle: "Subtitle", authors: "Authors", date: "Published", modified: "Changed", site_name: "Site", language: "Language", description: "Description", url: "Address", page_type: "Type" };

// The choice is kept from page to page.
export const chosen = { format: "reading", images: false };

/** `viewAddress(view)` is the URL of a view of the page. */
export function outputPart(page, state, viewAddress) {
  const panel = element("div", { role: "tabpanel", id: "output", class: "frame", tabindex: -1 });
  const download = element("a", { class: "button", download: true, id: "download" }, "Download");
  const all = element("a", { class: "button", download: true, id: "download-all" }, "Whole site (zip)");
  const format = formatSelect("download-format", () => address());
  const begin = newest();
  const part = { root: null, load, onResult: () => {}, content: "", frame: null };
  const choose = (value) => {
    chosen.format = value;
    if (SOURCES.has(value)) format.set(value);
    load().catch(warn);
  };
  part.root = element(
    "section",
    { class: "pane", "aria-labelledby": "cleaned-title" },
    element("div", { class: "pane-bar" }, element("h2", { id: "cleaned-title" }, "Cleaned"), tabs("Formats", panel, choices.formats.includes("chunks") ? [...TABS, CHUNKS] : TABS, chosen.format, choose)),
    panel,
    element("div", { class: "row pane-foot" }, button("Copy", () => copy(part.content).catch(warn), { id: "copy" }), format.root, download, all),
  );

  function address() {
    download.href = `/api/pages/${page.id}/download${queryOf({ format: wanted.format, value: state.value })}`;
    all.href = `/api/download.zip${queryOf({ format: wanted.format, site: page.site })}`;
  }

  async function load() {
    address();
    const [shown, isNewest] = [chosen.format, begin()];
    if (!panel.firstChild) fill(panel, loadingSign("Cleaning the page …"));
    const source = SOURCES.has(shown) || shown === "chunks" ? shown : "text";
    const response = await get(`/api/pages/${page.id}/result`, { format: source, value: state.value, metadata: shown === "metadata" ? 1 : null });
    if (!isNewest()) return;
    part.content = response.content;
    part.onResult(response);
    show(shown, response);
  }

  function show(shown, response) {
    part.frame = shown === "reading" ? sandboxed("The cleaned page", viewAddress("cleaned")) : null;
    part.frame?.addEventListener("load", () => part.onFrame?.(part.frame.contentDocument));
    if (part.frame) fill(panel, part.frame);
    else if (shown === "metadata") fill(panel, metadataList(response.metadata));
    else if (shown === "chunks") fill(panel, chunkList(response.content));
    else fill(panel, element("pre", { tabindex: 0, class: `output ${shown}`, "aria-label": shown }, response.content || "Nothing was kept."));
  }
  return part;
}

/** The parts that the page's Markdown is cut into, for search and language models, each with the headings above it. */
function chunkList(lines) {
  const chunks = lines.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  if (!chunks.length) return element("p", { class: "hint padded" }, "Nothing was kept.");
  return element(
    "ol",
    { class: "chunks", tabindex: 0, "aria-label": "Chunks" },
    chunks.map(({ headings, words, text }) => element("li", {}, element("p", { class: "hint" }, headings.length > 0 && element("strong", {}, headings.join(" › ")), ` ${count(words, "word")}`), element("p", { class: "chunk-text" }, text))),
  );
}

function metadataList(metadata) {
  const rows = Object.entries(metadata ?? {}).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length));
  if (!rows.length) return element("p", { class: "hint padded" }, "The page says nothing about itself.");
  return element("dl", { class: "metadata", tabindex: 0, "aria-label": "Metadata" }, rows.map(([name, value]) => [element("dt", {}, LABELS[name] ?? capital(plain(name))), element("dd", {}, spoken(value))]));
}

function spoken(value) {
  if (Array.isArray(value)) return value.map(spoken).join(", ");
  if (value && typeof value === "object") return Object.entries(value).map(([name, each]) => `${plain(name)}: ${spoken(each)}`).join("; ");
  return String(value);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

async function copy(text) {
  await navigator.clipboard.writeText(text);
  notify("Copied.");
}
