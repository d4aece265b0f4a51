type Comparison = ">" | ">=" | "<" | "<=" | "=";

type Amount = { comparison: Comparison; value: number };

const AMOUNT = /^(>=|<=|>|<|=)?(\d{1,15}(?:\.\d{1,6})?)([km])?$/i;
const FACTORS = new Map([
  ["k", 1000],
  ["m", 1_000_000],
]);

/** `>5k`, `<=200`, `1.5m`; without a sign "at least". Null for anything else. */
export function parseAmount(text: string): Amount | null {
  const found = AMOUNT.exec(text);
  if (!found) return null;
  const factor = FACTORS.get(found[3]?.toLowerCase() ?? "") ?? 1;
  return { comparison: (found[1] as Comparison | undefined) ?? ">=", value: Number(found[2]) * factor };
}

/** Tells whether a number is as the amount says. */
export function isAmount({ comparison, value }: Amount, number: number): boolean {
  switch (comparison) {
    case ">":
      return number > value;
    case ">=":
      return number >= value;
    case "<":
      return number < value;
    case "<=":
      return number <= value;
    case "=":
      return number === value;
  }
}

const AGE = /^(\d{1,5})(h|d|w|mo|y)$/i;
const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?)?)?(Z)?$/;
const HOUR_MS = 3_600_000;
const AGES_MS = new Map([
  ["h", HOUR_MS],
  ["d", 24 * HOUR_MS],
  ["w", 7 * 24 * HOUR_MS],
  ["mo", 30 * 24 * HOUR_MS],
  ["y", 365 * 24 * HOUR_MS],
]);

/**
 * When a value of `before:` or `after:` is, in epoch milliseconds: a date with any precision from the
 * year on, meaning its start in local time, or with a `Z` in UTC; `today`, `yesterday`; or an age, counted back from now.
 * Null for anything else, such as a 13th month.
 */
export function parseMoment(text: string, nowMs: number): number | null {
  const word = text.toLowerCase();
  if (word === "today" || word === "yesterday") {
    const day = new Date(nowMs);
    day.setHours(0, 0, 0, 0);
    if (word === "yesterday") day.setDate(day.getDate() - 1);
    return day.getTime();
  }
  const age = AGE.exec(text);
  if (age) return nowMs - Number(age[1]) * (AGES_MS.get((age[2] as string).toLowerCase()) as number);
  const date = DATE.exec(text);
  if (!date) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = date
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Years below 100 are taken for 19xx, and a 31st of June rolls over: both are no date.
  const isReal =
    utc.getUTCFullYear() === year &&
    utc.getUTCMonth() === month - 1 &&
    utc.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!isReal) return null;
  return date[7] ? utc.getTime() : new Date(year, month - 1, day, hour, minute, second).getTime();
}
