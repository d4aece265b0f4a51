/** How many files a session may have: `RECORDS.file` numbers them. */
export const MAX_FILES = 1 << 16;

export const RECORDS = {
  /** Index into the session's files; 0 is the main log. */
  file: Uint16Array,
  offset: Float64Array,
  length: Uint32Array,
  line: Uint32Array,
  kind: Uint8Array,
  flags: Uint16Array,
  /** Epoch milliseconds, NaN without a time. */
  atMs: Float64Array,
  /** Number in `uuids`, -1 for none. */
  uuid: Int32Array,
  parent: Int32Array,
  /**
   * On a compaction boundary the logical parent in `uuids`; on a summary or `last-prompt` its leaf; on a prompt or
   * queued text its number in `texts`; on a line of an answer the `textHash` of its first text; on a hook's attachment
   * its call in `toolIds`; else -1.
   */
  link: Int32Array,
  message: Int32Array,
  firstBlock: Int32Array,
  /** Number in `types`: `user`, `system/turn_duration`, `attachment/file`. */
  type: Uint16Array,
  version: Uint16Array,
};

export const BLOCKS = {
  record: Int32Array,
  /** Index in the record's content; -1 for the record as a whole. */
  index: Int32Array,
  kind: Uint8Array,
  level: Uint8Array,
  /** The call of a tool use or result, -1 for none. */
  call: Int32Array,
};

export const CALLS = {
  tool: Uint16Array,
  /** The tool-use block, -1 while only a result has been seen. */
  use: Int32Array,
  /** The first result block, -1 for none. */
  result: Int32Array,
  results: Uint16Array,
  state: Uint8Array,
  added: Int32Array,
  removed: Int32Array,
  /** The file that it changed, in `paths`, -1 for none. */
  path: Int32Array,
  /** The file that its input says it is to change, in `paths`; -1 for none, and as soon as a result tells how. */
  target: Int32Array,
  /** 1 when a microcompaction removed its result from the context (2.1.42). */
  cleared: Uint8Array,
  /** 1 when its result only says that an agent was started in the background, whose answer comes later in a notification. */
  launched: Uint8Array,
  /** `PermissionAsked`: whether a person had to allow it. */
  asked: Uint8Array,
};

export const MESSAGES = {
  model: Uint16Array,
  /** In `tiers`; the empty name where no line gives one. */
  tier: Uint16Array,
  input: Uint32Array,
  output: Uint32Array,
  cacheWrite: Uint32Array,
  cacheWrite5m: Uint32Array,
  cacheWrite1h: Uint32Array,
  cacheRead: Uint32Array,
  webSearches: Uint16Array,
  webFetches: Uint16Array,
  /** When its first line was written: epoch milliseconds, NaN without a time. */
  atMs: Float64Array,
  /** `Terms` on which it was answered. */
  terms: Uint8Array,
  /** What the client says that it cost (`costUSD`, before 1.0), in millionths of a dollar; 0 where it says nothing. */
  reported: Uint32Array,
};

/** Bits of `MESSAGES.terms`: what changes the price of a request. */
export const Terms = { fast: 1, usOnly: 2 } as const;

/** Values of `CALLS.asked`. `refused`: it never ran. Before 2.1.330 no line says it of a call that ran. */
export const PermissionAsked = { unknown: 0, nobody: 1, person: 2, refused: 3 } as const;

/** A row for each key of `toolIds`, as far as calls have them. */
export const CALL_OF_ID = {
  /** The call with this id, the first one that was made; -1 for none: an id that is only named. */
  call: Int32Array,
};
