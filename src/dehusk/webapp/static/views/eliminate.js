import { element, fill } from "../elements.js";
export function eliminateView(content) { fill(content, element("h1", {tabindex:-1}, "eliminate")); return {}; }
