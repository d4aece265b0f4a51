import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addTo } from "@/lib/format/lists";
import { asString, type JsonObject } from "@/lib/log/records/json";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { type QueueText, queuedTextOf, type RecordText, recordTexts } from "@/lib/server/index/record-texts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { formatRecordId, parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import type { CallLookup } from "./call-lookup";
import { rawPattern } from "./find-in-text";
import { type LocatedText, repeatedLines, type SearchSource, waitingLines } from "./sources";
import type { TextMatcher } from "./text-matcher";

type DeepScope = {
  source: SearchSource;
  /** Matches the candidate lines; null for all lines. */
  pattern: RegExp | null;
  /** Only the texts that the index would contain. */
  conversationOnly: boolean;
};

type DeepStep = { hits: SearchHit[]; bytesRead: number; fileDone: boolean };

/**
 * Searches a session's logs for what the index does not contain: tool output and the other fields of each line, and
 * everything written after the indexed part. A log that is gone or unreadable yields nothing.
 */
export function* scanLogs(
  scope: DeepScope,
  matcher: TextMatcher,
  calls: () => CallLookup | null,
): Generator<DeepStep> {
  const { source, pattern } = scope;
  const slugs = new Set<string>();
  for (const file of source.files) {
    let read = 0;
    const log = new LogSearch(scope, file, matcher, calls, slugs);
    try {
      for (const { lines, bytesRead } of scanCandidates(source.root, file.path, pattern)) {
        read += bytesRead;
        const hits = lines.flatMap((line) => log.hitsIn(line));
        yield { hits, bytesRead, fileDone: false };
      }
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
    yield { hits: log.heldHits(), bytesRead: Math.max(0, file.bytes - read), fileDone: true };
  }
}

/** The search of one log: what its lines had decides whether what a later one has is reported. */
class LogSearch {
  readonly #scope: DeepScope;
  readonly #file: SearchSource["files"][number];
  readonly #matcher: TextMatcher;
  readonly #calls: () => CallLookup | null;
  /** Texts that are repeated on every line (folder, branch, version): each is reported once. */
  readonly #seen = new Set<string>();
  /** Names of plans, of all logs of the session so far. */
  readonly #slugs: Set<string>;
  readonly #queue: HeldHits;

  constructor(
    scope: DeepScope,
    file: SearchSource["files"][number],
    matcher: TextMatcher,
    calls: () => CallLookup | null,
    slugs: Set<string>,
  ) {
    this.#slugs = slugs;
    this.#scope = scope;
    this.#file = file;
    this.#matcher = matcher;
    this.#calls = calls;
    this.#queue = new HeldHits(scope.source, file);
  }

  /** The hits of the next line, without those that wait for what is logged behind it. */
  hitsIn({ bytes, offset }: CandidateLine): SearchHit[] {
    const hits: SearchHit[] = [];
    for (const record of parseLine({ bytes, offset, length: bytes.length, line: 0 }))
      hits.push(...this.#hitsOf(record, [...this.#newSlugOf(record), ...textsOf(record, bytes, offset)]));
    return hits;
  }

  /** The name of a plan where the first line has it, which is a title, as the index has it. */
  #newSlugOf(record: SessionRecord): RecordText[] {
    const slug = record.kind === "unreadable" ? null : asString(record.json.slug);
    if (!slug || this.#slugs.has(slug)) return [];
    this.#slugs.add(slug);
    return [{ block: 0, field: "title", text: slug, indexed: true, tool: null }];
  }

  /** At the end of the log: the hits that waited, and that nothing behind them repeats. */
  heldHits(): SearchHit[] {
    return this.#queue.hits();
  }

  #hitsOf(record: SessionRecord, texts: readonly RecordText[]): SearchHit[] {
    const file = this.#file;
    const matcher = this.#matcher;
    const { source, conversationOnly } = this.#scope;
    const queued = record.kind === "unreadable" ? null : queuedTextOf(record);
    const isReport = queued?.waits === true && queued.by === "text";
    const isIndexed =
      record.at.offset < (source.indexed.get(file.key) ?? 0) &&
      !(queued?.waits && this.#queue.mayGoOn(record.at.offset));
    const found = new Set<string>();
    /** The texts of a field, if expressions are to be marked: one hit represents all of them. */
    const textsOfKey = new Map<string, string[]>();
    const own: { hit: SearchHit; isHeld: boolean }[] = [];
    const lineFields = isReport && record.kind !== "unreadable" ? fieldsBesideContent(record.json) : null;
    for (const { block, field, tool, text, indexed } of texts) {
      if (indexed ? isIndexed : conversationOnly) continue;
      // What a line in the queue says of itself, such as its time, no other line repeats.
      const isOfLine = field === "meta" && lineFields?.has(text) === true;
      const place = `${record.at.offset} ${block} ${field}`;
      const key = isOfLine ? `${place} of the line` : place;
      if (matcher.tellsFound) addTo(textsOfKey, place, text);
      if (found.has(key)) continue; // a result is logged twice: as the model saw it and in parts
      const atMs = record.kind === "unreadable" ? null : record.atMs;
      const location = {
        file: file.key,
        agentId: file.agentId,
        sidechain: record.kind !== "unreadable" && record.isSidechain,
        offset: record.at.offset,
        block,
        field,
        atMs,
        tool,
      };
      // The text first: behind a spread in front it costs half the time of a scan (Node 20).
      const hit = matcher.match(source, { text, ...location }, this.#calls);
      if (!hit || (field === "meta" && this.#seen.has(text))) continue;
      if (field === "meta" && (!isReport || isOfLine)) this.#seen.add(text);
      found.add(key);
      own.push({ hit, isHeld: queued?.waits === true && (isReport ? !isOfLine : field !== "meta") });
    }
    const free = own.filter(({ isHeld }) => !isHeld).map(({ hit }) => hit);
    const held = own
      .filter(({ isHeld, hit }) => isHeld && !free.some((one) => isAtSamePlace(one, hit)))
      .map(({ hit }) => hit);
    const marked = (list: SearchHit[]) =>
      matcher.tellsFound ? list.map((hit) => withFound(hit, matcher, textsOfKey)) : list;
    if (queued?.waits) this.#queue.hold(record.at.offset, queued, marked(held));
    else if (queued) this.#queue.deliver(record.at.offset, queued);
    return marked(free);
  }
}

/** The strings of a line in the queue beside what it queues. */
function fieldsBesideContent(json: JsonObject): ReadonlySet<string> {
  return new Set(
    Object.entries(json).flatMap(([name, value]) =>
      name !== "content" && typeof value === "string" ? [value] : [],
    ),
  );
}

function isAtSamePlace(one: SearchHit, other: SearchHit): boolean {
  return one.recordId === other.recordId && one.block === other.block && one.field === other.field;
}

function withFound(hit: SearchHit, matcher: TextMatcher, textsOfKey: Map<string, string[]>): SearchHit {
  const { offset } = parseRecordId(hit.recordId);
  const texts = matcher.foundIn(textsOfKey.get(`${offset} ${hit.block} ${hit.field}`) ?? []);
  return texts.length > 0 ? { ...hit, found: texts } : hit;
}

/**
 * Hits in the queue of a log: they count only if the log ends without another line with the same text. That line
 * matches the query as they do, so the search reads it too.
 */
class HeldHits {
  readonly #held = new Map<string, SearchHit[][]>();
  readonly #key: string;
  readonly #scanned: number;
  readonly #repeats: ReadonlySet<RecordId>;
  readonly #waiting: ReadonlySet<RecordId>;

  constructor(source: SearchSource, { key }: SearchSource["files"][number]) {
    this.#key = key;
    this.#scanned = source.scanned.get(key) ?? 0;
    this.#repeats = new Set(repeatedLines(source));
    this.#waiting = waitingLines(source);
  }

  /** Whether the index left this text to the search of the log's rest. */
  mayGoOn(offset: number): boolean {
    return this.#waiting.has(formatRecordId(this.#key, offset));
  }

  hold(offset: number, { text, by }: QueueText, hits: readonly SearchHit[]): void {
    if (hits.length === 0 || this.#repeats.has(formatRecordId(this.#key, offset))) return;
    // A prompt that has no line of its own (2.0.42–2.1.42) stays, even if the same is typed again.
    const isSettled = by === "place" && offset < this.#scanned && !this.mayGoOn(offset);
    const key = isSettled ? `${offset} ${text}` : text;
    const same = this.#held.get(key);
    if (!same) this.#held.set(key, [[...hits]]);
    else if (by === "place") same.push([...hits]);
  }

  deliver(offset: number, { text, by }: QueueText): void {
    // The scanned line of a prompt belongs to a queued prompt that is already known as repeated.
    if (by === "place" && offset < this.#scanned) return;
    const same = this.#held.get(text);
    same?.shift();
    if (same?.length === 0) this.#held.delete(text);
  }

  hits(): SearchHit[] {
    return [...this.#held.values()].flat(2);
  }
}

function textsOf(record: SessionRecord, bytes: Uint8Array, offset: number): RecordText[] {
  if (record.kind !== "unreadable") return recordTexts(record);
  const from = record.at.offset - offset;
  const text = new TextDecoder().decode(bytes.subarray(from, from + record.at.length));
  return [{ block: 0, field: "raw", text, indexed: false, tool: null }];
}

/** A line of a log that may match. `bytes` is a view: copy to keep. */
export type CandidateLine = { bytes: Uint8Array; offset: number };

type CandidateStep = { lines: CandidateLine[]; bytesRead: number };

const WINDOW_BYTES = 1 << 19;
const NEWLINE = 0x0a;

let buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);

/**
 * Reads a log window by window and yields the complete lines in which the pattern matches, or all lines
 * without a pattern. A window starts at a line's start and a match never spans two lines, so
 * none is missed; a line longer than the window makes the window grow. An incomplete line at the end is left out,
 * a record that only lacks its newline is not.
 * Throws what `openConfinedSync` throws.
 */
export function* scanCandidates(
  root: string,
  path: string,
  pattern: RegExp | null,
): Generator<CandidateStep> {
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    for (let at = 0; at < size; ) {
      const read = file.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (read === 0) return;
      let end = buffer.subarray(0, read).lastIndexOf(NEWLINE);
      if (end === -1 && at + read >= size) {
        const rest = buffer.subarray(0, read);
        if (!beginsWithRecord({ bytes: rest, offset: at, length: read, line: 0 })) return;
        // Append the newline that the file does not have yet, so that it is a line like any other.
        if (read === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(1)]);
        buffer[read] = NEWLINE;
        end = read;
      }
      if (end === -1) {
        buffer = Buffer.allocUnsafeSlow(buffer.length * 2);
        continue;
      }
      yield { lines: candidates(buffer.subarray(0, end + 1), at, pattern), bytesRead: end + 1 };
      at += end + 1;
    }
  } finally {
    file.close();
    if (buffer.length > WINDOW_BYTES) buffer = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  }
}

function candidates(window: Buffer, offset: number, pattern: RegExp | null): CandidateLine[] {
  const lines: CandidateLine[] = [];
  if (pattern === null) {
    for (let from = 0; from < window.length; ) {
      const to = window.indexOf(NEWLINE, from);
      lines.push({ bytes: window.subarray(from, to), offset: offset + from });
      from = to + 1;
    }
    return lines;
  }
  const text = window.toString("latin1");
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = text.lastIndexOf("\n", found.index) + 1;
    const to = text.indexOf("\n", found.index);
    lines.push({ bytes: window.subarray(from, to), offset: offset + from });
    pattern.lastIndex = to + 1;
  }
  return lines;
}

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
