import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RE2JS, RE2JSException } from "re2js";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";
import { ViewerError } from "@/lib/server/runtime/viewer-error";

/** In the data folder: a regular expression a line (RE2), `#` begins a comment. */
const OWN_PATTERNS_FILE = "redact.txt";

/**
 * The user's own patterns to redact: none without the file or a data folder. Throws ViewerError `bad-pattern` with the
 * line that is no regular expression, and for a file that is no UTF-8 text or cannot be read.
 */
export async function readOwnPatterns(dataDir: string | null): Promise<string[]> {
  if (dataDir === null) return [];
  const path = join(/*turbopackIgnore: true*/ dataDir, OWN_PATTERNS_FILE);
  let text: string;
  try {
    text = await readFile(/*turbopackIgnore: true*/ path, "utf8");
  } catch (error) {
    if (isMissing(error)) return [];
    if (faultCode(error) === null) throw error;
    throw badPattern(`${OWN_PATTERNS_FILE} cannot be read`, path, "Check who may read it", error);
  }
  // The > of Windows PowerShell writes UTF-16, in which no pattern would ever match.
  if (/[\0\ufffd]/.test(text))
    throw badPattern(`${OWN_PATTERNS_FILE} is no UTF-8 text`, path, "Save it as UTF-8");
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) if (!isEmpty(line)) check(line, `${path}:${index + 1}`);
  return lines.filter((line) => !isEmpty(line));
}

function isEmpty(line: string): boolean {
  return line === "" || line.startsWith("#");
}

function check(pattern: string, place: string): void {
  try {
    RE2JS.compile(pattern);
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    const hint = `Correct the line in ${OWN_PATTERNS_FILE} in the data folder`;
    throw badPattern(`Not a regular expression: ${cause.message}`, place, hint, cause);
  }
}

/** Ignoring the pattern would let through what the user wants redacted. */
function badPattern(message: string, path: string, hint: string, cause?: unknown): ViewerError {
  return new ViewerError("bad-pattern", message, { status: 500, path, hint: `${hint}.`, cause });
}
