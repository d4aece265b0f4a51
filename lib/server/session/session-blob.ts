import { blobRefs } from "@/lib/log/rows/blob-refs";
import { storedBlobs } from "@/lib/log/table/stored-blobs";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { RecordId } from "@/lib/wire/ids";
import type { OpenSession } from "./open-session";
import { readPersisted } from "./persisted-output";
import { readRecords } from "./read-records";
import { readResultDocument } from "./result-document";

/** The bytes of a record's `n`th image or document, with the media type that the bytes themselves show. */
export async function blobOf(
  session: OpenSession,
  recordId: RecordId,
  n: number,
): Promise<{ bytes: Uint8Array; mediaType: string | null }> {
  const record = session.find(recordId);
  const logged = (await readRecords(session, [record]))(record);
  const kept = logged ? await readPersisted(session, logged, n) : null;
  if (kept) return { bytes: kept, mediaType: null };
  const document = logged && readResultDocument(logged, n);
  if (document) return { bytes: document, mediaType: null };
  const blob = logged && logged.kind !== "unreadable" ? storedBlobs(logged)[n] : undefined;
  if (!blob?.data)
    throw new ViewerError("blob-not-found", "There is no image or document at this place of the record", {
      hint: "Open the record itself.",
    });
  const [ref] = blobRefs(logged, recordId, null).slice(n, n + 1);
  return { bytes: Buffer.from(blob.data, "base64"), mediaType: ref?.mediaType ?? null };
}
