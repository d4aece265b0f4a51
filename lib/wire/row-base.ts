import type { RecordId, SessionId } from "./ids";

/** An image or document inside a record, to be fetched as `…/records/{recordId}/blobs/{n}`. */
export type BlobRef = {
  recordId: RecordId;
  n: number;
  kind: "image" | "document" | "output";
  /** From the bytes, not from what the log says; `null` when they are none that a page may show. */
  mediaType: string | null;
  bytes: number | null;
  name: string | null;
};

/** Cut at a length that the server chooses; the whole text is in the record. */
export type CutText = { text: string; cut: boolean; length: number };

/**
 * An agent that is out: its colour and shape, its column from the spine outwards, what it does here (0 passes,
 * 1 leaves, 2 returns, 3 leaves and is seen no more in these rows), the row where it left, and its place in the
 * session's list of agents.
 */
export type RowLane = [lane: number, column: number, phase: 0 | 1 | 2 | 3, from: number, agent: number];

/**
 * `from`: the line comes from the session before, where it hangs from `recordId`; `tool` names the call that
 * it is the result of. `to`: the call's result stands in the session after, at `recordId`.
 */
export type CarriedRow = {
  way: "from" | "to";
  sessionId: SessionId;
  title: string;
  recordId: RecordId | null;
  tool: string | null;
};

/** What every row has. */
export type RowBase = {
  /** Unique among the rows of a thread: `<recordId>.<block>`. */
  key: string;
  recordId: RecordId;
  block: number;
  /** 0 before the first prompt. */
  turn: number;
  atMs: number | null;
  /** Milliseconds since the turn's prompt, and until the row's end: its place in the span column. */
  span: { fromMs: number; toMs: number } | null;
  durationMs: number | null;
  /** What a client before 1.0 says of the line: `deleted` by its reader, `aborted` half-way. Absent elsewhere. */
  marks?: ("deleted" | "aborted")[];
  /** The other session that the line belongs to, where a client carried it over. Absent elsewhere. */
  carried?: CarriedRow;
  /** Of a run's row and of those that it shows while it is open: the key that opens it. */
  run?: string;
  /** Agents that are out while this row happens, innermost first. Absent without any. */
  lanes?: RowLane[];
  /** Colour of the branch that the row lies on, 1 for the way written first at the last fork above. Absent above the first. */
  spine?: number;
};
