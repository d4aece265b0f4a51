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
