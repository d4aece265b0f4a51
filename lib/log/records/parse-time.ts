// Numbers below this are seconds: as milliseconds they would lie before 1973.
const SECONDS_BELOW = 1e11;

/** Epoch milliseconds of an ISO string, or of a number in seconds or milliseconds; `null` for anything else. */
export function parseTime(value: unknown): number | null {
  if (typeof value === "number") {
    if (!Number.isFinite(value) || value <= 0) return null;
    return value < SECONDS_BELOW ? value * 1000 : value;
  }
  if (typeof value !== "string") return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
