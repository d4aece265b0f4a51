import { isUtf8 } from "node:buffer";
import { basename, join } from "node:path";
import { storedBlobs } from "@/lib/log/adding/push-record";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { textOfResult } from "@/lib/log/rows/tool-row";
import { openConfined } from "@/lib/server/disk/confined-file";
import { statOfPlainFile } from "@/lib/server/disk/kept-files";
import type { RecordId } from "@/lib/wire/ids";
import type { BlobRef } from "@/lib/wire/rows";
import type { OpenSession } from "../open-session";
import { wholeCharacters } from "../read-records";

/** Folders may have blanks in their names, and so may placeholders in a redacted path: `/home/[user 1]/…`. */
const SAVED_TO =
  /(?:Full output saved to|Output (?:has been )?saved to):?\s+([^\n<>"]{0,4096}?[\\/]tool-results[\\/](?:\[[a-z-]+ \d+\]|[^\s<>"])+)/g;

/** The maximum of a tool-result file that one request takes into memory. */
const MAX_BYTES = 64 << 20;

/**
 * Names of the files in which a result's output was saved: `toolu_….txt` (2.1.29, 2.1.42),
 * nine characters or `mcp-<server>-blob-….png` (2.1.110 and later). The log has an absolute path of
 * the machine that wrote it; only the last part is used, inside this session's own folder.
 */
function persistedNames(record: SessionRecord): string[] {
  if (record.kind !== "user") return [];
  const names = new Set<string>();
  const note = (path: string | null) => {
    if (path?.replaceAll("\\", "/").includes("/tool-results/"))
      names.add(basename(path.replaceAll("\\", "/")));
  };
  note(asString(asObject(record.toolUseResult)?.persistedOutputPath));
  for (const block of record.blocks) {
    if (block.kind !== "tool-result") continue;
    for (const match of textOfResult(block).matchAll(SAVED_TO)) note(match[1] ?? null);
  }
  return [...names];
}

/** The tool-result files of a record that still exist, numbered after its images. */
export function persistedOutputs(
  session: OpenSession,
  record: SessionRecord | null,
  recordId: RecordId,
): BlobRef[] {
  const { folder } = session.files;
  if (!record || record.kind === "unreadable" || folder === null) return [];
  const from = storedBlobs(record).length;
  const found = persistedNames(record).map((name, index): BlobRef | null => {
    const bytes = statOfPlainFile(join(folder, "tool-results", name))?.size ?? null;
    return bytes === null
      ? null
      : { recordId, n: from + index, kind: "output", mediaType: null, bytes, name };
  });
  return found.filter((blob) => blob !== null);
}

/** The bytes of a record's tool-result file number `n`, or `null` if it has none of that number. Throws what `openConfined` throws. */
export async function readPersisted(
  session: OpenSession,
  record: SessionRecord,
  n: number,
): Promise<Uint8Array | null> {
  const name = persistedNames(record)[n - storedBlobs(record).length];
  const { folder, root } = session.files;
  if (name === undefined || folder === null) return null;
  const handle = await openConfined(root, join(folder, "tool-results", name));
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.allocUnsafe(Math.min(size, MAX_BYTES));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const start = bytes.subarray(0, bytesRead);
    const read = size > MAX_BYTES ? wholeCharacters(start) : start;
    const { redaction } = session;
    if (!redaction || !isUtf8(read)) return read;
    const text = new TextDecoder().decode(read);
    return new TextEncoder().encode(redaction.redactText(text, redaction.isSettings(name)));
  } finally {
    await handle.close();
  }
}

/** A PDF that was read. The client keeps it in the structured result; the content may have only its name. */
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
  // Not needed if the result itself contains it.
  if (storedBlobs(record).some(({ kind }) => kind === "document")) return null;
  const structured = asObject(record.toolUseResult);
  const file = structured?.type === "pdf" ? asObject(structured.file) : null;
  return asString(file?.base64) === null ? null : file;
}

/** Its number follows those of the content's images and of the tool-result files. */
function numberOf(record: SessionRecord): number {
  return (record.kind === "unreadable" ? 0 : storedBlobs(record).length) + persistedNames(record).length;
}
