import { asNumber, asString } from "@/lib/log/records/json";
import type { MetadataRecord } from "@/lib/log/records/session-record";
import type { Event } from "./event";

/** The book-keeping that a reader wants to see where it happened: a pull request that the session made. */
export function metadataEvent({ type, json }: MetadataRecord): Event | null {
  if (type !== "pr-link") return null;
  const number = asNumber(json.prNumber);
  const label = number === null ? "Pull request" : `Pull request #${number}`;
  return {
    event: "pr-link",
    level: "info",
    label,
    text: asString(json.prUrl) ?? asString(json.prRepository) ?? "",
  };
}
