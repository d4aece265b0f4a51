const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Bytes in decimal units, as disks and `ls -h --si` count: `812 B`, `312 kB`, `7.8 GB`. */
export function formatBytes(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${UNITS[unit]}`;
}

/** A part of a whole in the whole's unit: `3.1 of 7.8 GB`. */
export function formatBytesOf(part: number, whole: number): string {
  const unit = unitOf(whole);
  return `${inUnit(part, unit)} of ${inUnit(whole, unit)} ${UNITS[unit]}`;
}

function unitOf(bytes: number): number {
  let unit = 0;
  for (let value = bytes; value >= 999.5 && unit < UNITS.length - 1; value /= 1000) unit += 1;
  return unit;
}

function inUnit(bytes: number, unit: number): string {
  const value = bytes / 1000 ** unit;
  return unit === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1);
}

/** Made when it is needed: the first of its kind takes a process 20 ms, which a server's start and most commands don't need. */
let grouped: Intl.NumberFormat | null = null;

/** A whole count with grouping: `2,310`. */
export function formatCount(count: number): string {
  grouped ??= new Intl.NumberFormat("en");
  return grouped.format(count);
}

/** A count for a quick look, with three digits at most: `96`, `1.2k`, `184k`, `1.2M`, `3.4G`. */
export function formatCompact(count: number): string {
  const units = ["", "k", "M", "G", "T"];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, "");
  return text + units[unit];
}

/** The length of a text: `1.2k characters`. The size of a file with this text does not follow from its characters. */
export function formatLength(characters: number): string {
  return `${formatCompact(characters)} ${characters === 1 ? "character" : "characters"}`;
}

/** `1 session`, `2,310 sessions`; the plural is the singular with an s unless given. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** What failed and what was refused: `2 errors, 1 denied`; "" for neither. A refusal is no error of a tool. */
export function formatFailures(failed: number, denied: number): string {
  const words = [failed > 0 && formatPlural(failed, "error"), denied > 0 && `${formatCount(denied)} denied`];
  return words.filter(Boolean).join(", ");
}

/** A share of 1 in whole percent; 0 only for none, 100 only when complete: `56 %`, `<1 %`. */
export function formatPercent(share: number): string {
  if (share > 0 && share < 0.01) return "<1 %";
  return `${share >= 1 ? 100 : Math.min(99, Math.floor(share * 100))} %`;
}

/** `84k tok`, or `null` where no usage is recorded, as before client version 1.0: unknown is not zero. */
export function formatTokens(tokens: number | null): string | null {
  return tokens ? `${formatCompact(tokens)} tok` : null;
}

/** `opus-4-5`: a model's name without the part that all names begin with, and without its date. */
export function formatModel(model: string): string {
  return model.replace(/^claude-/, "").replace(/-\d{8}$/, "") || "no model";
}

/** `14 tools · 31k`, or the tools alone where no usage is recorded. */
export function withTokens(words: string, tokens: number | null): string {
  return tokens ? `${words} · ${formatCompact(tokens)}` : words;
}

/** How long something took, in one or two units: `12 ms`, `4.2 s`, `31 s`, `1 m 12 s`, `1 h 12 m`, `3 d 4 h`. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoUnits(seconds, 60, "m", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return twoUnits(minutes, 60, "h", "m");
  return twoUnits(Math.round(minutes / 60), 24, "d", "h");
}

/** How long something has lasted so far, in whole seconds at least: `38 s`, `1 m 10 s`, `4 m`, `1 h 10 m`, `3 d`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes < 2 ? twoUnits(seconds, 60, "m", "s") : `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? twoUnits(minutes, 60, "h", "m") : `${Math.floor(hours / 24)} d`;
}

function twoUnits(small: number, perBig: number, bigName: string, smallName: string): string {
  const big = Math.floor(small / perBig);
  const rest = small % perBig;
  return rest === 0 ? `${big} ${bigName}` : `${big} ${bigName} ${rest} ${smallName}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The name of the time zone that this browser or process uses: `Europe/Berlin`. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Midnight, local time, of the day `daysBefore` days before the day of `atMs`. Safe across clock changes. */
export function startOfDay(atMs: number, daysBefore = 0): number {
  const at = new Date(atMs);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysBefore).getTime();
}

/** Monday's midnight, local time, of the week of `atMs`. */
export function startOfWeek(atMs: number): number {
  return startOfDay(atMs, (new Date(atMs).getDay() + 6) % 7);
}

/** Time of day: `14:02`. */
export function formatClock(atMs: number): string {
  const at = new Date(atMs);
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Time of day with seconds: `14:58:07`. */
export function formatClockSeconds(atMs: number): string {
  return `${formatClock(atMs)}:${two(new Date(atMs).getSeconds())}`;
}

/** As short as possible: `14:02` today, `Thu 17:31` within six days, `14 Nov` this year, `14 Nov 2025`. */
export function formatWhen(atMs: number, nowMs: number): string {
  const day = dayUnlessToday(atMs, nowMs);
  return /\d/.test(day) ? day : formatMoment(atMs, nowMs);
}

/**
 * A time in a list that may span several days: `14:02` today, `Thu 17:31` within six days, `14 Nov 09:05` this year,
 * `14 Nov 2025 09:05`.
 */
export function formatMoment(atMs: number, nowMs: number, clock = formatClock): string {
  return `${dayUnlessToday(atMs, nowMs)} ${clock(atMs)}`.trimStart();
}

function dayUnlessToday(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  if (atMs >= startOfDay(nowMs) && atMs < startOfDay(nowMs, -1)) return "";
  if (atMs >= startOfDay(nowMs, 6) && atMs <= nowMs) return DAYS[at.getDay()] ?? "";
  return at.getFullYear() === new Date(nowMs).getFullYear() ? formatShortDate(atMs) : formatDate(atMs);
}

/** `20 Nov` */
export function formatShortDate(atMs: number): string {
  const at = new Date(atMs);
  return `${at.getDate()} ${MONTHS[at.getMonth()]}`;
}

/** `20 Nov 2026` */
export function formatDate(atMs: number): string {
  return `${formatShortDate(atMs)} ${new Date(atMs).getFullYear()}`;
}

/** `20 Nov 2026`, of a day as the API writes it: `2026-11-20`. What is no such day stays as it is. */
export function formatIsoDay(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const atMs = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(year, month - 1, date).getTime() : Number.NaN;
  return Number.isNaN(atMs) ? day : formatDate(atMs);
}

/** `Thu 20 Nov 2026` */
export function formatDay(atMs: number): string {
  return `${DAYS[new Date(atMs).getDay()]} ${formatDate(atMs)}`;
}

/** Date and time in full, for a tooltip: `Thu 20 Nov 2026, 17:31:08`. */
export function formatFullTime(atMs: number): string {
  return `${formatDay(atMs)}, ${formatClockSeconds(atMs)}`;
}

/** How long ago: `now`, `38 m ago`, `5 h ago`, `3 d ago`, and the date beyond two weeks. */
export function formatAgo(atMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  // The clock of a page is up to half a minute behind what is written now.
  if (minutes < -1 || minutes >= 14 * 24 * 60) return formatWhen(atMs, nowMs);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} m ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** A month as a heading: `October`, and `October 2025` in another year. */
export function formatMonth(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const name = at.toLocaleString("en", { month: "long" });
  return at.getFullYear() === new Date(nowMs).getFullYear() ? name : `${name} ${at.getFullYear()}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** Made when it is needed, as `grouped`. */
let currency: Intl.NumberFormat | null = null;

/** An amount for a quick look, from millionths of a dollar: `$0.004`, `$0.18`, `$12.40`, `$1,204`. */
export function formatDollars(microUsd: number): string {
  const dollars = microUsd / 1e6;
  if (microUsd === 0) return "$0";
  if (dollars < 0.0005) return "<$0.001";
  if (dollars < 0.0995) return `$${dollars.toFixed(3).replace(/0$/, "")}`;
  if (dollars < 999.995) {
    currency ??= new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
    return currency.format(dollars);
  }
  return `$${formatCount(Math.round(dollars))}`;
}

/** An amount; `null` means unknown: `unpriced`. With further tokens that have no price: `$0.18 +`. */
export function formatCost(microUsd: number | null, unpricedTokens: number): string {
  if (microUsd === null) return "unpriced";
  return unpricedTokens > 0 ? `${formatDollars(microUsd)} +` : formatDollars(microUsd);
}
