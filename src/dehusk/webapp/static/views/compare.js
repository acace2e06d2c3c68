import { element, fill } from "../elements.js";
export function compareView(content) { fill(content, element("h1", {tabindex:-1}, "compare")); return {}; }
