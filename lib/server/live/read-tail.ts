import { closeSync, fstatSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { nextSlice } from "@/lib/server/runtime/next-slice";
import { type TailFacts, tailFacts } from "./tail-facts";

const TAIL_BYTES = 128 << 10;
/** Where the end is book-keeping: 2.1.330 writes request logs of 100 kB. */
const MOST_BYTES = 2 << 20;
/** Long strings are cut to this: enough for a call's subject and a text's first words. */
const KEEP_BYTES = 1024;

/** Memory for tails that are not being read: of a busy folder hundreds are looked at in a second. */
const spares: Buffer[] = [];
const MOST_SPARES = 4;

/**
 * The facts at the end of a main log, read on this thread, which takes less than asking the system's threads;
 * a half line at its end is not one yet. Throws what `openConfinedSync` throws.
 * @param out agents that were in the background when it was read last: their launch may stand further up
 */
export async function readTail(root: string, path: string, out: readonly string[] = []): Promise<TailFacts> {
  await nextSlice();
  const descriptor = openConfinedSync(root, path);
  const buffer = spares.pop() ?? Buffer.allocUnsafeSlow(TAIL_BYTES);
  try {
    const { size } = fstatSync(descriptor);
    for (let bytes = TAIL_BYTES; ; bytes = MOST_BYTES) {
      const from = Math.max(0, size - bytes);
      const facts = tailFacts(recordsIn(readRangeSync(descriptor, from, size, buffer), from), out);
      if (facts.last !== "none" || from === 0 || bytes === MOST_BYTES) return facts;
    }
  } finally {
    if (spares.length < MOST_SPARES) spares.push(buffer);
    closeSync(descriptor);
  }
}

/** The newest time at the end of a log, `null` where no line there has one. Throws what `openConfinedSync` throws. */
export async function readLastTime(root: string, path: string): Promise<number | null> {
  await nextSlice();
  const descriptor = openConfinedSync(root, path);
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(0, size - TAIL_BYTES);
    let newestMs: number | null = null;
    for (const record of recordsIn(readRangeSync(descriptor, from, size), from)) {
      if (record.kind !== "unreadable" && record.atMs !== null)
        newestMs = Math.max(newestMs ?? record.atMs, record.atMs);
    }
    return newestMs;
  } finally {
    closeSync(descriptor);
  }
}

/** `from`: the chunk's byte offset; only at 0 does it begin with a whole line for sure. */
function recordsIn(chunk: Uint8Array, from: number): SessionRecord[] {
  const start = from > 0 ? chunk.indexOf(0x0a) + 1 : 0;
  const records: SessionRecord[] = [];
  const splitter = new LineSplitter(from + start);
  const take = (line: RawLine) => {
    if (line.length > 0) records.push(...parseLine(line, { keepBytes: KEEP_BYTES }));
  };
  splitter.push(chunk.subarray(start), take);
  const rest = splitter.rest();
  if (rest && beginsWithRecord(rest)) take(rest);
  return records;
}
