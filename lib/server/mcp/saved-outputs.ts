import { isUtf8 } from "node:buffer";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { SessionId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";

/** The text of an output that the client saved beside the log (2.1.29 and later), by the name of its file. */
export type SavedOutput = { name: string; text: string };

/** Those among the blobs of a record that are saved outputs, read whole. One that is gone or no text is left out. */
export async function readSavedOutputs(
  sessions: SessionQueries,
  id: SessionId,
  blobs: readonly BlobRef[],
): Promise<SavedOutput[]> {
  const read: SavedOutput[] = [];
  for (const { kind, recordId, n, name } of blobs) {
    if (kind !== "output") continue;
    try {
      const { bytes } = await sessions.blob(id, recordId, n);
      if (!isUtf8(bytes)) continue;
      read.push({ name: name ?? String(n), text: new TextDecoder().decode(bytes) });
    } catch (error) {
      if (!isViewerError(error)) throw error;
    }
  }
  return read;
}
