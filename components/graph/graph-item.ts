import type { RecordId } from "@/lib/wire/ids";

export const ITEM_KINDS = ["group", "turn", "run", "compaction"] as const;
export const ROW_MARKS = [
  "text",
  "thinking",
  "tool",
  "edit",
  "error",
  "denied",
  "interrupted",
  "timed-out",
  "no-result",
  "other",
  "prompt",
] as const;
export type RowMark = (typeof ROW_MARKS)[number];

/** One thing on a line of the graph. `id` is its first record; `key` tells it from the group it was opened from. */
export type GraphItem = {
  key: string;
  id: RecordId;
  kind: (typeof ITEM_KINDS)[number] | "row";
  /** The last turn that it holds or follows. */
  turn: number;
  turns: number;
  rows: number;
  calls: number;
  errors: number;
  denied: number;
  edits: number;
  agents: number;
  holds: number;
  atMs: number | null;
  tookS: number | null;
  /** Of a row of an opened run. */
  mark: RowMark | null;
  name: string;
  block: number;
};
