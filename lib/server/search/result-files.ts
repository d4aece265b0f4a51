import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseLine } from "@/lib/log/records/parse-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { type CandidateLine, scanCandidates } from "./candidate-lines";
import { rawPattern } from "./find-in-text";
import type { LocatedText, SearchSource } from "./sources";
import type { TextMatcher } from "./text-matcher";

/** The maximum of one tool-result file that is searched. */
const MAX_BYTES = 64 << 20;

/**
 * Searches the tool-result files, which contain outputs that were too long for the log (2.1.29 and later), one file a
 * step. A hit is located at the record that names the file.
 * @param pattern matches the terms in plain UTF-8; null for every file
 */
export function* scanResultFiles(
  source: SearchSource,
  pattern: RegExp | null,
  matcher: TextMatcher,
  calls: () => CallLookup | null,
): Generator<SearchHit[]> {
  const names = new Set(outputsOf(source));
  const places = new Map<string, OutputPlace>();
  const naming = placesOfOutputs(source, names);
  try {
    for (const name of names) {
      const text = readOutput(source, name, pattern);
      // The logs are read once for all names, as far as they are needed.
      while (text !== null && !places.has(name)) {
        const next = naming.next();
        if (next.done) break;
        for (const [named, place] of next.value) if (!places.has(named)) places.set(named, place);
        yield [];
      }
      const place = places.get(name);
      const hit = text !== null && place ? matcher.match(source, { text, ...place }, calls) : null;
      yield hit ? [hit] : [];
    }
  } finally {
    naming.return();
  }
}

function outputsOf({ folder, keptOutputs }: SearchSource): Iterable<string> {
  if (folder === null) return [];
  try {
    return new Set([...readdirSync(join(folder, "tool-results")), ...keptOutputs]);
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return keptOutputs; // most sessions have none on disk
  }
}

/** Its text, if the pattern matches in it; null also for a path that is gone or not a file. */
function readOutput({ root, folder }: SearchSource, name: string, pattern: RegExp | null): string | null {
  let file: OpenFile;
  try {
    file = openConfinedSync(root, join(folder ?? "", "tool-results", name));
  } catch (error) {
    if (isViewerError(error)) return null;
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.min(MAX_BYTES, file.stat().size));
    const read = bytes.subarray(0, file.read(bytes, 0, bytes.length, 0));
    if (pattern) pattern.lastIndex = 0;
    return pattern === null || pattern.test(read.toString("latin1")) ? read.toString("utf8") : null;
  } finally {
    file.close();
  }
}

type OutputPlace = Omit<LocatedText, "text">;

/** Names of files as clients make them, behind a slash, or an escaped backslash (Windows). */
const FILE_NAMES = /[/\\]([\w.-]*\w)/g;
const FILE_NAME = /^[\w.-]*\w$/;

/**
 * The records that name these files, in the order of the logs: the first one of a file is the result that it was saved
 * from. Each step returns those in one window of a log.
 */
function* placesOfOutputs(
  { root, files }: SearchSource,
  names: ReadonlySet<string>,
): Generator<[name: string, place: OutputPlace][], void> {
  const others = [...names].filter((name) => !FILE_NAME.test(name));
  for (const { path, key, agentId } of files) {
    try {
      for (const { lines } of scanCandidates(root, path, rawPattern(["tool-results"])))
        yield lines.flatMap((line) => {
          const text = Buffer.from(line.bytes).toString("utf8");
          const named = [...text.matchAll(FILE_NAMES)].flatMap(([, name = ""]) =>
            names.has(name) ? [name] : [],
          );
          named.push(...others.filter((name) => text.includes(JSON.stringify(name).slice(1, -1))));
          const place = named.length === 0 ? null : resultPlace(line, key, agentId);
          return place ? named.map((name): [string, OutputPlace] => [name, place]) : [];
        });
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
  }
}

function resultPlace(line: CandidateLine, file: string, agentId: string | null): OutputPlace | null {
  const [record] = parseLine({ ...line, length: line.bytes.length, line: 0 });
  if (!record || record.kind === "unreadable") return null;
  const block = record.kind === "user" ? record.blocks.findIndex((one) => one.kind === "tool-result") : 0;
  const { at, atMs } = record;
  return { file, agentId, offset: at.offset, block: Math.max(0, block), field: "output", atMs, tool: null };
}
