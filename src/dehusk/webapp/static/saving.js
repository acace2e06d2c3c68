// Save files that the server makes. Unlike a plain link, an error is shown instead of doing nothing.

import { fetchFile } from "./api.js";
import { element } from "./elements.js";
import { notify } from "./notices.js";

/** Fetch a file and let the browser save it under the server's name. */
export async function saveFile(path) {
  const { blob, name } = await fetchFile(path);
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  notify(`Saved ${name}.`);
}
