// The original and the cleaned page scroll together: what is kept of the one is the whole of the other.

const QUIET = 150; // after a frame was moved by us, its own scroll event is not taken for the reader's

/** `frame` is the BlockFrame, `output` has the frame of the cleaned page, if that is shown. */
export function scrollTogether(frame, output) {
  const quiet = { original: 0, cleaned: 0 };

  /** Where the kept blocks of the original begin and end, and both things that scroll. */
  function measure() {
    const kept = frame.document ? [...frame.document.querySelectorAll("[data-block].dehusk-kept")].filter((part) => part.getClientRects().length) : [];
    const cleaned = output.frame?.contentDocument?.scrollingElement;
    if (!kept.length || !cleaned) return null;
    const original = frame.document.scrollingElement;
    const body = kept.length > 1 ? kept.slice(1) : kept; // the first is often the title
    const top = body[0].getBoundingClientRect().top + original.scrollTop;
    const bottom = body.at(-1).getBoundingClientRect().bottom + original.scrollTop;
    return { original, cleaned, top, height: Math.max(1, bottom - top - original.clientHeight), rest: Math.max(1, cleaned.scrollHeight - cleaned.clientHeight) };
  }

  function move(from, to, target) {
    if (Date.now() < quiet[from]) return;
    const found = measure();
    if (!found) return;
    quiet[to] = Date.now() + QUIET;
    found[to].scrollTo(0, target(found));
  }

  output.onFrame = (loaded) => loaded.addEventListener("scroll", () => move("cleaned", "original", ({ cleaned, top, height, rest }) => top + (height * cleaned.scrollTop) / rest), { passive: true });
  return {
    /** The original was scrolled. */
    follow: () => move("original", "cleaned", ({ original, top, height, rest }) => rest * Math.min(1, Math.max(0, (original.scrollTop - top) / height))),
  };
}
