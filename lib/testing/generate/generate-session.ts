import type { ClientVersion } from "./dialect";
import { createVocabulary } from "./prose";
import { createRandom } from "./random";
import type { SessionPlan } from "./session-context";
import { diskStorage, type Storage } from "./storage";
import type { SessionTruth } from "./truth";
import { writeSession } from "./write-session";

export type SessionOptions = {
  seed: number;
  /** A folder that stands for `~/.claude`; or give `storage`. */
  dir?: string;
  storage?: Storage;
  /** The session with all that belongs to it. */
  bytes?: number;
  /** Ends at this many records; `bytes` then only bounds it. */
  records?: number;
  version?: ClientVersion;
  agents?: number;
  textScale?: number;
  hugeLines?: number;
  damage?: boolean;
};

/** Monday, 2 February 2026, 08:00 UTC: a generated tree does not know today. */
export const GENERATED_FROM_MS = Date.UTC(2026, 1, 2, 8);

/** Writes one session of a wanted size. The same options give the same bytes. */
export function generateSession(options: SessionOptions): SessionTruth {
  const { seed, records = Number.POSITIVE_INFINITY } = options;
  const bytes = options.bytes ?? (options.records ? options.records * 6000 : 1_000_000);
  const random = createRandom(seed);
  const storage = options.storage ?? diskStorage(folderOf(options));
  const plan: SessionPlan = {
    id: random.uuid(),
    slug: "-home-dev-ledger",
    cwd: "/home/dev/ledger",
    gitBranch: "main",
    version: options.version ?? "2.1.42",
    startedAtMs: GENERATED_FROM_MS,
    bytes,
    records,
    agents: options.agents ?? Math.min(12, Math.floor(bytes / 80_000)),
    textScale: options.textScale ?? (options.records ? 1 : Math.min(1, Math.max(0.1, bytes / 300_000))),
    hugeLines: options.hugeLines ?? (bytes > 30_000_000 ? 3 : 0),
    damage: options.damage ?? false,
  };
  return writeSession(storage, plan, createVocabulary(seed), seed);
}

function folderOf({ dir }: SessionOptions): string {
  if (dir === undefined) throw new Error("generateSession needs dir or storage");
  return dir;
}
