import { asNumber, asString } from "@/lib/records/json";
import type { SessionRecord } from "@/lib/records/session-record";
import { shortJson } from "../short-json";

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
    return asString(data.output) ?? asString(data.hookName) ?? asString(data.taskDescription) ?? asString(data.prompt) ?? "";
  }
  const rest = Object.entries(record.json).filter(([key]) => !COMMON.has(key));
  return rest.map(([key, value]) => `${key}: ${typeof value === "string" ? value.slice(0, limit) : shortJson(value, limit)}`).join(", ");
}
