import { asNumber, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { shortJson } from "./short-json";
import { snapshotNote } from "./snapshot-note";

/** Fields every record has; what else a book-keeping record says is its note. */
const COMMON: ReadonlySet<string> = new Set([
  "type",
  "uuid",
  "parentUuid",
  "sessionId",
  "timestamp",
  "version",
  "cwd",
  "gitBranch",
  "userType",
  "isSidechain",
  "entrypoint",
  "isMeta",
  "slug",
  "agentId",
]);

/** What a book-keeping record says, in a line. Values longer than `limit` are cut. */
export function recordNote(record: SessionRecord, limit: number): string {
  if (record.kind === "unreadable") return "";
  if (record.kind === "system") {
    const ms = asNumber(record.json.durationMs);
    if (ms !== null) return `${ms} ms`;
  }
  if (record.kind === "progress") {
    const { data } = record;
    if (record.dataType === "search_results_received")
      return `${asNumber(data.resultCount) ?? "?"} results for “${asString(data.query) ?? ""}”`;
    const told = [data.output, data.query, data.hookName, data.taskDescription, data.prompt];
    return told.map(asString).find((text) => text !== null) ?? "";
  }
  if (record.type === "file-history-snapshot") return snapshotNote(record.json);
  const rest = Object.entries(record.json).filter(([key]) => !COMMON.has(key));
  return rest
    .map(
      ([key, value]) =>
        `${key}: ${typeof value === "string" ? value.slice(0, limit) : shortJson(value, limit)}`,
    )
    .join(", ");
}
