/**
 * Megabytes, with a decimal where there are few.
 *
 * @param {number} bytes
 */
export function formatMegabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

/**
 * A time by this machine's clock, like `2026-11-19 14:21`: its first ten characters are the day.
 *
 * @param {number} ms
 */
export function formatLocalTime(ms) {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace("T", " ");
}
