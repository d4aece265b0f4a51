const UNITS = ["B", "kB", "MB", "GB", "TB"];

/**
 * Bytes as the page says them (`lib/format/format.ts`, which the command line has not compiled): `812 B`, `7.8 GB`.
 *
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; value /= 1000) unit += 1;
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

const GROUPED = new Intl.NumberFormat("en");

/**
 * A whole count with grouping: `2,310`.
 *
 * @param {number} count
 */
export function formatCount(count) {
  return GROUPED.format(count);
}

/**
 * `1 file`, `2,310 files`; the plural is the singular with an s unless given.
 *
 * @param {number} count
 * @param {string} one
 */
export function formatPlural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * A time by this machine's clock, like `2026-11-19 14:21`: its first ten characters are the day. A log may name any that
 * there is, up to the year 275760, and the one that this clock shows then is more than there is in UTC.
 *
 * @param {number} ms
 */
export function formatLocalTime(ms) {
  const at = new Date(ms);
  const year = at.getFullYear();
  const day = [
    `${year < 0 ? "-" : ""}${padded(Math.abs(year), 4)}`,
    padded(at.getMonth() + 1),
    padded(at.getDate()),
  ];
  return `${day.join("-")} ${padded(at.getHours())}:${padded(at.getMinutes())}`;
}

/** @param {number} value */
const padded = (value, digits = 2) => String(value).padStart(digits, "0");
