// Create elements. Names and texts come from hostile pages: they only become text nodes or attribute values, never
// markup.

const PROPERTIES = new Set(["checked", "disabled", "hidden", "value", "indeterminate", "open", "selected", "multiple"]);
const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (`on...` are listeners, `dataset` an object) and children (strings or nodes; empty ones are skipped). */
export function element(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function drawing(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/** Replace the content of an element. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(isPresent));
  return parent;
}

/** A button; `attributes.class` sets its style. */
export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", ...attributes, onclick }, label);
}

/** A select with a label around it. `options` are [value, text] or [value, text, title]. */
export function choice(label, options, value, onchange, attributes = {}) {
  const select = element(
    "select",
    { ...attributes, onchange: () => onchange(select.value) },
    options.map(([each, text, title]) => element("option", { value: each, title, selected: each === value }, text)),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

/** A checkbox with a label around it. */
export function tick(label, checked, onchange, attributes = {}) {
  const box = element("input", { type: "checkbox", checked, ...attributes, onchange: () => onchange(box.checked) });
  return element("label", { class: "tick" }, box, element("span", {}, label));
}

/** Replace the options of a select, keeping its selection. */
export function setOptions(select, options, value) {
  const before = JSON.stringify(options);
  if (select.dataset.options !== before) {
    fill(select, options.map(([each, text]) => element("option", { value: each }, text)));
    select.dataset.options = before;
  }
  select.value = value;
}

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (PROPERTIES.has(name)) node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter(isPresent));
  return node;
}

function isPresent(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}
