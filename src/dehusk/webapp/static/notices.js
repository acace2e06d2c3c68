// Notices at the foot of the window: what went wrong and what to do, or what was done.

import { button, element } from "./elements.js";

const SHOWN = 6000;
const MOST = 4;

/** Something was done. Goes away by itself. */
export function tell(message, details = []) {
  const shown = show(message, "", details, false);
  setTimeout(() => shown.remove(), details.length ? 3 * SHOWN : SHOWN);
}

/** Something went wrong: stays until it is closed. */
export function warn(error) {
  if (error?.name === "AbortError") return;
  if (!error?.remedy && !error?.code) console.error(error);
  show(error.message || String(error), error.remedy || "", [], true);
}

/** Ask before something that cannot be taken back; resolves to whether it is wanted. */
export function asked(question, action) {
  return new Promise((answer) => {
    const dialog = element(
      "dialog",
      { "aria-label": question, onclose: () => (dialog.remove(), answer(dialog.returnValue === "yes")) },
      element("p", {}, question),
      element("div", { class: "row" }, button("No, leave it", () => dialog.close("no")), button(action, () => dialog.close("yes"), { class: "primary", id: "confirm" })),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** For those who listen: said, not shown. */
export function say(message) {
  document.getElementById("spoken").textContent = message;
}

function show(message, remedy, details, isError) {
  const place = document.getElementById("notices");
  const said = `${message}\n${remedy}`;
  for (const other of place.children) if (other.dataset.said === said) other.remove();
  const notice = element(
    "div",
    { class: isError ? "notice error" : "notice", role: isError ? "alert" : "status", dataset: { said } },
    element(
      "div",
      {},
      element("p", { class: "message" }, isError && element("strong", {}, "Sorry: "), message),
      remedy && element("p", { class: "remedy" }, remedy),
      details.length > 0 && element("ul", {}, details.map((detail) => element("li", {}, detail))),
    ),
    button("Close", () => notice.remove(), { class: "quiet" }),
  );
  place.append(notice);
  while (place.children.length > MOST) place.firstElementChild.remove();
  return notice;
}
