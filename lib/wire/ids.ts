declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Contains the main log's UUID; otherwise opaque. */
export type SessionId = Branded<"SessionId">;

/** The sessions of one working directory. Opaque. */
export type ProjectId = Branded<"ProjectId">;

/**
 * One line of one log: `<file>~<byte offset in base 36>`. `file` is `m` for the main log.
 * Holds neither `.` nor `:`, which permalinks use for the block and the line (`m~1k9.2:L12-20`).
 */
export type RecordId = Branded<"RecordId">;

/** The part of `agent-<id>.jsonl` behind the dash, or one made for a sidechain inside the main log. */
export type AgentId = Branded<"AgentId">;

/** A branch is named by the record of its leaf. */
export type BranchId = Branded<"BranchId">;
