// Tabs, with arrow keys to move between them.

import { element } from "./elements.js";

/** A row of tabs for a panel; `options` are [value, text]. `onChoose(value)` is called on a change. */
export function tabs(label, panel, options, chosen, onChoose) {
  const all = options.map(([value, text]) =>
    element("button", { type: "button", role: "tab", id: `tab-${value}`, "aria-controls": panel.id, dataset: { value }, onclick: () => choose(value), onkeydown: press }, text),
  );

  function mark(value) {
    for (const tab of all) {
      const isChosen = tab.dataset.value === value;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) panel.setAttribute("aria-labelledby", tab.id);
    }
  }

  function choose(value) {
    mark(value);
    onChoose(value);
  }

  function press(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = all[(all.indexOf(event.currentTarget) + step + all.length) % all.length];
    next.focus();
    choose(next.dataset.value);
  }

  mark(chosen);
  return element("div", { role: "tablist", "aria-label": label }, all);
}
