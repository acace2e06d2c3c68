// The original page in a sandboxed frame without scripts. Blocks can be hovered, selected by pointer, touch and arrow
// keys, and shaded again without a reload. This module only sets classes, attributes and listeners.

import { element } from "./elements.js";
import { isUndo } from "./undo.js";

const LAYOUT = 820; // pixels that a page with its own style has at least, as on a desk; it is scaled down to fit
const NEXT = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** A frame that can never run a script: it shows hostile pages. */
export function sandboxed(title, src) {
  return element("iframe", { sandbox: "allow-same-origin", title, src, referrerpolicy: "no-referrer" });
}

/** A sign that something is on its way. */
export function loadingSign(text) {
  return element("p", { class: "loading", role: "status" }, element("span", { class: "spinner", "aria-hidden": "true" }), text);
}

export class BlockFrame {
  /** `listeners`: onHover(index or null), onSelect(index, how) with how "one", "toggle" or "range", onKey(key), onUndo(), onScroll(). */
  constructor(listeners) {
    this.listeners = listeners;
    this.root = element("div", { class: "frame" });
    this.parts = new Map();
    this.active = null;
    this.selected = [];
    this.shade = "shaded";
    this.kept = null;
    this.found = null;
    this.isStyled = false;
    new ResizeObserver(() => this.fit()).observe(this.root);
  }

  /** Load a view; one with the page's own style gets the width it was made for. */
  load(src, isStyled = false) {
    this.isStyled = isStyled;
    const frame = sandboxed("The original page; use the arrow keys to move between blocks", src);
    this.ready = new Promise((settle) => frame.addEventListener("load", () => settle(this.attach(frame.contentDocument))));
    this.document = null;
    this.root.setAttribute("aria-busy", "true");
    this.root.replaceChildren(frame, loadingSign("Loading the page …"));
    this.fit();
  }

  fit() {
    const frame = this.root.querySelector("iframe");
    const width = this.root.clientWidth;
    if (!frame || !width) return;
    const scale = this.isStyled ? Math.min(1, width / LAYOUT) : 1;
    frame.style.inlineSize = scale < 1 ? `${LAYOUT}px` : "";
    frame.style.blockSize = scale < 1 ? `${this.root.clientHeight / scale}px` : "";
    frame.style.transform = scale < 1 ? `scale(${scale})` : "";
    this.root.classList.toggle("scaled", scale < 1);
  }

  attach(loaded) {
    this.document = loaded;
    this.root.removeAttribute("aria-busy");
    this.root.querySelector(".loading")?.remove();
    this.parts = new Map();
    this.stop = null;
    for (const part of loaded.querySelectorAll("[data-block]")) {
      const index = Number(part.dataset.block);
      if (!this.parts.has(index)) this.parts.set(index, []);
      this.parts.get(index).push(part);
    }
    this.order = [...this.parts.keys()].filter((index) => this.isShown(index)).sort((one, other) => one - other);
    this.listen(loaded);
    this.setShade(this.shade);
    if (this.blocks) this.showBlocks(this.blocks);
    if (this.kept) this.showDecision(this.kept);
    this.setFound(this.found);
    const first = this.active ?? this.order[0];
    if (first !== undefined) this.makeStop(first);
    if (this.active !== null) this.select(this.selected, this.active, false);
  }

  listen(loaded) {
    const root = loaded.documentElement;
    loaded.addEventListener("mouseover", (event) => this.listeners.onHover(blockOf(event.target)));
    root.addEventListener("mouseleave", () => this.listeners.onHover(null));
    loaded.addEventListener("mousedown", (event) => (this.pressed = event.button === 0 ? blockOf(event.target) : null));
    loaded.addEventListener("mouseup", (event) => this.release(event));
    loaded.addEventListener("click", (event) => this.click(event));
    loaded.addEventListener("keydown", (event) => this.press(event));
    loaded.addEventListener("focusin", (event) => this.focused(blockOf(event.target)));
    loaded.addEventListener("scroll", () => this.listeners.onScroll?.(), { passive: true });
  }

  setShade(shade) {
    this.shade = shade;
    if (this.document) this.document.documentElement.dataset.shade = shade;
  }

  /** Set the classes of blocks from an API response. */
  showBlocks(blocks) {
    this.blocks = blocks;
    this.kept = null;
    for (const { index, kept, taught, comment, doubtful } of blocks) {
      for (const part of this.parts.get(index) ?? []) {
        setKept(part, kept);
        part.classList.toggle("dehusk-taught", taught !== null);
        part.classList.toggle("dehusk-doubtful", Boolean(doubtful));
        part.classList.toggle("dehusk-comment", Boolean(comment));
        part.setAttribute("aria-description", kept ? "kept" : comment ? "comment" : "noise");
      }
    }
    this.shadeImages((index) => Boolean(blocks[index]?.kept));
  }

  /** Fade all blocks but these; null shows all alike. */
  setFound(found) {
    this.found = found;
    if (!this.document) return;
    this.document.documentElement.toggleAttribute("data-filtered", found !== null);
    for (const [index, parts] of this.parts) for (const part of parts) part.classList.toggle("dehusk-found", Boolean(found?.has(index)));
  }

  /** Alternative texts of images are shaded like the block before them. */
  shadeImages(isKept) {
    for (const image of this.document?.querySelectorAll("[data-near]") ?? []) setKept(image, isKept(Number(image.dataset.near)));
  }

  /** Set the classes for another threshold: character n is block n. */
  showDecision(kept) {
    this.kept = kept;
    for (const [index, parts] of this.parts) for (const part of parts) setKept(part, kept[index] === "1");
    this.shadeImages((index) => kept[index] === "1");
  }

  /** Mark the selected blocks; the active one is where the arrow keys go on. */
  select(selected, active, isScrolled = true) {
    for (const index of this.selected) for (const part of this.parts.get(index) ?? []) part.classList.remove("dehusk-active");
    this.selected = selected;
    this.active = active;
    for (const index of selected) for (const part of this.parts.get(index) ?? []) part.classList.add("dehusk-active");
    const [first] = this.parts.get(active) ?? [];
    if (!first) return;
    this.makeStop(active);
    if (isScrolled || (this.document && !isInside(first, this.document))) first.scrollIntoView({ block: "center", behavior: "auto" });
  }

  /** Scroll to a block without selecting it. */
  scrollTo(index) {
    this.parts.get(index)?.[0]?.scrollIntoView({ block: "start", behavior: "auto" });
  }

  /** The previous or next visible block. */
  neighbour(index, step) {
    if (!this.order?.length) return null;
    const position = this.order.indexOf(index);
    if (position < 0) return this.order[0];
    return this.order[Math.min(this.order.length - 1, Math.max(0, position + step))];
  }

  /** All visible blocks from one to another. */
  between(one, other) {
    const [first, last] = one < other ? [one, other] : [other, one];
    return this.order.filter((index) => index >= first && index <= last);
  }

  /** Make a block the only tab stop; the arrow keys reach the others. */
  makeStop(index) {
    const part = this.parts.get(index)?.[0];
    if (part === this.stop) return; // removing the tab stop of the focused element would also remove the focus
    this.stop?.removeAttribute("tabindex");
    this.stop = part;
    this.stop?.setAttribute("tabindex", "0");
  }

  isShown(index) {
    return !this.parts.get(index).every((part) => part.classList.contains("dehusk-hidden"));
  }

  /** A drag from one block to another selects all between them. */
  release(event) {
    const [from, to] = [this.pressed, blockOf(event.target)];
    this.pressed = null;
    if (from === null || from === undefined || to === null || from === to) return;
    this.document.getSelection()?.removeAllRanges();
    this.dragged = true;
    this.go(from);
    this.go(to, "range");
  }

  click(event) {
    event.preventDefault();
    const index = blockOf(event.target);
    const wasDragged = this.dragged;
    this.dragged = false;
    if (index === null || wasDragged) return;
    this.go(index, event.shiftKey ? "range" : event.ctrlKey || event.metaKey ? "toggle" : "one");
  }

  focused(index) {
    if (index !== null && index !== this.active) this.listeners.onSelect(index, "one");
  }

  press(event) {
    if (isUndo(event)) return this.listeners.onUndo();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = NEXT[event.key];
    if (step) {
      event.preventDefault();
      this.go(this.neighbour(this.active, step), event.shiftKey ? "range" : "one");
    } else if (this.listeners.onKey(event.key)) event.preventDefault();
  }

  go(index, how = "one") {
    this.listeners.onSelect(index, how);
    this.stop?.focus({ preventScroll: true });
  }
}

function blockOf(target) {
  const part = target?.closest?.("[data-block]");
  return part ? Number(part.dataset.block) : null;
}

function setKept(part, isKept) {
  part.classList.toggle("dehusk-kept", isKept);
  part.classList.toggle("dehusk-noise", !isKept);
}

function isInside(part, shown) {
  const { top, bottom } = part.getBoundingClientRect();
  return top >= 0 && bottom <= shown.documentElement.clientHeight;
}
