import type { Table } from "@/lib/log/table/table";

/** What stands on a line of the map. `group`: turns and what follows them, folded into one. */
export const ItemKind = { group: 0, turn: 1, run: 2, compaction: 3 } as const;

/** The columns of a table of items. */
export const ITEMS = {
  kind: Uint8Array,
  chain: Uint16Array,
  /** Its first record that a reader sees, else its first. */
  record: Int32Array,
  /** Its steps: `chains.steps[from … to)`. */
  from: Int32Array,
  to: Int32Array,
  turns: Uint32Array,
  /** Blocks that a reader of tools sees as rows. */
  rows: Uint32Array,
  calls: Uint32Array,
  errors: Uint32Array,
  denied: Uint32Array,
  edits: Uint32Array,
  agents: Uint32Array,
  /** Finer items folded into it, 0 for what opens into its rows. */
  holds: Uint32Array,
  /** 1 where a branch or an agent leaves or comes back. */
  pinned: Uint8Array,
  /** Epoch milliseconds, NaN without times. */
  startMs: Float64Array,
  endMs: Float64Array,
};

export type Items = Table<typeof ITEMS>;

/** One of them, while it is made. */
export type Item = { [Name in keyof typeof ITEMS]: number };
