/** Runs a task at once and then at most every `everyMs`; calls in between become one at the end of the pause. */
export function throttled(everyMs: number, task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let again = false;
  const run = () => {
    task();
    timer = setTimeout(() => {
      timer = null;
      if (again) run();
      again = false;
    }, everyMs);
  };
  return () => {
    if (timer) again = true;
    else run();
  };
}
