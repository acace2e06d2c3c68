// Downloads of cleaned pages in any format. The format is kept from view to view.

import { queryOf } from "./api.js";
import { element } from "./elements.js";
import { plain } from "./wording.js";
import { choices } from "./workspace.js";

export const wanted = { format: "markdown" };

/** A select for the format; `set(format)` chooses one. */
export function formatSelect(id, onchange) {
  const select = element(
    "select",
    { id, "aria-label": "Format to download", onchange: () => ((wanted.format = select.value), onchange()) },
    choices.formats.map((name) => element("option", { value: name, selected: name === wanted.format }, plain(name))),
  );
  return {
    root: select,
    set(format) {
      wanted.format = select.value = format;
    },
  };
}

/** The format and a link to a zip file with the cleaned pages of a site, or of all. */
export function downloadRow(label, site = null) {
  const link = element("a", { class: "button", download: true, id: "export-all" }, label);
  const address = () => (link.href = `/api/download.zip${queryOf({ format: wanted.format, site })}`);
  const format = formatSelect("export-format", address);
  address();
  return element("span", { class: "row export-row" }, format.root, link);
}
