import { blocksOf } from "@/lib/log/table/blocks-of";
import { BlockKind, Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionLog } from "@/lib/log/table/log-file";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { callNamed } from "./link-agents";
import type { SessionGraph } from "./session-graph";
import { findThreads, isSuggestion, type Threads } from "./threads";

const NONE = -1;

/** The threads with what was added, and for each one of before its number now; null where they are as they were. */
export type GrownThreads = { list: Threads["list"]; of: Uint16Array; moved: number[] | null };

/**
 * The threads of records that are added. A line of a known thread joins it; what may start an agent, join one to
 * its call, end or rename it has them all told apart again, which reads a few columns and no line.
 */
export class GrowingThreads {
  readonly #table: SessionTable;
  #logs: readonly SessionLog[];
  #ofFile: number[] = [];
  #startMs: number[] = [];
  /** An agent, or what was said of one, names a call that is not there yet. */
  #awaitsCall = false;
  #hints: number;
  #notices: number;

  constructor(table: SessionTable, logs: readonly SessionLog[], { threads, threadOf }: SessionGraph) {
    this.#table = table;
    this.#logs = logs;
    this.#hints = table.agentHints.length;
    this.#notices = table.notices.length;
    this.#know({ list: threads, of: threadOf });
  }

  /**
   * Places records `from …`. `of` has room for them.
   * @returns null where a record of before is in another thread now
   */
  add(
    logs: readonly SessionLog[],
    { threads, threadOf: before }: SessionGraph,
    parents: Int32Array,
    of: Uint16Array,
  ): GrownThreads | null {
    let again = logs !== this.#logs || this.#hints !== this.#table.agentHints.length;
    again ||= this.#notices !== this.#table.notices.length;
    for (let record = before.length; record < of.length && !again; record++) {
      const thread = this.#threadOf(record, parents, of);
      if (thread === null || this.#tells(record, thread)) again = true;
      else of[record] = thread;
    }
    if (!again) return { list: threads, of, moved: null };
    const found = findThreads(this.#table, parents, logs);
    const moved = placesOf(threads, found.list);
    if (moved.includes(NONE)) return null;
    for (let record = 0; record < before.length; record++)
      if (at(found.of, record) !== moved[at(before, record)]) return null;
    this.#logs = logs;
    this.#hints = this.#table.agentHints.length;
    this.#notices = this.#table.notices.length;
    this.#know(found);
    return { list: found.list, of: found.of, moved };
  }

  /** The thread that a line goes on with, null for one that may begin another. */
  #threadOf(record: number, parents: Int32Array, of: Uint16Array): number | null {
    const { records } = this.#table;
    const file = records.get("file", record);
    if (file !== 0)
      return isSuggestion(this.#logs[file]?.agentId ?? null) ? null : (this.#ofFile[file] ?? null);
    if (!(records.get("flags", record) & Flag.sidechain)) return 0;
    const up = at(parents, record);
    return up !== NONE && at(of, up) !== 0 && records.get("file", up) === 0 ? at(of, up) : null;
  }

  /** True for a line that may say something of an agent: its prompt, its call, its answer, an earlier beginning. */
  #tells(record: number, thread: number): boolean {
    const { records, blocks, calls } = this.#table;
    if (thread !== 0) {
      if (records.get("kind", record) === RecordKind.agentPrompt) return true;
      if (records.get("atMs", record) < (this.#startMs[thread] as number)) return true;
    }
    for (const block of blocksOf(this.#table, record)) {
      const call = blocks.get("call", block);
      if (call === NONE) continue;
      const column = blocks.get("kind", block) === BlockKind.call ? "prompt" : "agent";
      if (this.#awaitsCall || calls.get(column, call) !== NONE) return true;
    }
    return false;
  }

  #know({ list, of }: Threads): void {
    const { agentHints, notices } = this.#table;
    this.#awaitsCall = [...list, ...agentHints, ...notices].some(
      ({ toolUseId }) => toolUseId !== null && callNamed(this.#table, toolUseId) === NONE,
    );
    const { atMs } = this.#table.records.columns;
    this.#ofFile = [];
    for (const [thread, one] of list.entries()) if (one.file !== 0) this.#ofFile[one.file] = thread;
    this.#startMs = list.map(() => Number.POSITIVE_INFINITY);
    for (let record = 0; record < of.length; record++) {
      const thread = at(of, record);
      if (at(atMs, record) < (this.#startMs[thread] as number)) this.#startMs[thread] = at(atMs, record);
    }
  }
}

/** Where each thread stands in the later list, -1 for one that is gone. */
function placesOf(before: Threads["list"], after: Threads["list"]): number[] {
  const name = ({ file, agentId }: Threads["list"][number]) => `${file} ${agentId}`;
  const places = new Map(after.map((thread, index) => [name(thread), index]));
  return before.map((thread) => places.get(name(thread)) ?? NONE);
}
