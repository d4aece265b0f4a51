import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { fieldsOf, listField, textField } from "@/lib/format/json-values";
import { applyEdits, type Replacement } from "@/lib/tools/applied-edits";
import type { SessionId } from "@/lib/wire/ids";
import { type CallDetail, isWholeField } from "@/lib/wire/record";

/** A file before and after a call, `null` if the log does not say; `after` in each possible reading. */
export type FileTexts = { before: string | null; after: readonly string[] };

/** The texts of a file in a call's result; a text that is too long to be part of the call is read from the record. */
export async function readTexts(sessionId: SessionId, call: CallDetail): Promise<FileTexts> {
  const [result] = call.results;
  const structured = fieldsOf(result?.structured);
  const isCut = Object.values(structured).some((value) => typeof value === "string" && !isWholeField(value));
  if (!result || !isCut) return fileTexts(call.name, call.input, structured);
  try {
    const line: unknown = JSON.parse(await api.rawRecord(sessionId, result.recordId));
    return fileTexts(call.name, call.input, fieldsOf(line).toolUseResult);
  } catch (cause) {
    // An exported file does not have it: the patch is written as it was recorded.
    if (cause instanceof ApiError) return { before: null, after: [] };
    throw cause;
  }
}

function fileTexts(tool: string, input: unknown, structured: unknown): FileTexts {
  const before =
    textField(structured, "type") === "create"
      ? ""
      : (textField(structured, "originalFile") ?? textField(structured, "originalFileContents"));
  const content = tool === "Write" ? textField(structured, "content") : null;
  if (content !== null || before === null) return { before, after: content === null ? [] : [content] };
  const edits = replacements(input, structured);
  return {
    before,
    after: [true, false].flatMap((wholeLines) => applyEdits(before, edits, wholeLines) ?? []),
  };
}

/** What an Edit or a MultiEdit replaced; the result has the text as the client found it. */
function replacements(input: unknown, structured: unknown): Replacement[] {
  const listed = [listField(structured, "edits"), listField(input, "edits")].find(
    (edits) => edits.length > 0,
  );
  return (listed ?? [input]).map((edit) => ({
    from: (listed ? null : textField(structured, "oldString")) ?? textField(edit, "old_string") ?? "",
    to: (listed ? null : textField(structured, "newString")) ?? textField(edit, "new_string") ?? "",
    all: fieldsOf(edit).replace_all === true,
  }));
}
