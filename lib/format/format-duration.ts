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

/** How long something has lasted so far, whole seconds at least: `38 s`, `1 m 10 s`, `4 m`, `1 h 10 m`, `3 d`. */
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
