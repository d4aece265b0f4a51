import type { BranchId, RecordId, SessionId } from "./ids";
import type { Row } from "./rows";
import type { Cost } from "./usage";

/** What a part of a session did, its agents included. `durationMs`: its turns' times together. */
export type PartFigures = {
  turns: number;
  agents: number;
  toolCalls: number;
  /** With refused calls, which `toolsDenied` counts. */
  toolErrors: number;
  toolsDenied: number;
  durationMs: number | null;
  tokens: number;
  cost: Cost;
  /** Lines of recorded patches. */
  added: number;
  removed: number;
};

/** Which of the two a row or turn is of. */
export type SideName = "left" | "right";

/** One of the two that are compared: a branch of a session. */
export type ComparedSide = {
  sessionId: SessionId;
  title: string;
  /** `null` for a session without records. */
  branch: BranchId | null;
  /** The branch's number as the page shows it, and of how many. */
  number: number;
  branches: number;
  active: boolean;
  /** First words of the first prompt that is not on the stem; `null` without one. */
  prompt: string | null;
  /** When its last line was written. */
  lastActiveAtMs: number | null;
  /** Behind the stem. */
  own: PartFigures;
  /** What its last request sent: tokens. */
  contextTokens: number | null;
  /** What was begun behind the stem and left again: further branches. `null` without any. */
  abandoned: (PartFigures & { branches: number }) | null;
};

/** What both hold; nothing where they have no record in common. */
export type ComparedStem = {
  turns: number;
  records: number;
  figures: PartFigures;
  /** The last record that both hold, in either session, and when it was written. */
  last: { left: RecordId; right: RecordId } | null;
  atMs: number | null;
  /** First words of its last turn's prompt. */
  prompt: string | null;
};

/** A turn of one side. */
export type ComparedTurn = {
  turn: number;
  recordId: RecordId;
  prompt: string;
  atMs: number | null;
  toolCalls: number;
  errors: number;
  added: number;
  removed: number;
  durationMs: number | null;
};

/** Turns that stand beside each other. `begun`: on the stem, and then gone on with differently. `pair` names them for their rows. */
export type TurnPair = {
  pair: number;
  left: ComparedTurn | null;
  right: ComparedTurn | null;
  begun: boolean;
  /** Both have the same prompt. */
  samePrompt: boolean;
};

/** A file of one side as it ended there. `at`: names that state for `…/file`; `null` as it is now. */
export type ComparedFileSide = {
  path: string;
  at: RecordId | null;
  added: number;
  removed: number;
  /** Calls behind the stem that changed it. */
  changes: number;
  /** `null` where the logs don't say. */
  exists: boolean | null;
};

/** `unknown`: the logs don't hold all of it on both sides. */
export type FileVerdict = "same" | "differs" | "unknown";

/** A file that a side changed behind the stem. A side is `null` where its session's logs say nothing of the file. */
export type ComparedFile = {
  /** From the root of its project, where it lies in that. */
  name: string;
  left: ComparedFileSide | null;
  right: ComparedFileSide | null;
  verdict: FileVerdict;
};

/** `…/compare?left=&right=` */
export type CompareResponse = {
  left: ComparedSide;
  right: ComparedSide;
  stem: ComparedStem;
  /** Calls behind the stem by the tool's name, the largest difference first. */
  tools: { name: string; left: number; right: number }[];
  /** The turns behind the stem, and the one that it ends in where that goes on; the first 2,000. */
  turns: TurnPair[];
  moreTurns: number;
  /** Those that differ first. */
  files: ComparedFile[];
  /** Files behind the stem that were read on either side and changed on none. */
  readOnly: number;
};

/** Rows that stand beside each other. `same`: they say the same. */
export type RowPair = { left: Row | null; right: Row | null; same: boolean };

/** `…/compare?left=&right=&pair=`: the rows of two turns, as the detail `tools` shows them. `more`: left out at the end. */
export type ComparePairResponse = { rows: RowPair[]; more: number };
