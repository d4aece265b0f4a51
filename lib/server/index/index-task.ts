import type { SessionLog } from "@/lib/log/table/log-file";
import type { ScanRequest } from "@/lib/server/scan/scanned-session";
import type { StoredEntry } from "@/lib/server/scan/stored-session";
import type { IndexedSession } from "./index-session";
import type { NewSession } from "./new-session";
import type { IndexState } from "./open-index";
import type { StoredShare } from "./share-store";

/** `root` is what the files of a session must lie under. */
export type ToVerify = { path: string; root: string };

/** What the index's thread is asked for. */
export type IndexTask = { dataDir: string | null } & (
  | { kind: "open" }
  | { kind: "shares" }
  | { kind: "index"; request: ScanRequest; sharedBytes: number | null }
  | { kind: "save"; session: NewSession; logs: readonly SessionLog[] }
  | { kind: "verify"; sessions: ToVerify[] }
  | { kind: "forget"; paths: string[]; outside: string[] }
  | { kind: "retry" }
  | { kind: "check" }
  | { kind: "close" }
);

/** `entries` answers `open`, `indexed` answers `index` and `save`, `stale` answers `verify` with main logs. */
export type IndexAnswer = {
  state: IndexState;
  entries?: StoredEntry[];
  shares?: StoredShare[];
  indexed?: IndexedSession;
  stale?: string[];
};
