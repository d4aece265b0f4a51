import { asNumber, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { storedBlobs } from "@/lib/log/table/stored-blobs";
import type { RecordId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/row-base";
import { persistedNames } from "./persisted-output";

/** A PDF that was read. The client keeps it in the structured result; the content may say no more than its name. */
export function resultDocument(record: SessionRecord | null, recordId: RecordId): BlobRef[] {
  const file = pdfOf(record);
  if (!record || !file) return [];
  const path = asString(file.filePath) ?? "";
  return [
    {
      recordId,
      n: numberOf(record),
      kind: "document",
      mediaType: "application/pdf",
      bytes: asNumber(file.originalSize),
      name: path.split(/[\\/]/).at(-1) || null,
    },
  ];
}

/** The bytes of a record's document number `n`, or `null` if it has none of that number. */
export function readResultDocument(record: SessionRecord, n: number): Uint8Array | null {
  const data = asString(pdfOf(record)?.base64);
  return data !== null && n === numberOf(record) ? Buffer.from(data, "base64") : null;
}

function pdfOf(record: SessionRecord | null) {
  if (record?.kind !== "user") return null;
  // Where the result itself holds it, it is there already.
  if (storedBlobs(record).some(({ kind }) => kind === "document")) return null;
  const structured = asObject(record.toolUseResult);
  const file = structured?.type === "pdf" ? asObject(structured.file) : null;
  return asString(file?.base64) === null ? null : file;
}

/** Behind the images of its content and the outputs that were put aside. */
function numberOf(record: SessionRecord): number {
  return (record.kind === "unreadable" ? 0 : storedBlobs(record).length) + persistedNames(record).length;
}
