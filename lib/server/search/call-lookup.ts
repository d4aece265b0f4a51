import { buildGraph, type SessionGraph } from "@/lib/log/graph/session-graph";
import { CallState, isFailure } from "@/lib/log/table/kinds";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

/** The facts that filters need about the call that a text belongs to. */
export type CallStatus = { tool: string; failed: boolean; answered: boolean; path: string | null };

/** Look-ups in the skeleton of a session by file, offset and block. */
export class CallLookup {
  readonly #table: SessionTable;
  readonly #graph: SessionGraph;
  readonly #logs: readonly SessionLog[];

  constructor(table: SessionTable, logs: readonly SessionLog[]) {
    this.#table = table;
    this.#graph = buildGraph(table, logs);
    this.#logs = logs;
  }

  /** The call at a record's block, or the one whose result the block is; null for any other block. */
  call(file: string, offset: number, block: number): CallStatus | null {
    const { records, blocks, calls, tools, paths } = this.#table;
    const record = this.#find(file, offset);
    if (record === -1) return null;
    for (
      let one = records.get("firstBlock", record);
      one < blocks.size && blocks.get("record", one) === record;
      one++
    ) {
      const call = blocks.get("call", one);
      if (blocks.get("index", one) !== block || call === -1) continue;
      const state = calls.get("state", call);
      return {
        tool: tools.at(calls.get("tool", call)) ?? "",
        failed: isFailure(state),
        answered: state !== CallState.none,
        path: paths.at(calls.get("path", call)),
      };
    }
    return null;
  }

  /** The agent that wrote a record; null for the main thread. */
  agent(file: string, offset: number): { agentId: string; type: string | null } | null {
    const record = this.#find(file, offset);
    const thread = record === -1 ? undefined : this.#graph.threads[at(this.#graph.threadOf, record)];
    return thread?.agentId ? { agentId: thread.agentId, type: thread.type } : null;
  }

  /**
   * Records of a file are consecutive and ordered by offset: `scanSession` guarantees it, also for a session that has
   * grown.
   */
  #find(key: string, offset: number): number {
    const { records } = this.#table;
    const file = this.#logs.findIndex((log) => log.key === key);
    let low = 0;
    let high = records.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = records.get("file", middle);
      if (other < file || (other === file && records.get("offset", middle) < offset)) low = middle + 1;
      else high = middle;
    }
    return low < records.size && records.get("file", low) === file && records.get("offset", low) === offset
      ? low
      : -1;
  }
}
