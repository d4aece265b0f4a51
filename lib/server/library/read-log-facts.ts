import { closeSync } from "node:fs";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine } from "@/lib/log/records/parse-record";
import { beginsWithRecord } from "@/lib/log/records/whole-record";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { FactsCollector, type LogFacts } from "./log-facts";

const END_BYTES = 16 * 1024;
/** A log up to this size is read whole. */
const READ_WHOLE_BYTES = 2 * END_BYTES;
const MOST_BYTES = 1024 * 1024;
const LONGEST_LINE = 8 * 1024 * 1024;
/** Long enough for any title and for the part of a prompt that the library shows. */
const KEEP_BYTES = 4096;

/**
 * Reads the ends of a log: 16 KiB of head and tail, each grown to 1 MiB while the working directory,
 * a prompt or a time is still missing. Only a log that shows no message until then is read on, since
 * a file that holds none is no session. Synchronous, since each read is small. Throws what
 * `openConfinedSync` throws.
 * @param size the log's as it was listed: what has been written since is for the next listing
 */
export function readLogFacts(root: string, path: string, size: number): LogFacts {
  const descriptor = openConfinedSync(root, path);
  try {
    const collector = new FactsCollector();
    const take = (line: RawLine) => {
      if (line.length === 0) return;
      for (const record of parseLine(line, { keepBytes: KEEP_BYTES })) collector.add(record);
    };
    const splitter = new LineSplitter();
    let read = 0;
    const readTo = (to: number) => {
      const chunk = readRangeSync(descriptor, read, Math.min(to, size));
      read = chunk.length === 0 ? size : read + chunk.length;
      splitter.push(chunk, take);
    };
    readTo(size <= READ_WHOLE_BYTES ? size : END_BYTES);
    // A first prompt with a pasted image is one line of megabytes: that line is read to its end.
    const inLongLine = () => read - splitter.consumed >= MOST_BYTES / 2 && read < LONGEST_LINE;
    while (read < size && !collector.headDone && (read < MOST_BYTES || inLongLine())) readTo(read * 2);
    if (read < size) takeGlued(splitter.rest(), take);
    if (size - read > END_BYTES) readTail(descriptor, size, read, collector, take);
    while (read < size && (!collector.facts.hasMessages || size - read <= END_BYTES)) {
      readTo(read + END_BYTES);
      // Too long to hold here, and hardly book-keeping: the full scan will tell.
      if (read - splitter.consumed > LONGEST_LINE) collector.facts.hasMessages = true;
    }
    if (read >= size) {
      const rest = splitter.rest();
      if (rest) take(rest);
      collector.facts.lines = splitter.nextLine - 1 + (rest ? 1 : 0);
    }
    return collector.finish();
  } finally {
    closeSync(descriptor);
  }
}

/** The first records of a line of many, which is too long to be read to its end here: a log without newlines. */
function takeGlued(line: RawLine | null, take: (line: RawLine) => void): void {
  if (!line || line.length < MOST_BYTES / 2 || !beginsWithRecord(line)) return;
  const bytes = line.bytes.subarray(0, MOST_BYTES);
  take({ ...line, bytes, length: bytes.length });
}

/** The last whole lines, or what can be told of the last part of a longer one, from further back where the end is one long line without a time. */
function readTail(
  descriptor: number,
  size: number,
  headEnd: number,
  collector: FactsCollector,
  take: (line: RawLine) => void,
): void {
  const { facts } = collector;
  const headsLastMs = facts.lastActiveAtMs;
  facts.lastActiveAtMs = null;
  collector.enterTail();
  for (let bytes = END_BYTES; ; bytes = MOST_BYTES) {
    const from = Math.max(headEnd, size - bytes);
    const chunk = readRangeSync(descriptor, from, size);
    const firstLine = chunk.indexOf(0x0a) + 1;
    if (firstLine > 0) {
      const splitter = new LineSplitter(from + firstLine);
      splitter.push(chunk.subarray(firstLine), take);
      const rest = splitter.rest();
      if (rest) take(rest);
    } else take({ bytes: chunk, offset: from, length: chunk.length, line: 0 });
    if (facts.lastActiveAtMs !== null || bytes === MOST_BYTES || from === headEnd) break;
  }
  if (headsLastMs !== null) facts.lastActiveAtMs = Math.max(headsLastMs, facts.lastActiveAtMs ?? headsLastMs);
}
