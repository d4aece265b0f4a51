/** How long a jump's row may take to be drawn and selected; later than this it is not coming. */
const WITHIN_MS = 2_000;

/** What `read` gives as soon as it gives something, asked again with every frame; null if it never does. */
export async function waitFor<T>(read: () => T | null): Promise<T | null> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    const value = read();
    if (value !== null) return value;
    await new Promise(requestAnimationFrame);
  }
  return null;
}
