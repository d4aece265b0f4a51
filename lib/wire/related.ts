import type { RecordId, SessionId } from "./ids";
import type { Totals } from "./totals";

/** How another session's history belongs to this one's: `shares-history` where the log does not tell which is the copy. */
export type Relation = "forked-from" | "fork" | "shares-history" | "continues" | "continued-in";

export type RelatedSession = {
  id: SessionId;
  title: string;
  relation: Relation;
  lastActiveAtMs: number | null;
  /** Records that both hold, by uuid or (1.0.60) by the ids of messages and calls, and the last of them in this session; 0 and `null` for a continuation. */
  sharedRecords: number;
  lastSharedRecordId: RecordId | null;
  /** What of this session's totals the other holds as well; null while not every session has been read. */
  shared: Totals | null;
};

export type RelatedResponse = { related: RelatedSession[] };
