/** `4.2 ms`, `87 ms`, `1.30 s`. */
export function formatMs(ms: number): string {
  return ms < 100 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** Decimal megabytes: `7.8 MB`, `266 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
}

/** Decimal kilobytes: `80 kB`. */
export function formatKilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

/** A whole number with grouping: `100,000`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
