// Numbers and names in readable form.

const WHOLE = new Intl.NumberFormat("en");
/** What a correction applies to, by its scope in the API. */
export const SCOPES = { place: "this position on all pages", block: "only this block on this page", container: "the container around it", look: "everything that looks like it" };
const PAGE_ENDING = /\.(x?html?|xht|shtml|mhtml|mht)$/i;

export function bytes(count) {
  if (count < 1000) return `${count} B`;
  if (count < 999_500) return `${(count / 1000).toFixed(count < 9950 ? 1 : 0)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)} %`;
}

export function milliseconds(value) {
  return value < 1000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

export function number(value) {
  return WHOLE.format(value);
}

/** "1 page", "2 pages". */
export function count(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A time in words: "8 s", "2 min". */
export function duration(seconds) {
  if (seconds < 1) return milliseconds(1000 * seconds);
  return seconds < 90 ? `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** A score or importance; a dash for none. */
export function decimal(value, digits = 2) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

/** A page's name without its file extension. */
export function shortName(name) {
  return name.replace(PAGE_ENDING, "") || name;
}

/** A readable form of an API name: "style-tree" becomes "style tree". */
export function plain(name) {
  return name.replaceAll("-", " ").replaceAll("_", " ");
}

export function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}
