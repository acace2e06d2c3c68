// Notices at the bottom of the window: errors with their remedy, and confirmations, some with a button to undo.

import { button, element } from "./elements.js";

const SHOWN = 6000;
const WITH_ACTION = 12_000; // long enough to read what was done and to change one's mind
const MOST = 4;

/** Show a message that disappears by itself. `action` is [label, listener]. */
export function notify(message, details = [], action = null) {
  const shown = show({ message, details, action });
  const time = details.length ? 3 * SHOWN : action ? WITH_ACTION : SHOWN;
  const expire = () => (shown.matches(":hover, :focus-within") ? setTimeout(expire, SHOWN) : shown.remove());
  setTimeout(expire, time);
}

/** Show an error until it is closed. */
export function warn(error) {
  if (error?.name === "AbortError") return;
  if (!error?.remedy && !error?.code) console.error(error);
  show({ message: error.message || String(error), remedy: error.remedy || "", isError: true });
}

/** Ask before an action with large effects; resolves to true or false. */
export function confirmed(question, action) {
  return new Promise((resolve) => {
    const dialog = element(
      "dialog",
      { "aria-label": question, onclose: () => (dialog.remove(), resolve(dialog.returnValue === "yes")) },
      element("p", {}, question),
      element("div", { class: "row" }, button("Cancel", () => dialog.close("no")), button(action, () => dialog.close("yes"), { class: "primary", id: "confirm" })),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Announce a message to screen readers. */
export function announce(message) {
  document.getElementById("spoken").textContent = message;
}

function show({ message, remedy = "", details = [], action = null, isError = false }) {
  const place = document.getElementById("notices");
  const text = `${message}\n${remedy}`;
  for (const other of [...place.children]) if (other.dataset.text === text || (action && other.dataset.action)) other.remove();
  const notice = element(
    "div",
    { class: isError ? "notice error" : "notice", role: isError ? "alert" : "status", dataset: { text, ...(action && { action: action[0] }) } },
    element(
      "div",
      {},
      element("p", { class: "message" }, isError && element("strong", {}, "Error: "), message),
      remedy && element("p", { class: "remedy" }, remedy),
      details.length > 0 && element("ul", {}, details.map((detail) => element("li", {}, detail))),
    ),
    action && button(action[0], () => (notice.remove(), action[1]()), { class: "quiet action" }),
    button("Close", () => notice.remove(), { class: "quiet" }),
  );
  place.append(notice);
  while (place.children.length > MOST) place.firstElementChild.remove();
  return notice;
}
