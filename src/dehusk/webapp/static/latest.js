// Overlapping requests: only the response to the newest request is shown.

/** A function to call at each request; it returns a function that tells whether the request is still the newest. */
export function newest() {
  let last = 0;
  return () => {
    const number = ++last;
    return () => number === last;
  };
}

/**
 * For sliders and hovering: one request at a time, at most one a frame.
 * Returns a function of a value; `load(value)` is awaited, and `show` gets each response, the newest one last.
 */
export function latest(load, show, onError) {
  let waiting = null;
  let isLoading = false;

  async function run() {
    const { value } = waiting;
    waiting = null;
    try {
      const response = await load(value);
      show(response, value);
    } catch (error) {
      onError(error);
    }
    if (waiting) requestAnimationFrame(run);
    else isLoading = false;
  }

  return (value) => {
    waiting = { value };
    if (isLoading) return;
    isLoading = true;
    requestAnimationFrame(run);
  };
}
