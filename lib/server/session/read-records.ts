import { addTo } from "@/lib/format/lists";
import { parseRecord } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { Rewriting } from "@/lib/redact/home-folder";
import { openConfined, openConfinedSync } from "@/lib/server/disk/confined-file";
import { readRange, readRangeSync } from "@/lib/server/disk/read-range";
import type { LogFile, SessionFiles } from "@/lib/server/library/session-files";
import { nextSlice } from "@/lib/server/runtime/slices";
import { checkClosedLogAsRead, checkLogAsRead, LogRewritten, type LogsRead } from "./logs-read";

/** Lines closer together than this are read at once. */
const JOIN_GAP_BYTES = 16 << 10;
const MAX_JOINED_BYTES = 4 << 20;
/** So much of a file is in memory at once, or one line. */
const MAX_HELD_BYTES = 16 << 20;
/** Up to this much of a file is read synchronously: handing it to the thread pool would take longer. */
const MAX_SYNC_BYTES = 256 << 10;

/** A session's files, how far they were read, and where their lines are: an `OpenSession`. */
type ReadableSession = {
  files: SessionFiles;
  read: LogsRead;
  table: SessionTable;
  redaction: Rewriting | null;
};

/** Spans of a kept file that are unpacked together. */
const PREPARED_SPANS = 4;

type Span = { from: number; to: number; records: number[] };

/**
 * Reads records from their files by offset. Negative numbers and repeats are ignored.
 * @param keepBytes longer strings are cut to this; without it lines are parsed whole
 * @param keepUnits at least this many UTF-16 units of them are kept, however many bytes they take
 * @returns a look-up: `null` for a record that was not requested
 * @throws `LogRewritten` where a log is no longer what the session was read from, and what `openConfined` throws
 */
export async function readRecords(
  session: ReadableSession,
  wanted: Iterable<number>,
  keepBytes?: number,
  keepUnits = 0,
): Promise<(record: number) => SessionRecord | null> {
  const { records } = session.table;
  const found = new Map<number, SessionRecord>();
  for (const [log, list] of byLog(session, wanted)) {
    for (const spans of heldTogether(joinSpans(session, list, MAX_JOINED_BYTES))) {
      const chunks = await readSpans(session, log, spans);
      for (const [index, span] of spans.entries()) {
        const bytes = chunks[index] as Uint8Array;
        for (const record of span.records) {
          // Scanning through a long line takes longer than reading it.
          if (session.redaction) await nextSlice();
          const offset = records.offset.at(record);
          const length = records.length.at(record);
          const start = offset - span.from;
          const line = {
            bytes: redactedLine(session, bytes.subarray(start, start + length)),
            offset,
            length,
            line: records.line.at(record),
          };
          found.set(record, parseRecord(line, { keepBytes, keepUnits, measures: true }));
        }
      }
    }
  }
  return (record) => found.get(record) ?? null;
}

/**
 * Passes the lines of these records as they are in their files, to callers that examine their bytes and keep none: each
 * line is between two offsets of a buffer that is reused. Throws as `readRecords`.
 */
export async function eachLine(
  session: Omit<ReadableSession, "redaction">,
  wanted: Iterable<number>,
  take: (record: number, bytes: Uint8Array, from: number, to: number) => void,
): Promise<void> {
  const { files, read } = session;
  const { records } = session.table;
  const buffer = Buffer.allocUnsafeSlow(MAX_SYNC_BYTES);
  for (const [log, list] of byLog(session, wanted)) {
    const file = openConfinedSync(files.root, log.path);
    try {
      for (const span of joinSpans(session, list, MAX_SYNC_BYTES)) {
        await file.prepare?.(span.to - span.from, span.from);
        const bytes = readRangeSync(file, span.from, span.to, buffer);
        if (bytes.length < span.to - span.from) throw new LogRewritten(files.id, log.path);
        for (const record of span.records) {
          const from = records.offset.at(record) - span.from;
          const to = from + records.length.at(record);
          take(record, bytes, from, to);
        }
        await nextSlice();
      }
      checkLogAsRead(files.id, read, log, file);
    } finally {
      file.close();
    }
  }
}

/** Records by the log that they are in. */
function byLog(
  { files, table: { records } }: Pick<ReadableSession, "files" | "table">,
  wanted: Iterable<number>,
): Map<LogFile, number[]> {
  const lists = new Map<LogFile, number[]>();
  for (const record of new Set(wanted)) {
    if (record < 0) continue;
    const file = records.file.at(record);
    const log = file === 0 ? files.main : files.agents[file - 1];
    if (!log) continue;
    addTo(lists, log, record);
  }
  return lists;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** A line as the session's reader may see it. */
export function redactedLine(
  { redaction }: Pick<ReadableSession, "redaction">,
  bytes: Uint8Array,
): Uint8Array {
  if (!redaction) return bytes;
  const line = decoder.decode(bytes);
  const redacted = redaction.redactLine(line);
  return redacted === line ? bytes : encoder.encode(redacted);
}

/** The bytes of a text that was cut at a limit, without a partial character at the end. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let last = bytes.length - 1;
  while (last > bytes.length - 4 && ((bytes[last] ?? 0) & 0xc0) === 0x80) last -= 1;
  const first = bytes[last] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return last + length > bytes.length ? bytes.subarray(0, last) : bytes;
}

/** The bytes of each span. Throws as `readRecords`. */
async function readSpans(
  { files, read }: Omit<ReadableSession, "redaction">,
  log: LogFile,
  spans: readonly Span[],
): Promise<Uint8Array[]> {
  const whole = (bytes: Uint8Array, { from, to }: Span) => {
    if (bytes.length < to - from) throw new LogRewritten(files.id, log.path);
    return bytes;
  };
  if (spans.reduce((sum, { from, to }) => sum + to - from, 0) <= MAX_SYNC_BYTES) {
    const file = openConfinedSync(files.root, log.path);
    try {
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < spans.length; at += PREPARED_SPANS) {
        const next = spans.slice(at, at + PREPARED_SPANS);
        // Each may be in another chunk of a kept file: unpacking them all at once would block every other request.
        if (file.prepare)
          await Promise.all(next.map(async ({ from, to }) => file.prepare?.(to - from, from)));
        for (const span of next) chunks.push(whole(readRangeSync(file, span.from, span.to), span));
      }
      checkLogAsRead(files.id, read, log, file);
      return chunks;
    } finally {
      file.close();
    }
  }
  const handle = await openConfined(files.root, log.path);
  const chunks: Uint8Array[] = [];
  try {
    for (const span of spans) chunks.push(whole(await readRange(handle, span.from, span.to), span));
  } finally {
    await handle.close();
  }
  checkClosedLogAsRead(files.id, files.root, read, log);
  return chunks;
}

/** The spans in groups that are read one after the other. */
function heldTogether(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = [];
  let bytes = 0;
  for (const span of spans) {
    const size = span.to - span.from;
    const last = groups.at(-1);
    if (last && bytes + size <= MAX_HELD_BYTES) {
      last.push(span);
      bytes += size;
    } else {
      groups.push([span]);
      bytes = size;
    }
  }
  return groups;
}

function joinSpans(
  { table: { records } }: Pick<ReadableSession, "table">,
  list: number[],
  maxBytes: number,
): Span[] {
  const spans: Span[] = [];
  for (const record of list.sort((a, b) => a - b)) {
    const from = records.offset.at(record);
    const to = from + records.length.at(record);
    const last = spans.at(-1);
    if (last && from - last.to <= JOIN_GAP_BYTES && to - last.from <= maxBytes && from >= last.from) {
      last.to = Math.max(last.to, to);
      last.records.push(record);
    } else spans.push({ from, to, records: [record] });
  }
  return spans;
}
