// Notices at the bottom of the window: errors with their remedy, and confirmations.

import { button, element } from "./elements.js";

const SHOWN = 6000;
const MOST = 4;

/** Show a message that disappears by itself. */
export function notify(message, details = []) {
  const shown = show(message, "", details, false);
  setTimeout(() => shown.remove(), details.length ? 3 * SHOWN : SHOWN);
}

/** Show an error until it is closed. */
export function warn(error) {
  if (error?.name === "AbortError") return;
  if (!error?.remedy && !error?.code) console.error(error);
  show(error.message || String(error), error.remedy || "", [], true);
}

/** Ask before an action that cannot be undone; resolves to true or false. */
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

function show(message, remedy, details, isError) {
  const place = document.getElementById("notices");
  const text = `${message}\n${remedy}`;
  for (const other of place.children) if (other.dataset.text === text) other.remove();
  const notice = element(
    "div",
    { class: isError ? "notice error" : "notice", role: isError ? "alert" : "status", dataset: { text } },
    element(
      "div",
      {},
      element("p", { class: "message" }, isError && element("strong", {}, "Error: "), message),
      remedy && element("p", { class: "remedy" }, remedy),
      details.length > 0 && element("ul", {}, details.map((detail) => element("li", {}, detail))),
    ),
    button("Close", () => notice.remove(), { class: "quiet" }),
  );
  place.append(notice);
  while (place.children.length > MOST) place.firstElementChild.remove();
  return notice;
}
