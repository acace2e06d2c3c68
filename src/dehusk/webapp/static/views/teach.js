import { element, fill } from "../elements.js";
export function teachView(content) { fill(content, element("h1", {tabindex:-1}, "teach")); return {}; }
