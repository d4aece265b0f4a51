import { join } from "node:path";
import { isObject } from "@/lib/format/json-values";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { explainFault, faultCode, isFileDamage, isMissing } from "@/lib/server/disk/file-fault";
import type { FoundFile } from "@/lib/server/disk/folder-entries";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { replaceFile, setAside } from "@/lib/server/disk/replace-file";
import { checksumOf, partsOf, readLongText } from "@/lib/server/disk/text-in-parts";
import { nextSlice } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { Warning } from "@/lib/wire/library";
import { FactsCollector, type LogFacts, noFacts } from "./log-facts";
import type { ReadFacts } from "./session-draft";

/** Facts from a log's ends, and the state of the file when they were read. */
export type KnownFacts = Pick<FoundFile, "dev" | "ino" | "bytes" | "mtimeMs"> & { read: ReadFacts };

const UNREAD: ReadFacts = { facts: noFacts(), problem: null };

/** Facts of logs, read again only where a log's size, identity or time has changed. */
export class FactsCache {
  #revision = 0;
  readonly #known = new Map<string, KnownFacts>();

  /** Loads the facts of an earlier run; each log is still compared with its file. */
  takeOver(known: Iterable<[path: string, known: KnownFacts]>): void {
    for (const [path, facts] of known) this.#known.set(path, facts);
    this.#revision = 0;
  }

  /** All known facts, to be saved for a later run. */
  entries(): [path: string, known: KnownFacts][] {
    return [...this.#known];
  }

  /** How many logs have been read. */
  get revision(): number {
    return this.#revision;
  }

  /** Empty facts for a log that was not loaded yet. */
  of(path: string): ReadFacts {
    return this.#known.get(path)?.read ?? UNREAD;
  }

  /** Reads the facts of those files that have changed, in slices between which requests get their turn. */
  async load(root: string, files: readonly FoundFile[]): Promise<void> {
    for (const file of files) {
      if (!this.#isFresh(file)) this.#read(root, file);
      await nextSlice();
    }
  }

  /** Forgets every log that is not in `paths`. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
  }

  #isFresh(file: FoundFile): boolean {
    const known = this.#known.get(file.path);
    return (
      known?.read.problem === null && // a file that could not be read is tried again
      known.bytes === file.bytes &&
      known.ino === file.ino &&
      known.dev === file.dev &&
      known.mtimeMs === file.mtimeMs
    );
  }

  #read(root: string, file: FoundFile): void {
    const { dev, ino, bytes, mtimeMs } = file;
    this.#revision += 1;
    this.#known.set(file.path, { dev, ino, bytes, mtimeMs, read: readFacts(root, file) });
  }
}

function readFacts(root: string, file: FoundFile): ReadFacts {
  if (file.bytes === 0) return { facts: { ...noFacts(), lines: 0 }, problem: null };
  try {
    return { facts: readLogFacts(root, file.path, file.bytes), problem: null };
  } catch (error) {
    const fault = isViewerError(error) ? error : faultCode(error) === null ? null : explainFault(error);
    if (fault === null) throw error;
    // Deleted since the folder was listed: the next listing will not have it.
    if (fault.code === "file-gone" || isMissing(error)) return UNREAD;
    const { code, message, hint } = fault;
    return { facts: noFacts(), problem: { code, message, hint } };
  }
}

const END_BYTES = 16 * 1024;
/** A log up to this size is read whole. */
const READ_WHOLE_BYTES = 2 * END_BYTES;
const MAX_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 8 * 1024 * 1024;
/** Long enough for any title and for the part of a prompt that the library shows. */
const KEEP_BYTES = 4096;

/**
 * Reads the ends of a log: 16 KiB of head and tail, each extended to 1 MiB while the working directory,
 * a prompt or a time is still missing. Only a log without any message up to there is read further, since
 * a file without messages is not a session. Synchronous, since each read is small. Throws what
 * `openConfinedSync` throws.
 * @param size the log's size when it was listed: later lines belong to the next listing
 */
export function readLogFacts(root: string, path: string, size: number): LogFacts {
  const file = openConfinedSync(root, path);
  try {
    const collector = new FactsCollector();
    const take = (line: RawLine) => {
      if (line.length === 0) return;
      for (const record of parseLine(line, { keepBytes: KEEP_BYTES })) collector.add(record);
    };
    const splitter = new LineSplitter();
    let read = 0;
    const readTo = (to: number) => {
      const chunk = readRangeSync(file, read, Math.min(to, size));
      read = chunk.length === 0 ? size : read + chunk.length;
      splitter.push(chunk, take);
    };
    readTo(size <= READ_WHOLE_BYTES ? size : END_BYTES);
    // A first prompt with a pasted image is one line of megabytes: that line is read to its end.
    const inLongLine = () => read - splitter.consumed >= MAX_BYTES / 2 && read < MAX_LINE_BYTES;
    while (read < size && !collector.headDone && (read < MAX_BYTES || inLongLine())) readTo(read * 2);
    if (read < size) takeGlued(splitter.rest(), take);
    if (size - read > END_BYTES) readTail(file, size, read, collector, take);
    while (read < size && (!collector.facts.hasMessages || size - read <= END_BYTES)) {
      readTo(read + END_BYTES);
      // Too long to hold in memory here, and hardly bookkeeping: the full scan will show.
      if (read - splitter.consumed > MAX_LINE_BYTES) collector.facts.hasMessages = true;
    }
    if (read >= size) {
      const rest = splitter.rest();
      if (rest) take(rest);
      collector.facts.lines = splitter.nextLine - 1 + (rest ? 1 : 0);
    }
    return collector.finish();
  } finally {
    file.close();
  }
}

/** The first records of a line that is too long to be read to its end here: a log without newlines. */
function takeGlued(line: RawLine | null, take: (line: RawLine) => void): void {
  if (!line || line.length < MAX_BYTES / 2 || !beginsWithRecord(line)) return;
  const bytes = line.bytes.subarray(0, MAX_BYTES);
  take({ ...line, bytes, length: bytes.length });
}

/**
 * The last complete lines; or the last part of a longer one, starting further back where the end is one long line
 * without a time.
 */
function readTail(
  file: OpenFile,
  size: number,
  headEnd: number,
  collector: FactsCollector,
  take: (line: RawLine) => void,
): void {
  const { facts } = collector;
  const headsLastMs = facts.lastActiveAtMs;
  facts.lastActiveAtMs = null;
  collector.enterTail();
  for (let bytes = END_BYTES; ; bytes = MAX_BYTES) {
    const from = Math.max(headEnd, size - bytes);
    const chunk = readRangeSync(file, from, size);
    const firstLine = chunk.indexOf(0x0a) + 1;
    if (firstLine > 0) {
      const splitter = new LineSplitter(from + firstLine);
      splitter.push(chunk.subarray(firstLine), take);
      const rest = splitter.rest();
      if (rest) take(rest);
    } else take({ bytes: chunk, offset: from, length: chunk.length, line: 0 });
    if (facts.lastActiveAtMs !== null || bytes === MAX_BYTES || from === headEnd) break;
  }
  if (headsLastMs !== null) facts.lastActiveAtMs = Math.max(headsLastMs, facts.lastActiveAtMs ?? headsLastMs);
}

const NAME = "facts.json";
/** Increase it with every change of `LogFacts` or of how they are read. */
const VERSION = 4;

type Facts = [path: string, known: KnownFacts][];
/**
 * The facts of logs saved by the last run, so that a start need not read them; empty where there are none
 * that can be used. A damaged file is moved aside, with a warning; one that cannot be read for now is left where it is.
 * Never throws.
 */
export async function readFactsFile(
  dataDir: string | null,
): Promise<{ facts: Facts; warning: Warning | null }> {
  const nothing = { facts: [], warning: null };
  if (dataDir === null) return nothing;
  const path = join(dataDir, NAME);
  try {
    return { facts: parseFacts(await readLongText(path)), warning: null };
  } catch (error) {
    if (!isFileDamage(error)) return nothing;
    await setAside(path);
    return { facts: [], warning: damagedWarning(path) };
  }
}

/** Saves the facts for the next start. The file is replaced atomically; if the disk is full, the old one stays. */
export async function writeFactsFile(dataDir: string | null, facts: Facts): Promise<void> {
  if (dataDir === null) return;
  const body = JSON.stringify(facts);
  const head = JSON.stringify({ version: VERSION, sum: checksumOf(body) });
  try {
    await replaceFile(join(dataDir, NAME), partsOf(`${head}\n${body}\n`));
  } catch (error) {
    // The index reports a fault of the folder to the reader.
    if (faultCode(error) === null) throw error;
  }
}

/**
 * The facts in a file: a line with version and checksum, then a line with the entries. Empty for another version.
 * Throws where the checksum does not match.
 */
function parseFacts(text: string): Facts {
  const end = text.indexOf("\n");
  const head: unknown = JSON.parse(end === -1 ? text : text.slice(0, end));
  if (!isObject(head) || !isNumber(head.version)) throw new TypeError("no version");
  if (head.version !== VERSION) return [];
  const body = text.slice(end + 1, -1);
  if (end === -1 || checksumOf(body) !== head.sum) throw new TypeError("a wrong checksum");
  const facts: unknown = JSON.parse(body);
  if (!isListOf(facts, isEntry)) throw new TypeError("another shape");
  return facts;
}

function damagedWarning(path: string): Warning {
  return {
    code: "facts-damaged",
    message: "What the last start kept of the logs’ ends was damaged, so they are read again",
    hint: "Nothing is lost: it is made from the logs. The damaged file lies beside it.",
    path,
  };
}

type Check<T> = (value: unknown) => value is T;

const isString: Check<string> = (value) => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isBoolean: Check<boolean> = (value) => typeof value === "boolean";
const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);
const listOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    isListOf(value, check);
/** An object with exactly these fields, so that a key with a flipped bit is noticed. */
const shape =
  <T extends object>(fields: { [K in keyof T]-?: Check<T[K]> }): Check<T> =>
  (value): value is T => {
    if (!isObject(value)) return false;
    const checks = Object.entries<Check<unknown>>(fields);
    return (
      Object.keys(value).length === checks.length &&
      checks.every(([name, check]) => Object.hasOwn(value, name) && check(value[name]))
    );
  };

function isListOf<T>(value: unknown, check: Check<T>): value is T[] {
  return Array.isArray(value) && value.every(check);
}

const isLogFacts = shape<LogFacts>({
  hasMessages: isBoolean,
  cwd: orNull(isString),
  gitBranch: orNull(isString),
  firstPrompt: orNull(isString),
  customTitle: orNull(isString),
  aiTitle: orNull(isString),
  summaries: listOf(shape({ leafUuid: orNull(isString), text: isString })),
  lastUuids: listOf(isString),
  firstUuid: orNull(isString),
  firstParentUuid: orNull(isString),
  firstMessageId: orNull(isString),
  forkedFrom: orNull(isString),
  startedAtMs: orNull(isNumber),
  lastActiveAtMs: orNull(isNumber),
  models: listOf(isString),
  slugs: listOf(isString),
  sessionIds: listOf(isString),
  warmUp: isBoolean,
  lines: orNull(isNumber),
});

const isKnownFacts = shape<KnownFacts>({
  dev: isNumber,
  ino: isNumber,
  bytes: isNumber,
  mtimeMs: isNumber,
  read: shape<KnownFacts["read"]>({
    facts: isLogFacts,
    problem: orNull(shape({ code: isString, message: isString, hint: isString })),
  }),
});

const isEntry = (value: unknown): value is Facts[number] =>
  Array.isArray(value) && value.length === 2 && isString(value[0]) && isKnownFacts(value[1]);
