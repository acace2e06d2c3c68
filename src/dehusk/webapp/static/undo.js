// Undo: in the message after an action, by Ctrl-Z anywhere, and in the history.

import { post } from "./api.js";
import { eliminateAgain } from "./jobs.js";
import { notify, warn } from "./notices.js";
import { count, cut } from "./wording.js";
import { refresh, siteOf } from "./workspace.js";

/** Tell what was done, with a button to undo it. */
export function tellDone(message, action, details = []) {
  notify(message, details, ["Undo", () => undo(action).catch(warn)]);
}

/** Undo an action by its number, or the last one. */
export async function undo(action = null) {
  try {
    const { undone } = await post("/api/history/undo", action === null ? {} : { action });
    await refresh();
    notify(`Undone: ${entryText(undone)}.`);
    if (undone.site) await cleanAgain(undone.site);
  } catch (error) {
    if (error.code !== "conflict") throw error;
    notify(action === null ? "There is nothing to undo." : "This was already undone.");
  }
}

/** Results that a correction made old are made again, if there were any. */
export async function cleanAgain(site) {
  if (siteOf(site)?.totals) await eliminateAgain(site);
}

/** What an entry of the history did. */
export function entryText({ kind, text, count: number }) {
  if (kind === "remove") return `remove ${number === 1 ? `“${cut(text, 60)}”` : count(number, "page")}`;
  if (kind === "remove-site") return `remove ${text} (${count(number, "page")})`;
  return `${kind} “${cut(text || "a block without text", 60)}”${number > 1 ? ` and ${number - 1} more` : ""}`;
}

/** Whether a key press means undo. */
export function isUndo(event) {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
}

/** Undo by keyboard wherever no text is being edited. */
export function listenForUndo() {
  document.addEventListener("keydown", (event) => {
    if (!isUndo(event) || event.target.closest("input:not([type='checkbox'], [type='radio'], [type='range']), textarea, dialog")) return;
    event.preventDefault();
    undo().catch(warn);
  });
}
