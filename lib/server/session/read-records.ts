import { parseRecord } from "@/lib/records/parse-record";
import type { SessionRecord } from "@/lib/records/session-record";
import { openConfined } from "../catalog/confined-file";
import type { OpenSession } from "./open-session";

/** Lines closer together than this are read in one go. */
const JOIN_GAP_BYTES = 16 << 10;
const JOIN_MOST_BYTES = 4 << 20;

type Span = { from: number; to: number; records: number[] };

/**
 * Reads records from their files by offset. Numbers below 0 and repeats are passed over.
 * @param keepBytes longer strings are cut to this; without it lines are parsed whole
 * @returns a look-up: `null` for what was not asked for or is no longer there
 */
export async function readRecords(
  session: OpenSession,
  wanted: Iterable<number>,
  keepBytes?: number,
): Promise<(record: number) => SessionRecord | null> {
  const { records } = session.table;
  const byFile = new Map<number, number[]>();
  for (const record of new Set(wanted)) {
    if (record < 0) continue;
    const file = records.get("file", record);
    const list = byFile.get(file);
    if (list) list.push(record);
    else byFile.set(file, [record]);
  }
  const found = new Map<number, SessionRecord>();
  for (const [file, list] of byFile) {
    const path = file === 0 ? session.files.main.path : session.files.agents[file - 1]?.path;
    if (!path) continue;
    const handle = await openConfined(session.files.root, path);
    try {
      for (const span of joinSpans(session, list)) {
        const bytes = new Uint8Array(span.to - span.from);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, span.from);
        for (const record of span.records) {
          const offset = records.get("offset", record);
          const length = records.get("length", record);
          const start = offset - span.from;
          const line = {
            bytes: bytes.subarray(start, Math.min(bytesRead, start + length)),
            offset,
            length,
            line: records.get("line", record),
          };
          found.set(record, parseRecord(line, { keepBytes }));
        }
      }
    } finally {
      await handle.close();
    }
  }
  return (record) => found.get(record) ?? null;
}

function joinSpans({ table: { records } }: OpenSession, list: number[]): Span[] {
  const spans: Span[] = [];
  for (const record of list.sort((a, b) => a - b)) {
    const from = records.get("offset", record);
    const to = from + records.get("length", record);
    const last = spans.at(-1);
    if (last && from - last.to <= JOIN_GAP_BYTES && to - last.from <= JOIN_MOST_BYTES && from >= last.from) {
      last.to = Math.max(last.to, to);
      last.records.push(record);
    } else spans.push({ from, to, records: [record] });
  }
  return spans;
}
