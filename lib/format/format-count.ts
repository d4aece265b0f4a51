const GROUPED = new Intl.NumberFormat("en");

/** A whole count with grouping: `2,310`. */
export function formatCount(count: number): string {
  return GROUPED.format(count);
}

/** A count to be read at a glance, three digits at most: `96`, `1.2k`, `184k`, `1.2M`, `3.4G`. */
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

/** `1 session`, `2,310 sessions`; the plural is the singular with an s unless given. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A share of 1 in whole percent, never 100 before it is: `56 %`. */
export function formatPercent(share: number): string {
  return `${share >= 1 ? 100 : Math.min(99, Math.floor(share * 100))} %`;
}
