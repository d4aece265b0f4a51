/** The facts of one turn: its prompt and all that follows until the next one. Turn 0 stands before the first prompt. */
export type Turn = {
  /** The record of its prompt; for turn 0 the first record. */
  record: number;
  /** Where it starts in `Path.records`. */
  from: number;
  toolCalls: number;
  errors: number;
  added: number;
  removed: number;
  agents: number;
  /** Messages of the turn. */
  tokens: number;
  startMs: number;
  endMs: number;
  compactedBefore: number;
};

/** A branch laid out: its records in reading order, and its turns. */
export type Path = { records: Int32Array; turns: Turn[] };
