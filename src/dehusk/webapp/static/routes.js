// Addresses: the part after the number sign says which view is shown, of what.

/** The parts of the address: "#/result/0f3a/5" is ["result", "0f3a", "5"]. */
export function partsOfAddress() {
  try {
    return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  } catch {
    return []; // somebody typed a percent sign
  }
}

/** Note what is shown, so that a reload shows it again, without going anywhere. */
export function keepAddress(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // Browsers refuse to note too many in a short time, as when an arrow key is held down. The next will do.
  }
}
