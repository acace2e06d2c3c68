import { element, fill } from "../elements.js";
export function resultView(content) { fill(content, element("h1", {tabindex:-1}, "result")); return {}; }
