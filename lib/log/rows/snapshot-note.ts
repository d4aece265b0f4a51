import { asObject, asString, type JsonObject } from "@/lib/log/records/json";

const MOST_FILES = 20;

/**
 * What a snapshot holds, and the line it was taken for. An update keeps that line's id in
 * `snapshot.messageId` and has a `messageId` of its own (2.0.42 and later), so the former ties them together.
 */
export function snapshotNote(json: JsonObject): string {
  const snapshot = asObject(json.snapshot);
  const files = Object.keys(asObject(snapshot?.trackedFileBackups) ?? {});
  const line = asString(snapshot?.messageId) ?? asString(json.messageId) ?? "no line";
  const shown =
    files.slice(0, MOST_FILES).join(", ") +
    (files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "");
  return `${json.isSnapshotUpdate === true ? "update of the snapshot for" : "for"} ${line}: ${shown || "no files yet"}`;
}
