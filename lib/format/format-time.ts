const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Midnight, local time, of the day that `days` days lie before the day of `atMs`. Safe across clock changes. */
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

/** As short as it can be said: `14:02` today, `Thu 17:31` within six days, `14 Nov` this year, `14 Nov 2025`. */
export function formatWhen(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  if (atMs >= startOfDay(nowMs) && atMs < startOfDay(nowMs, -1)) return formatClock(atMs);
  if (atMs >= startOfDay(nowMs, 6) && atMs <= nowMs) return `${DAYS[at.getDay()]} ${formatClock(atMs)}`;
  const day = `${at.getDate()} ${MONTHS[at.getMonth()]}`;
  return at.getFullYear() === new Date(nowMs).getFullYear() ? day : `${day} ${at.getFullYear()}`;
}

/** Everything, for a hover: `Thu 20 Nov 2026, 17:31:08`. */
export function formatFullTime(atMs: number): string {
  const at = new Date(atMs);
  const day = `${DAYS[at.getDay()]} ${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}`;
  return `${day}, ${formatClockSeconds(atMs)}`;
}

/** How long ago: `now`, `38 m ago`, `5 h ago`, `3 d ago`, and the date beyond two weeks. */
export function formatAgo(atMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - atMs) / 60_000);
  if (minutes < 0 || minutes >= 14 * 24 * 60) return formatWhen(atMs, nowMs);
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
