import type { Dialect } from "./dialect";
import type { Planter } from "./plants";
import type { Prose } from "./prose";
import type { Random } from "./random";
import type { Storage } from "./storage";
import type { SessionTruth } from "./truth";
import type { WorkingFiles } from "./working-files";

/** How large a session gets and how long its texts are. */
export type SessionPlan = {
  id: string;
  slug: string;
  cwd: string;
  gitBranch: string;
  version: Dialect["version"];
  startedAtMs: number;
  /** All that belongs to the session. The end is met within some 2 %. */
  bytes: number;
  /** Ends the session when reached, whatever its bytes. */
  records: number;
  agents: number;
  /** 1 for texts as long as in real logs; less for small sessions with many records. */
  textScale: number;
  /** Lines of a megabyte and more. */
  hugeLines: number;
  /** Also writes torn and spliced lines and records of a type that nobody knows. */
  damage: boolean;
};

/** Everything that the writers of one session share. */
export type SessionContext = {
  plan: SessionPlan;
  dialect: Dialect;
  random: Random;
  prose: Prose;
  planter: Planter;
  storage: Storage;
  truth: SessionTruth;
  files: WorkingFiles;
  /** Moves on with every line. */
  nowMs: number;
  /** Stands for what the model has been sent; compaction sets it back. */
  contextTokens: number;
  promptId: string;
  turnIndex: number;
  agentsLeft: number;
  hugeLinesLeft: number;
};

/** Bytes that may still be written. */
export function bytesLeft(context: SessionContext): number {
  return context.plan.bytes - context.truth.bytes;
}

/** Sizes follow `textScale`, and shrink towards the end of the session so that it ends where it should. */
export function textSize(context: SessionContext, median: number, sigma = 0.9): number {
  const size = context.random.logNormal(median, sigma) * context.plan.textScale;
  return Math.max(12, Math.round(Math.min(size, bytesLeft(context) / 24)));
}
