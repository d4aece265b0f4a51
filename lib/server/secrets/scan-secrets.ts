import { createHash } from "node:crypto";
import { RE2JS } from "re2js";
import type { RawLine } from "@/lib/log/records/line-splitter";
import { type Finding, type Learned, Redaction } from "@/lib/redact/redaction";
import { isPersonal } from "@/lib/redact/rules";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { type LineStart, readOpenLog } from "@/lib/server/disk/read-log";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { continuedMarks, type Identity, identify } from "@/lib/server/scan/file-identity";

/** The logs of a session, main log first, the user's own patterns, and what was found in it before. */
export type SecretsRequest = {
  root: string;
  files: { path: string; name: string }[];
  own: string[];
  /**
   * Found with the same patterns. Secrets keep their names, by which some may have been excepted, and a log that still
   * begins with what was read of it is read from there on.
   */
  before: Pick<ScannedSecrets, "learned" | "logs"> | undefined;
};

/** A finding with its line in the log: `line` is the one in the field's text. */
export type LoggedFinding = Finding & { file: number; logLine: number; offset: number; length: number };

/**
 * The secrets in a piece of a log. Personal data is listed once for each value, and all of it is counted. `names`: of
 * all that was found, each with the rule that found it first.
 */
type PieceSecrets = {
  findings: Omit<LoggedFinding, "file">[];
  counts: Record<string, number>;
  names: Map<string, string>;
};

/**
 * What was read of a log: its whole lines, up to `next`. `textBefore`: the end of their last text. `size` and `mtimeMs`
 * are those that it had before it was read, `beginning` is the hash of its first bytes, at most `MAX_COMPARED`.
 */
export type ScannedLog = Identity & {
  path: string;
  mtimeMs: number;
  beginning: string;
  next: LineStart;
  textBefore: string;
  secrets: PieceSecrets;
};

/** The secrets in a session. Personal data is listed once for each value, and all of it is counted. */
export type ScannedSecrets = {
  findings: LoggedFinding[];
  /** By rule. */
  counts: Record<string, number>;
  /** How many different ones, by rule. */
  distinct: Record<string, number>;
  learned: Learned;
  bytes: number;
  unread: { file: string; message: string }[];
  /** For the next scan of the session. */
  logs: ScannedLog[];
};

const MAX_FINDINGS = 2000;
/** So much of a log's beginning is compared before only what was appended is searched. */
const MAX_COMPARED = 4 << 20;
const decoder = new TextDecoder();

/**
 * Reads the lines of the files and finds the secrets in them: every line, or those behind what was read before.
 * Synchronous, for a worker thread; keeps one line at a time, and what it found. A file that cannot be read is listed,
 * never thrown.
 * @param onProgress bytes read since the last call; those that were read before count at once
 */
export function scanSecrets(
  { root, files, own, before }: SecretsRequest,
  onProgress: (bytes: number) => void,
): ScannedSecrets {
  const patterns = own.map((pattern) => RE2JS.compile(pattern));
  const redaction = new Redaction(patterns, [], before?.learned);
  const found = new SessionFindings();
  const scanned: Pick<ScannedSecrets, "bytes" | "unread" | "logs"> = { bytes: 0, unread: [], logs: [] };
  for (const [index, { path, name }] of files.entries()) {
    try {
      const file = openConfinedSync(root, path);
      try {
        const known = before?.logs.find((log) => log.path === path);
        const { log, rest, bytes } = scanLog(file, path, known, redaction, onProgress);
        found.add(index, log.secrets);
        found.add(index, rest);
        scanned.logs.push(log);
        scanned.bytes += bytes;
      } finally {
        file.close();
      }
    } catch (error) {
      if (!isViewerError(error)) throw error;
      scanned.unread.push({ file: name, message: error.message });
    }
  }
  return { ...found.all, ...scanned, learned: redaction.learned };
}

/** The secrets in a log's whole lines, and in a last one without a newline, which is read again when it is whole. */
function scanLog(
  file: OpenFile,
  path: string,
  before: ScannedLog | undefined,
  redaction: Redaction,
  onProgress: (bytes: number) => void,
): { log: ScannedLog; rest: PieceSecrets; bytes: number } {
  const { size, mtimeMs } = file.stat();
  const beginning = new Beginning(size);
  const known = before && isContinued(before, file, beginning) ? before : undefined;
  const secrets = known ? copyOf(known.secrets) : noSecrets();
  redaction.beginLog(known?.textBefore);
  if (known) onProgress(known.next.offset);
  const take = (piece: PieceSecrets, { bytes, line: logLine, offset, length }: RawLine) =>
    redaction.learn(decoder.decode(bytes), (finding) =>
      addFinding(piece, { ...finding, logLine, offset, length }),
    );
  const read = beginning.of(file);
  const { bytes, rest, next } = readOpenLog(read, (line) => take(secrets, line), onProgress, known?.next);
  const log: ScannedLog = {
    ...{ path, next, textBefore: redaction.textBefore, secrets, beginning: beginning.hash(next.offset) },
    ...{ ...identify(file, next.offset), size, mtimeMs },
  };
  const open = noSecrets();
  if (rest) take(open, rest);
  return { log, rest: open, bytes };
}

/**
 * True for a log that still begins with what was read of it, as far as that is compared. One that was written to and is
 * no longer than before was changed where nothing compares it.
 */
function isContinued(before: ScannedLog, file: OpenFile, beginning: Beginning): boolean {
  const { size, mtimeMs } = file.stat();
  if (size === before.size && mtimeMs !== before.mtimeMs) return false;
  if (continuedMarks({ ...before, bytes: before.next.offset }, file) === null) return false;
  beginning.read(file, before.next.offset);
  return beginning.hash(before.next.offset) === before.beginning;
}

/** The first bytes of a log, as they were read: not as the file has them afterwards. */
class Beginning {
  readonly #bytes: Buffer;

  constructor(size: number) {
    this.#bytes = Buffer.alloc(Math.min(size, MAX_COMPARED));
  }

  /** Reads those before `end`. */
  read(file: OpenFile, end: number): void {
    const own = this.of(file);
    const last = Math.min(end, this.#bytes.length);
    const chunk = Buffer.allocUnsafe(last);
    for (let at = 0; at < last; ) {
      const read = own.read(chunk, 0, last - at, at);
      if (read === 0) return;
      at += read;
    }
  }

  /** The same file, of which is kept what is read. */
  of(file: OpenFile): OpenFile {
    return {
      stat: () => file.stat(),
      close: () => file.close(),
      read: (buffer, offset, length, position) => {
        const read = file.read(buffer, offset, length, position);
        const room = this.#bytes.length - position;
        if (room > 0) this.#bytes.set(buffer.subarray(offset, offset + Math.min(read, room)), position);
        return read;
      },
    };
  }

  hash(end: number): string {
    return createHash("sha256").update(this.#bytes.subarray(0, end)).digest("base64url");
  }
}

function copyOf({ findings, counts, names }: PieceSecrets): PieceSecrets {
  return { findings: [...findings], counts: { ...counts }, names: new Map(names) };
}

function noSecrets(): PieceSecrets {
  return { findings: [], counts: {}, names: new Map() };
}

function addFinding({ findings, counts, names }: PieceSecrets, finding: Omit<LoggedFinding, "file">): void {
  const { rule, name } = finding;
  counts[rule] = (counts[rule] ?? 0) + 1;
  if (findings.length < MAX_FINDINGS && !(isPersonal(rule) && names.has(name))) findings.push(finding);
  if (!names.has(name)) names.set(name, rule);
}

/** What the pieces of a session's logs contain together. */
class SessionFindings {
  readonly all: Pick<ScannedSecrets, "findings" | "counts" | "distinct"> = {
    ...{ findings: [], counts: {}, distinct: {} },
  };
  readonly #names = new Set<string>();

  /** Adds those of the next piece, of the log with this index. */
  add(file: number, { findings, counts, names }: PieceSecrets): void {
    const { all } = this;
    for (const finding of findings) {
      if (all.findings.length >= MAX_FINDINGS) break;
      if (!isPersonal(finding.rule) || !this.#names.has(finding.name))
        all.findings.push({ ...finding, file });
    }
    for (const [rule, count] of Object.entries(counts)) all.counts[rule] = (all.counts[rule] ?? 0) + count;
    for (const [name, rule] of names) {
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      all.distinct[rule] = (all.distinct[rule] ?? 0) + 1;
    }
  }
}
