import { element, fill } from "../elements.js";
export function templateView(content) { fill(content, element("h1", {tabindex:-1}, "template")); return {}; }
