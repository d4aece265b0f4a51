import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { RecordId } from "@/lib/wire/ids";
import type { OriginalLines } from "@/lib/wire/record";
import { callBlock } from "./call-block";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const NONE = -1;
/** An answer holds no more, however long the lines are. */
const MOST_CHARACTERS = 512 << 10;

/** The file as it was before a call, where the client recorded it (`originalFile`; MultiEdit: `…Contents`). */
export function originalFile(structured: JsonObject | null): string | null {
  return asString(structured?.originalFile) ?? asString(structured?.originalFileContents);
}

/** Lines `from` (from 1) to `to` of the file before a call: as many of them as an answer holds, at least one. */
export async function originalLines(
  session: OpenSession,
  recordId: RecordId,
  place: number,
  { from, to }: { from: number; to: number },
): Promise<OriginalLines> {
  const { table } = session;
  const call = table.blocks.get("call", callBlock(session, session.find(recordId), place));
  const result = table.calls.get("result", call);
  const record = result === NONE ? NONE : table.blocks.get("record", result);
  const line = (await readRecords(session, [record]))(record);
  const text = line?.kind === "user" ? originalFile(asObject(line.toolUseResult)) : null;
  const asked = (text ?? "")
    .replace(/\n$/, "")
    .split("\n")
    .slice(from - 1, to);
  const lines: string[] = [];
  let characters = 0;
  for (const one of asked) {
    characters += one.length + 1;
    if (lines.length > 0 && characters > MOST_CHARACTERS) break;
    lines.push(one);
  }
  return { from, lines: text === null ? [] : lines };
}
