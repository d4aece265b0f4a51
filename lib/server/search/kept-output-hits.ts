import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "@/lib/log/records/parse-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { RecordText } from "@/lib/server/index/record-texts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { rawPattern } from "./needle-pattern";
import { scanCandidates } from "./scan-candidates";
import type { SearchSource } from "./search-source";
import type { PlacedText, TextJudge } from "./text-judge";

/** The most of one kept output that is searched. */
const MOST_BYTES = 64 << 20;

/**
 * Finds in the outputs that were too long for the log and lie beside it (2.1.29 and later), one file a
 * step. A hit stands at the record that names the file.
 * @param pattern finds the words in plain UTF-8; null for every file
 */
export function* keptOutputHits(
  source: SearchSource,
  pattern: RegExp | null,
  judge: TextJudge,
  calls: () => CallLookup | null,
): Generator<SearchHit[]> {
  for (const name of outputsOf(source)) {
    const text = readOutput(source, name, pattern);
    const place = text === null ? null : placeOf(source, name);
    const hit = text !== null && place ? judge.judge(source, { ...place, text }, calls) : null;
    yield hit ? [hit] : [];
  }
}

function outputsOf({ folder }: SearchSource): string[] {
  if (folder === null) return [];
  try {
    return readdirSync(join(folder, "tool-results"));
  } catch {
    return []; // most sessions keep none
  }
}

/** Its text, if the pattern finds something in it; null too for what is gone or no file. */
function readOutput({ root, folder }: SearchSource, name: string, pattern: RegExp | null): string | null {
  let descriptor: number;
  try {
    descriptor = openConfinedSync(root, join(folder ?? "", "tool-results", name));
  } catch (error) {
    if (isViewerError(error)) return null;
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(MOST_BYTES, fstatSync(descriptor).size));
    const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    if (pattern) pattern.lastIndex = 0;
    return pattern === null || pattern.test(read.toString("latin1")) ? read.toString("utf8") : null;
  } finally {
    closeSync(descriptor);
  }
}

/** The first record that names the file, which is the result it was taken from. */
function placeOf({ root, files }: SearchSource, name: string): Omit<PlacedText, "text"> | null {
  for (const { path, key, agentId } of files) {
    try {
      for (const { lines } of scanCandidates(root, path, rawPattern([name]))) {
        const [line] = lines;
        const [record] = line ? parseLine({ ...line, length: line.bytes.length, line: 0 }) : [];
        if (!record || record.kind === "unreadable") continue;
        const block =
          record.kind === "user" ? record.blocks.findIndex((one) => one.kind === "tool-result") : 0;
        const field: RecordText["field"] = "output";
        return {
          file: key,
          agentId,
          offset: record.at.offset,
          block: Math.max(0, block),
          field,
          atMs: record.atMs,
          tool: null,
        };
      }
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
  }
  return null;
}
