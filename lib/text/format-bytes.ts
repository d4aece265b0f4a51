/** Bytes in decimal units, as disks and `ls -h --si` count: `812 B`, `312 kB`, `7.8 GB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1);
  return `${text} ${units[unit]}`;
}
