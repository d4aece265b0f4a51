/** SQLite's result codes, the low byte of the extended ones. */
const BUSY = new Set([5, 6]);
/** What the disk, the system or another process does to a file whose content may well be right. */
const SURROUNDINGS = new Set([3, 7, 8, 10, 13, 14, 15, 22, 23]);

/** Extended codes among them that tell of the content all the same: pages that end before they should. */
const SHORT_READ = 522;

/** True where another process holds the file. */
export function isBusy(error: unknown): boolean {
  return (
    BUSY.has(codeOf(error)) || (error instanceof Error && /database (?:table )?is locked/.test(error.message))
  );
}

/**
 * True where the file's content is wrong, so that only a new one helps. A flipped byte shows in many
 * ways: a missing table, a syntax error in the schema. So it is everything that the surroundings
 * don't explain.
 */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof Error && "errcode" in error && error.errcode === SHORT_READ) return true;
  return code !== 0 && !BUSY.has(code) && !SURROUNDINGS.has(code);
}

/** An error of SQLite or of the file system, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** 0 for what is no error of SQLite. Both drivers put its code into `errcode`; one that has none is a plain error (1). */
function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  if ("sqliteCode" in error && typeof error.sqliteCode === "number") return error.sqliteCode & 0xff;
  return "code" in error && error.code === "ERR_SQLITE_ERROR" ? 1 : 0;
}
