import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";

const NONE = -1;
/** Records before and after a delivery that are searched for a prompt's own line. */
const LOOK_BACK = 16;
const LOOK_AHEAD = 64;
/** A line is stamped when it was typed, the queue when it was notified (2.1.330: some milliseconds later). */
const TYPED_BEFORE_MS = 1000;
/** Maximum number of records visited for all deliveries, as a multiple of the number of records. */
const WALKS = 64;

/**
 * Prompts that were typed while the model worked and have no line of their own (2.0.42–2.1.42):
 * delivered, but in no user line or attachment near the delivery. Keyed by the record that delivered them.
 */
export function findQueuedTurns(table: SessionTable): Map<number, number> {
  return followQueue(table).turns;
}

/**
 * See `findQueuedTurns`. `open`: the records that queued those of these prompts that a line still to come may contain.
 * `lines`: the lines that contain the others, by the record that queued them.
 */
export function followQueue(table: SessionTable): {
  turns: Map<number, number>;
  open: number[];
  lines: Map<number, number>;
} {
  const { records, queue } = table;
  const turns = new Map<number, number>();
  const lines = new Map<number, number>();
  const taken = new Set<number>();
  const walk: Walk = { left: (records.size + queue.length) * WALKS, ends: endsOfFiles(table), open: [] };
  for (const { enqueued, delivered } of queue) {
    const text = records.link.at(enqueued);
    if (delivered === NONE || text === NONE) continue;
    const line = lineOf(table, enqueued, delivered, taken, walk);
    if (line === NONE) turns.set(delivered, enqueued);
    else {
      taken.add(line);
      lines.set(enqueued, line);
    }
  }
  return { turns, open: walk.open, lines };
}

/** `ends`: file → its last record. `open`: the queuing records whose search for a line reached the end of its file. */
type Walk = { left: number; readonly ends: readonly number[]; readonly open: number[] };

function endsOfFiles({ records, queue }: SessionTable): number[] {
  const ends: number[] = [];
  if (queue.length === 0) return ends;
  for (let record = 0; record < records.size; record++) ends[records.file.at(record)] = record;
  return ends;
}

/**
 * The line that contains a delivered prompt, -1 for none. People type "go on" more than once, so it must
 * be near the delivery, before the second answer after it (the first may be written ahead of its
 * prompt, 2.1.220). Where two clients go on with one session at once, the answers may be the other one's (2.1.332): a line
 * that was typed before the first of them is taken behind them too. Lines older than the queuing are a fork's copied
 * history and are skipped.
 */
function lineOf(
  { records }: SessionTable,
  enqueued: number,
  delivered: number,
  taken: ReadonlySet<number>,
  walk: Walk,
): number {
  const text = records.link.at(enqueued);
  const file = records.file.at(enqueued);
  const queuedMs = records.atMs.at(enqueued);
  let answer = NONE;
  let answeredMs = Number.NaN;
  let isAnswered = false;
  let ahead = 0;
  const end = walk.ends[file] ?? NONE;
  for (let record = firstLookedAt(records, enqueued, delivered); record <= end; record++) {
    // Lines of other files may have been read in between.
    if (records.file.at(record) !== file) continue;
    if (ahead > LOOK_AHEAD || walk.left-- <= 0) return NONE;
    const ms = records.atMs.at(record);
    const kind = records.kind.at(record);
    const isLine = saysQueued(kind) && records.link.at(record) === text && !taken.has(record);
    if (isLine && !(ms < queuedMs - TYPED_BEFORE_MS) && (!isAnswered || ms < answeredMs)) return record;
    if (ms < queuedMs || record < delivered) continue;
    ahead += 1;
    if (kind !== RecordKind.assistant) continue;
    const message = records.message.at(record);
    if (answer === NONE) answeredMs = ms;
    else if (message !== answer) isAnswered = true;
    if (isAnswered && Number.isNaN(answeredMs)) return NONE;
    answer = message;
  }
  walk.open.push(enqueued);
  return NONE;
}

/** Whether lines of this kind may say what waited: a prompt, or a command for the shell, which the queue does not tell apart. */
export function saysQueued(kind: number): boolean {
  return kind === RecordKind.prompt || kind === RecordKind.command;
}

/** The first record searched: some lines before the delivery in its file, but after the queuing. */
function firstLookedAt(records: SessionTable["records"], enqueued: number, delivered: number): number {
  const file = records.file.at(enqueued);
  let first = delivered;
  for (let back = 1; back < LOOK_BACK && first > enqueued + 1; ) {
    first -= 1;
    if (records.file.at(first) === file) back += 1;
  }
  return first;
}
