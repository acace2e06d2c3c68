// Asking again before the answer is there: what is shown in the end is the answer to the newest question.

/** A function to call with each question; what it gives tells later whether that question is still the newest. */
export function newest() {
  let asked = 0;
  return () => {
    const question = ++asked;
    return () => question === asked;
  };
}

/**
 * For what moves: one question at a time, at most one a frame.
 * A function that takes a value; `ask(value)` is awaited, and `show` gets each answer: the newest one last.
 */
export function latest(ask, show, onError) {
  let waiting = null;
  let isAsking = false;

  async function run() {
    const { value } = waiting;
    waiting = null;
    try {
      const answer = await ask(value);
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
