import type { AgentId, BranchId } from "./ids";
import type { AgentState } from "./rows";

/**
 * What stands on the lines of a session's map, a column a fact, an entry an item, line after line. An
 * item's id is that of its first record: `files[file]`, `~`, and the offset in base 36.
 */
export type GraphItems = {
  /** 0 turns folded into one, 1 a prompt, 2 a run of rows, 3 a compaction. */
  kind: number[];
  file: number[];
  /** Byte offset, as the difference to the item before. */
  offset: number[];
  turns: number[];
  /** What a reader of tools sees of it. */
  rows: number[];
  calls: number[];
  errors: number[];
  denied: number[];
  edits: number[];
  agents: number[];
  /** Finer items folded into it; 0 for what opens into rows. */
  holds: number[];
  /** Seconds from `startedAtMs` to its start, -1 without times. */
  fromS: number[];
  /** Seconds that it took, -1 without times. */
  tookS: number[];
};

/** The lines of a session's map, a column a fact. Line 0 is the branch that goes on. */
export type GraphLines = {
  /** Of an agent's line its agent; of a branch of the main thread `null`. */
  agent: (AgentId | null)[];
  branch: BranchId[];
  /** The line that it leaves, -1 for none. */
  parent: number[];
  /** The item that it leaves: an agent at it, a branch behind it; -1 for none. */
  leaves: number[];
  /** The item to which an agent's answer comes back, -1 for none. */
  returns: number[];
  /** Its first item; its last is before the next line's first. */
  from: number[];
  /** Turns that lie before it on its way. */
  turnsBefore: number[];
  /** Colour and shape, 1–8; 0 for line 0. */
  lane: number[];
  state: AgentState[];
  /** Milliseconds that an agent worked, -1 for a branch and without times. */
  tookMs: number[];
  /** An agent's type and description, a branch's first prompt; empty for those beyond the first hundreds. */
  label: string[];
};

/** The whole session in at most 200 KB: long runs are folded, and open on demand. */
export type GraphResponse = {
  revision: number;
  startedAtMs: number | null;
  /** Keys of files, for ids. */
  files: string[];
  lines: GraphLines;
  items: GraphItems;
  /** Lines for which there was no room. */
  linesLeftOut: number;
};

/** What an opened item holds: finer items, or rows. */
export type GraphSegment = {
  revision: number;
  startedAtMs: number | null;
  files: string[];
  items: GraphItems | null;
  rows: GraphRows | null;
};

/** Rows of an opened run, a column a fact. */
export type GraphRows = {
  /** 0 text, 1 thinking, 2 tool, 3 edit, 4 error, 5 denied, 6 interrupted, 7 timed out, 8 no result, 9 other, 10 prompt. */
  kind: number[];
  file: number[];
  offset: number[];
  block: number[];
  /** In `names`; -1 for what is no call. */
  name: number[];
  names: string[];
};

/** Where things stand in one thread's rows, in `buckets` parts of equal size: what a minimap draws. */
export type MinimapResponse = {
  revision: number;
  total: number;
  buckets: number;
  /** A digit a part: how much is said and done there. */
  density: string;
  prompts: number[];
  errors: number[];
  /** Of `errors`, the parts whose failed calls were all refused. */
  denied: number[];
  edits: number[];
  compactions: number[];
  /** Where the records that were asked for are. */
  finds: number[];
  /** Part where it leaves, part where it returns, lane: three numbers an agent. */
  agents: number[];
};
