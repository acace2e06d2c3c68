// Asking again and again while something moves: one question at a time, at most one a frame, and always the newest.

/** A function that takes a value; `ask(value)` is awaited, and `show` gets the answer unless a newer value came meanwhile. */
export function latest(ask, show, onError) {
  let waiting = null;
  let isAsking = false;

  async function run() {
    const { value } = waiting;
    waiting = null;
    try {
      const answer = await ask(value);
      // While a slider moves, each answer is worth showing, even if the next question is already waiting.
      show(answer, value);
    } catch (error) {
      onError(error);
    }
    if (waiting) requestAnimationFrame(run);
    else isAsking = false;
  }

  return (value) => {
    waiting = { value };
    if (isAsking) return;
    isAsking = true;
    requestAnimationFrame(run);
  };
}
