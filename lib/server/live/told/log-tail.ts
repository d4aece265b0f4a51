import { LineSplitter } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { nextSlice } from "@/lib/server/runtime/slices";
import { FactsOfTail, KEEP_BYTES, type TailFacts } from "./tail-facts";

const TAIL_BYTES = 128 << 10;
/** For logs that end in bookkeeping (2.1.330 writes request logs of 100 kB), or in work that began further up. */
const MAX_BYTES = 2 << 20;
/** So much of what was read before is looked at again: whether it still stands there. */
const MARK_BYTES = 1 << 10;
const NEWLINE = 0x0a;

/** Spare buffers for tails: in a busy folder hundreds of logs are read in a second. */
const spares: Buffer[] = [];
const MAX_SPARES = 4;

/** How far a log was read, what stood right before there, and what it said up to there. */
type ReadUpTo = {
  path: string;
  dev: number;
  ino: number;
  offset: number;
  mark: Buffer;
  facts: FactsOfTail;
};

/**
 * The facts at the end of a main log. What is appended is read and nothing else; a log that is another one, or was cut or
 * written anew, is read from its end again. Synchronously, which takes less time than the thread pool.
 */
export class LogTail {
  #last: ReadUpTo | null = null;
  /** Agents that were in the background when it was read last: their launch may be further up than is read. */
  #out: readonly string[] = [];

  /** Up to where it has been read, line by line. */
  get readTo(): number {
    return this.#last?.offset ?? 0;
  }

  /** A record at the end without its newline counts, as long as it is there. Throws what `openConfinedSync` throws. */
  async read(root: string, path: string): Promise<TailFacts> {
    await nextSlice();
    const file = openConfinedSync(root, path);
    const buffer = spares.pop() ?? Buffer.allocUnsafeSlow(TAIL_BYTES);
    try {
      const facts = this.#readOn(file, path, buffer) ?? this.#readEnd(file, path, buffer);
      this.#out = facts.background;
      return facts;
    } finally {
      if (spares.length < MAX_SPARES) spares.push(buffer);
      file.close();
    }
  }

  /** Null where this is not the log that was read, grown or not, or has grown too much. */
  #readOn(file: OpenFile, path: string, buffer: Buffer): TailFacts | null {
    const last = this.#last;
    const { size, dev, ino } = file.stat();
    const isSame = last && last.path === path && last.dev === dev && last.ino === ino && size >= last.offset;
    if (!isSame) return this.#forget();
    if (size > last.offset + MAX_BYTES) {
      const stands = readRangeSync(file, last.offset - last.mark.length, last.offset, buffer);
      return last.mark.equals(stands) ? null : this.#forget();
    }
    const chunk = readRangeSync(file, last.offset - last.mark.length, size, buffer);
    if (!last.mark.equals(chunk.subarray(0, last.mark.length))) return this.#forget();
    const added = chunk.subarray(last.mark.length);
    const { records, rest, bytes } = recordsIn(added, last.offset);
    last.facts.add(records);
    last.offset += bytes;
    last.mark = markOf(chunk.subarray(0, last.mark.length + bytes));
    return last.facts.with(rest);
  }

  /** This is another log, or was written anew: what was out is none of its agents. */
  #forget(): null {
    this.#last = null;
    this.#out = [];
    return null;
  }

  #readEnd(file: OpenFile, path: string, buffer: Buffer): TailFacts {
    const { size, dev, ino } = file.stat();
    for (let length = TAIL_BYTES; ; length = MAX_BYTES) {
      const from = Math.max(0, size - length);
      const chunk = readRangeSync(file, from, size, buffer);
      // Only at 0 is it certain that it begins with a whole line.
      const start = from > 0 ? chunk.indexOf(NEWLINE) + 1 : 0;
      const { records, rest, bytes } = recordsIn(chunk.subarray(start), from + start);
      const facts = new FactsOfTail(this.#out);
      facts.add(records);
      const found = facts.with(rest);
      if (facts.lacksBeginning && from > 0 && length < MAX_BYTES) continue;
      const mark = markOf(chunk.subarray(0, start + bytes));
      this.#last = { path, dev, ino, offset: from + start + bytes, mark, facts };
      return found;
    }
  }
}

/** The newest time at the end of a log, `null` where no line there has one. Throws what `openConfinedSync` throws. */
export async function readLastTime(root: string, path: string): Promise<number | null> {
  await nextSlice();
  const file = openConfinedSync(root, path);
  try {
    const { size } = file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const chunk = readRangeSync(file, from, size);
    const start = from > 0 ? chunk.indexOf(NEWLINE) + 1 : 0;
    const { records, rest } = recordsIn(chunk.subarray(start), from + start);
    let newestMs: number | null = null;
    for (const record of [...records, ...rest]) {
      if (record.kind !== "unreadable" && record.atMs !== null)
        newestMs = Math.max(newestMs ?? record.atMs, record.atMs);
    }
    return newestMs;
  } finally {
    file.close();
  }
}

/** The end of what was read. Its own memory: the chunk's is read into again. */
function markOf(read: Uint8Array): Buffer {
  return Buffer.from(read.subarray(-MARK_BYTES));
}

/** The records of a chunk that begins with a line, how many bytes they are, and what its last line holds if it has no end. */
function recordsIn(
  chunk: Uint8Array,
  offset: number,
): { records: SessionRecord[]; rest: SessionRecord[]; bytes: number } {
  const records: SessionRecord[] = [];
  const splitter = new LineSplitter(offset);
  splitter.push(chunk, (line) => {
    if (line.length > 0) records.push(...parseLine(line, { keepBytes: KEEP_BYTES }));
  });
  const last = splitter.rest();
  const rest = last && beginsWithRecord(last) ? parseLine(last, { keepBytes: KEEP_BYTES }) : [];
  return { records, rest: [...rest], bytes: splitter.consumed - offset };
}
