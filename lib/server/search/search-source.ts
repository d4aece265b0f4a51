import type { ScanFile } from "@/lib/server/scan/scan-session";
import type { SessionFacets } from "@/lib/server/scan/session-facets";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";

/** What a search asks about a session of what the library lists. */
export const SUMMARY_FIELDS = [
  "title",
  "titleSource",
  "firstPrompt",
  "gitBranch",
  "models",
  "tokens",
  "startedAtMs",
  "lastActiveAtMs",
  "toolErrors",
  "state",
  "indexed",
] as const satisfies readonly (keyof SessionSummary)[];

/** What is known of a session before any of its texts is read. */
export type SessionFacts = {
  summary: Pick<SessionSummary, (typeof SUMMARY_FIELDS)[number]>;
  path: string;
  /** Null until the session has been scanned. */
  facets: SessionFacets | null;
};

/** A session that is searched. */
export type SearchSource = SessionFacts & {
  id: SessionId;
  projectId: ProjectId;
  root: string;
  /** What the session keeps beside its main log; its `tool-results` are searched. */
  folder: string | null;
  files: (ScanFile & { bytes: number; metaPath: string | null })[];
  /** How far each log is in the index, by key; what lies behind is read from the log. */
  indexed: ReadonlyMap<string, number>;
};
