/** SQLite's result codes, the low byte of the extended ones. */
const CODES = { busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const;

/** True where another process holds the file. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === CODES.busy || code === CODES.locked;
}

/** True where the file's content is wrong, so that only a new one helps. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  return code === CODES.corrupt || code === CODES.notADatabase;
}

/** An error of SQLite or of the file system, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Both drivers put the code into `errcode`; messages are SQLite's own where it is missing. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if (/malformed|vtable constructor failed/.test(error.message)) return CODES.corrupt;
  if (/not a database/.test(error.message)) return CODES.notADatabase;
  return /database (?:table )?is locked/.test(error.message) ? CODES.busy : 0;
}
