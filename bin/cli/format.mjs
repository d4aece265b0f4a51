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

/**
 * Made when it is needed: the first of its kind takes a process 20 ms.
 *
 * @type {Intl.NumberFormat | null}
 */
let grouped = null;

/**
 * A whole count with grouping: `2,310`.
 *
 * @param {number} count
 */
export function formatCount(count) {
  grouped ??= new Intl.NumberFormat("en");
  return grouped.format(count);
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

/**
 * The name of a folder on Linux, macOS or Windows; empty for a root.
 *
 * @param {string} path
 */
export function folderName(path) {
  return path.split(/[\\/]/).findLast(Boolean) ?? "";
}

/**
 * A text of a log in one line, without what would control a terminal.
 *
 * @param {string} text
 */
export function oneLine(text) {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/**
 * Lines of cells, those in a column below each other: words from the left, columns of `numbers` from the right.
 *
 * @param {readonly (readonly string[])[]} lines of equally many cells
 * @param {ReadonlySet<number>} [numbers] which columns
 */
export function inColumns(lines, numbers = new Set()) {
  const widths = (lines[0] ?? []).map((_, at) =>
    lines.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) => (numbers.has(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * How long something has lasted, as the page says it: `12 s`, `1 m 5 s`, `3 h 20 m`, `2 d`.
 *
 * @param {number} elapsedMs
 */
export function formatElapsed(elapsedMs) {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 2 ? inTwo(seconds, "m", "s") : `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? inTwo(minutes, "h", "m") : `${Math.floor(hours / 24)} d`;
}

/**
 * @param {number} small
 * @param {string} bigName of sixty of them
 * @param {string} smallName
 */
function inTwo(small, bigName, smallName) {
  const rest = small % 60;
  const big = `${Math.floor(small / 60)} ${bigName}`;
  return rest === 0 ? big : `${big} ${rest} ${smallName}`;
}
