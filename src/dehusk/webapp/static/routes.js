// Routes: the fragment of the URL names the view and its page or site.

/** The parts of the address: "#/result/0f3a/5" is ["result", "0f3a", "5"]. */
export function partsOfAddress() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return []; // a stray percent sign
  }
}

/** Replace the fragment, so that a reload shows the same view. */
export function keepAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // Browsers limit how often this may happen, as when an arrow key is held down. The next call will do.
  }
}
