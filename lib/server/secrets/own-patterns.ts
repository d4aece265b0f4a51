import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RE2JS, RE2JSException } from "re2js";
import { isMissing } from "@/lib/server/disk/file-fault";
import { ViewerError } from "@/lib/server/runtime/viewer-error";

/** In the data folder: a regular expression a line (RE2), `#` begins a comment. */
const OWN_PATTERNS_FILE = "redact.txt";

/**
 * What the user wants redacted besides: none without the file or a data folder.
 * Throws ViewerError `bad-pattern` with the line that is no regular expression.
 */
export async function readOwnPatterns(dataDir: string | null): Promise<string[]> {
  if (dataDir === null) return [];
  const path = join(/*turbopackIgnore: true*/ dataDir, OWN_PATTERNS_FILE);
  let text: string;
  try {
    text = await readFile(/*turbopackIgnore: true*/ path, "utf8");
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
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
    // Left out, it would let through what the user wants redacted.
    throw new ViewerError("bad-pattern", `Not a regular expression: ${cause.message}`, {
      status: 500,
      path: place,
      hint: `Correct the line in ${OWN_PATTERNS_FILE} in the data folder.`,
    });
  }
}
