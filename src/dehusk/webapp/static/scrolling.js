// The original and the cleaned page scroll together: what is kept of the one is the whole of the other.

const QUIET = 150; // after one frame was moved by us, its own scroll event is not taken for the reader's

/** `frame` is the BlockFrame, `output` has the frame of the cleaned page, if that is shown. */
export function scrollTogether(frame, output) {
  let movedAt = 0;

  /** Top of the first kept block and bottom of the last, in the original. */
  function span() {
    const kept = frame.document ? [...frame.document.querySelectorAll("[data-block].dehusk-kept")].filter((part) => part.getClientRects().length) : [];
    if (!kept.length) return null;
    const root = frame.document.scrollingElement;
    const body = kept.length > 1 ? kept.slice(1) : kept; // the first is often the title
    return { top: body[0].getBoundingClientRect().top + root.scrollTop, bottom: body.at(-1).getBoundingClientRect().bottom + root.scrollTop, root };
  }

  function move(act) {
    if (Date.now() - movedAt < QUIET) return;
    const [found, other] = [span(), output.frame?.contentDocument?.scrollingElement];
    if (!found || !other) return;
    const height = Math.max(1, found.bottom - found.top - found.root.clientHeight);
    const rest = Math.max(1, other.scrollHeight - other.clientHeight);
    movedAt = Date.now();
    act(found, other, height, rest);
  }

  output.onFrame = (loaded) => loaded.addEventListener("scroll", () => move(({ root, top }, other, height, rest) => root.scrollTo(0, top + (height * other.scrollTop) / rest)), { passive: true });
  return {
    /** The original was scrolled. */
    follow: () => move(({ root, top }, other, height, rest) => other.scrollTo(0, (rest * Math.min(1, Math.max(0, (root.scrollTop - top) / height))))),
  };
}
