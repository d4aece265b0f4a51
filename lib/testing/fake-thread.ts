import { expect, vi } from "vitest";
import type { ThreadSource } from "@/components/thread/open-thread";
import type { ThreadAddress } from "@/components/thread/store/thread-core";
import type { Opening } from "@/components/thread/store/thread-opening";
import { createThreadStore, type ThreadStore } from "@/components/thread/thread-store";
import { type ThreadChoice, threadChoice } from "@/lib/client/address/session-url";
import type { AgentId, BranchId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row, RowsResponse } from "@/lib/wire/rows";

/** A row of the log's line number `at`: `tool 12` is the first block of record `m~c`. */
type Told = [
  kind: "turn" | "tool" | "run" | "fork",
  at: number,
  more?: { turn?: number; run?: string; folded?: boolean },
];

/** A row as it is told. */
export function rowOf([kind, at, { turn = 1, run, folded } = {}]: Told): Row {
  const recordId = `m~${at.toString(36)}`;
  const key = kind === "run" || kind === "fork" ? `${recordId}.0.${kind}` : `${recordId}.0`;
  const facts = { ...(run ? { run, open: false } : {}), ...(folded ? { folded } : {}) };
  return { kind, key, recordId, block: 0, turn, atMs: null, ...facts } as Row;
}

/** What a told row is called: `tool 12`. */
export const nameOf = (row: Row | null | undefined) =>
  row ? `${row.kind} ${Number.parseInt(row.recordId.slice(2), 36)}` : null;

const lineOf = (recordId: string) => Number.parseInt(recordId.slice(2), 36);

/** The row of a record, or the one before its place. */
function nearest(rows: readonly Row[], recordId: RecordId): number {
  return Math.max(
    0,
    rows.findLastIndex((row) => lineOf(row.recordId) <= lineOf(recordId)),
  );
}

/** A server's thread: `views` by the detail that is asked for. */
export class FakeServer {
  revision = 1;
  asked: string[] = [];
  /** The branch that its rows are of, and the one for which places were asked for last. */
  branch: BranchId | null = null;
  askedBranch: BranchId | null | undefined;
  elsewhere: RowsResponse["elsewhere"];
  otherBranch: RowsResponse["otherBranch"];
  errors: number[] = [];
  edits: number[] = [];
  views: Record<string, Told[]>;
  /** Answers wait until this is resolved. */
  gate: Promise<void> = Promise.resolve();
  /** So many rows are known while answers wait; null: none. */
  begunWith: number | null = null;

  constructor(views: Record<string, Told[]>) {
    this.views = views;
  }

  rows(detail: string): Row[] {
    return (this.views[detail] ?? []).map(rowOf);
  }

  source(): ThreadSource {
    const viewOf = ({ detail, agent }: { detail?: string | null; agent?: string | null }) =>
      this.rows(agent ? `${detail ?? "tools"} of ${agent}` : (detail ?? "tools"));
    const answer = async (query: {
      detail?: string | null;
      agent?: string | null;
      from?: number | null;
      around?: RecordId | null;
      count?: number | null;
    }): Promise<RowsResponse> => {
      this.asked.push(query.around ? `around ${query.around}` : `from ${query.from ?? 0}`);
      await this.gate;
      const all = viewOf(query);
      const count = query.count ?? 80;
      const at = query.around ? all.findIndex(({ recordId }) => recordId === query.around) : -1;
      const near = query.around ? nearest(all, query.around) : 0;
      const from = query.around ? Math.max(0, near - Math.floor(count / 2)) : (query.from ?? 0);
      const { elsewhere, otherBranch, revision } = this;
      return {
        revision,
        total: all.length,
        from,
        rows: all.slice(from, from + count),
        at: at < 0 ? null : at,
        ...(query.around ? { near } : {}),
        branch: this.branch,
        ...(query.around && elsewhere ? { elsewhere } : {}),
        ...(query.around && otherBranch !== undefined ? { otherBranch } : {}),
      };
    };
    return {
      rows: (_, query) => answer(query),
      firstRows: async (_, query) => {
        if (this.begunWith === null) return { body: await answer(query), progress: null as never };
        const rows = viewOf(query).slice(0, this.begunWith);
        const begun = {
          revision: this.revision,
          total: rows.length,
          from: 0,
          rows,
          at: null,
          branch: this.branch,
        };
        const scanning = { bytesDone: 1, bytesTotal: 2 };
        return { body: null as never, progress: { scanning, beginning: begun } };
      },
      outline: async (_, query) => {
        const all = viewOf(query);
        const turns = all.flatMap((row, index) =>
          row.kind === "turn" ? [{ turn: row.turn, row: index }] : [],
        );
        const from = query.from ?? 0;
        return { revision: 1, total: turns.length, from, turns: turns.slice(from, from + 1) as never };
      },
      errors: async (_, { branch }) => {
        this.askedBranch = branch;
        const { errors: rows, edits } = this;
        return { revision: 1, rows, denied: 0, hidden: 0, elsewhere: 0, places: [], edits, forks: [] };
      },
    };
  }
}

const VIEW_ROWS = 10;
const ROW_PX = 24;

/** A list of ten rows' height that draws when it is told to. */
class FakeList {
  readonly #store: ThreadStore;
  first = 0;
  /** How far the first row in view begins above the upper edge. */
  abovePx = 0;
  focused = 0;
  /** How many rows at the end its reader has not seen. */
  fresh = 0;
  constructor(store: ThreadStore) {
    this.#store = store;

    store.list.current = {
      scrollTo: (index, align) => {
        const isInView = index >= this.first && index < this.first + VIEW_ROWS;
        if (align !== "auto" || !isInView) this.first = Math.max(0, align === "center" ? index - 5 : index);
      },
      focus: () => {
        this.focused += 1;
      },
      scrollToShare: () => undefined,
      toEnd: () => {
        this.first = Math.max(0, (this.#store.shown()?.windows.getSnapshot().total ?? 0) - VIEW_ROWS);
      },
      scrollBy: (px) => {
        const scrolledPx = Math.max(0, this.first * ROW_PX + this.abovePx + px);
        this.first = Math.floor(scrolledPx / ROW_PX);
        this.abovePx = scrolledPx % ROW_PX;
      },
      reveal: () => undefined,
      scrolled: () => this.first * ROW_PX + this.abovePx,
      offsetOf: (index) => (index - this.first) * ROW_PX - this.abovePx,
      heightOf: () => ROW_PX,
      roomPx: () => VIEW_ROWS * ROW_PX,
      inView: () => ({ first: this.first, last: this.first + VIEW_ROWS - 1 }),
      hasFocus: () => false,
      box: () => null,
    };
  }

  draw(): void {
    const windows = this.#store.shown()?.windows;
    const total = windows?.getSnapshot().total ?? 0;
    const last = Math.min(total, this.first + VIEW_ROWS) - 1;
    const turn = windows?.itemAt(this.first)?.turn ?? 0;
    const { selected } = this.#store.get().position;
    const { first, fresh } = this;
    this.#store.onDrawn({ first, last, total, turn, selected, atEnd: false, fresh });
  }
}

/** The choice of a detail, of the main thread or of an agent. */
export const choiceOf = (
  detail: "tools" | "everything" | "prompts",
  agent: string | null = null,
): ThreadChoice =>
  threadChoice({ branch: null, agent: agent as AgentId | null, detail, fold: null }, "tools", false);

/** Rows of turns of twenty. */
export const many = (count: number): Told[] =>
  Array.from(
    { length: count },
    (_, at): Told => [at % 20 === 0 ? "turn" : "tool", at, { turn: 1 + Math.floor(at / 20) }],
  );

/** A store whose thread is open and drawn. `written` and `elsewhere`: what it has asked of the page around. */
export async function opened(server: FakeServer, at: string | null = null, restored?: Opening["restored"]) {
  const { store, list, ...told } = opening(server, at, restored);
  await vi.waitFor(() => expect(store.get().thread).not.toBeNull());
  list.draw();
  return { store, list, ...told };
}

/** The same while the server has not answered yet. */
export function opening(server: FakeServer, at: string | null = null, restored?: Opening["restored"]) {
  const written: Partial<ThreadAddress>[] = [];
  const elsewhere: string[] = [];
  const store = createThreadStore({
    sessionId: "s" as SessionId,
    choice: choiceOf("tools"),
    source: server.source(),
    address: {
      get: () => Object.assign({ branch: null, runs: null, fold: null }, ...written) as ThreadAddress,
      set: (change) => written.push(change),
    },
    onElsewhere: (where, id) => elsewhere.push(`${JSON.stringify(where)} ${id}`),
  });
  const list = new FakeList(store);
  store.show(choiceOf("tools"), { at, ...(restored && { restored }) });
  return { store, list, written, elsewhere };
}
