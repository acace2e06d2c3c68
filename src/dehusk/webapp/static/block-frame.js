// The original page in a sandboxed frame without scripts. Blocks can be hovered, selected with the arrow keys, and
// shaded again without a reload. This module only sets classes, attributes and listeners.

import { element } from "./elements.js";

const NEXT = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** A frame that can never run a script: it shows hostile pages. */
export function sandboxed(title, src) {
  return element("iframe", { sandbox: "allow-same-origin", title, src, referrerpolicy: "no-referrer" });
}

export class BlockFrame {
  /** `listeners`: onHover(index or null), onSelect(index), onKey(key) for keys pressed in the frame. */
  constructor(listeners) {
    this.listeners = listeners;
    this.root = element("div", { class: "frame" });
    this.parts = new Map();
    this.active = null;
    this.shade = "shaded";
    this.kept = null;
  }

  load(src) {
    const frame = sandboxed("The original page; use the arrow keys to move between blocks", src);
    this.ready = new Promise((settle) => frame.addEventListener("load", () => settle(this.attach(frame.contentDocument))));
    this.document = null;
    this.root.replaceChildren(frame);
  }

  attach(loaded) {
    this.document = loaded;
    this.parts = new Map();
    this.stop = null;
    for (const part of loaded.querySelectorAll("[data-block]")) {
      const index = Number(part.dataset.block);
      if (!this.parts.has(index)) this.parts.set(index, []);
      this.parts.get(index).push(part);
    }
    this.order = [...this.parts.keys()].filter((index) => this.isShown(index)).sort((one, other) => one - other);
    loaded.addEventListener("mouseover", (event) => this.listeners.onHover(blockOf(event.target)));
    loaded.documentElement.addEventListener("mouseleave", () => this.listeners.onHover(null));
    loaded.addEventListener("click", (event) => this.click(event));
    loaded.addEventListener("keydown", (event) => this.press(event));
    loaded.addEventListener("focusin", (event) => this.focused(blockOf(event.target)));
    this.setShade(this.shade);
    if (this.blocks) this.showBlocks(this.blocks);
    if (this.kept) this.showDecision(this.kept);
    const first = this.active ?? this.order[0];
    if (first !== undefined) this.makeStop(first);
    if (this.active !== null) this.activate(this.active, false);
  }

  setShade(shade) {
    this.shade = shade;
    if (this.document) this.document.documentElement.dataset.shade = shade;
  }

  /** Set the classes of blocks from an API response. */
  showBlocks(blocks) {
    this.blocks = blocks;
    this.kept = null;
    for (const { index, kept, taught } of blocks) {
      for (const part of this.parts.get(index) ?? []) {
        setKept(part, kept);
        part.classList.toggle("dehusk-taught", taught !== null);
        part.setAttribute("aria-description", kept ? "kept" : "noise");
      }
    }
  }

  /** Set the classes for another threshold: character n is block n. */
  showDecision(kept) {
    this.kept = kept;
    for (const [index, parts] of this.parts) for (const part of parts) setKept(part, kept[index] === "1");
  }

  /** Mark a block as the active one. */
  activate(index, isScrolled = true) {
    for (const part of this.parts.get(this.active) ?? []) part.classList.remove("dehusk-active");
    this.active = index;
    const parts = this.parts.get(index) ?? [];
    for (const part of parts) part.classList.add("dehusk-active");
    if (!parts.length) return;
    this.makeStop(index);
    if (isScrolled) parts[0].scrollIntoView({ block: "center", behavior: "auto" });
    else if (this.document && !isInside(parts[0], this.document)) parts[0].scrollIntoView({ block: "center" });
  }

  /** The previous or next visible block. */
  neighbour(index, step) {
    if (!this.order?.length) return null;
    const position = this.order.indexOf(index);
    if (position < 0) return this.order[0];
    return this.order[Math.min(this.order.length - 1, Math.max(0, position + step))];
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

  click(event) {
    event.preventDefault();
    const index = blockOf(event.target);
    if (index !== null) this.go(index);
  }

  focused(index) {
    if (index !== null && index !== this.active) this.listeners.onSelect(index);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = NEXT[event.key];
    if (step) {
      event.preventDefault();
      this.go(this.neighbour(this.active, step));
    } else if (this.listeners.onKey(event.key)) event.preventDefault();
  }

  go(index) {
    this.listeners.onSelect(index);
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
