import { structuredPatch } from "diff";
import { parseJson } from "@/lib/format/json-values";
import { textLines } from "@/lib/format/text";
import { countLines } from "@/lib/log/adding/patch-count";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { FILE_CREATED } from "@/lib/log/rows/calls/describe-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import type { RecordId } from "@/lib/wire/ids";
import type { FileDiff, Hunk, OriginalLines } from "@/lib/wire/record";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";

const CONTEXT_LINES = 3;
/** Texts that differ in more lines are shown as one replaced by the other. */
const MAX_LINE_EDITS = 1_000;

/**
 * The changes of a call as diffs: the recorded patch where the client wrote one; otherwise computed from
 * the input and marked so (results inside agents have none from 2.1.29 on), without line numbers.
 * @param text of the result, which alone may say that a file was created
 */
export function fileDiffs(
  name: string,
  input: JsonObject,
  structured: JsonObject | null,
  failed: boolean,
  text: string,
): FileDiff[] {
  const path = asString(input.file_path) ?? asString(input.notebook_path) ?? asString(structured?.filePath);
  if (path === null || toolNamed(name)?.files !== "changes") return [];
  const flags = {
    path,
    userModified: structured?.userModified === true,
    replaceAll: input.replace_all === true,
    places: input.replace_all === true ? countOccurrences(structured, asString(input.old_string)) : null,
  };
  const isCreated =
    structured === null
      ? name === "Write" && !failed && text.startsWith(FILE_CREATED)
      : structured.type === "create";
  if (isCreated) {
    const content = asString(structured?.content) ?? asString(input.content) ?? "";
    return [
      {
        ...flags,
        change: "created",
        computed: false,
        hunks: [created(content)],
        added: countLines(content),
        removed: 0,
      },
    ];
  }
  const recorded = recordedHunks(structured);
  if (recorded.length > 0)
    return [{ ...flags, change: "updated", computed: false, hunks: recorded, ...countHunks(recorded) }];
  if (structured && Array.isArray(structured.structuredPatch)) {
    return [{ ...flags, change: "unchanged", computed: false, hunks: [], added: 0, removed: 0 }];
  }
  const cell = name === "NotebookEdit" && !failed ? notebookCell(input, structured) : null;
  if (cell) {
    const hunks = between(cell.before, cell.after);
    const change = hunks.length === 0 ? "unchanged" : cell.isNew ? "created" : "updated";
    return [{ ...flags, change, computed: false, hunks, ...countHunks(hunks) }];
  }
  const computed = failed ? [] : computedHunks(name, input);
  if (computed.length === 0) return [];
  // The former content of an emptied file, or of a deleted cell, is not in the input.
  const hunks = computed.filter(({ lines }) => lines.length > 0);
  return [{ ...flags, change: "updated", computed: true, hunks, ...countHunks(hunks) }];
}

/** The patch that the client recorded with a change; empty where it has none. */
export function recordedHunks(structured: JsonObject | null): Hunk[] {
  return asArray(structured?.structuredPatch)
    .map(toHunk)
    .filter((hunk) => hunk !== null);
}

function toHunk(value: unknown): Hunk | null {
  const hunk = asObject(value);
  if (!hunk) return null;
  const lines = asArray(hunk.lines).filter((line) => typeof line === "string");
  const number = (field: string) => asNumber(hunk[field]) ?? 0;
  return {
    oldStart: number("oldStart"),
    oldLines: number("oldLines"),
    newStart: number("newStart"),
    newLines: number("newLines"),
    lines,
  };
}

function created(content: string): Hunk {
  return replaced([], textLines(content));
}

function replaced(before: readonly string[], after: readonly string[]): Hunk {
  return {
    oldStart: before.length === 0 ? 0 : 1,
    oldLines: before.length,
    newStart: 1,
    newLines: after.length,
    lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)],
  };
}

function computedHunks(name: string, input: JsonObject): Hunk[] {
  if (name === "Write") return [created(asString(input.content) ?? "")];
  if (name === "NotebookEdit") return [created(asString(input.new_source) ?? "")];
  const edits = name === "MultiEdit" ? asArray(input.edits).map(asObject) : [input];
  return edits.flatMap((edit) => between(asString(edit?.old_string) ?? "", asString(edit?.new_string) ?? ""));
}

function between(before: string, after: string): Hunk[] {
  const patch = structuredPatch("", "", before, after, "", "", {
    context: CONTEXT_LINES,
    maxEditLength: MAX_LINE_EDITS,
  });
  if (!patch) return [replaced(textLines(before), textLines(after))];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines: lines.filter((line) => !line.startsWith("\\")),
  }));
}

/** How often a text occurred in the file before; `null` where the log does not contain the file. */
function countOccurrences(structured: JsonObject | null, text: string | null): number | null {
  const original = originalFile(structured);
  return original === null || !text ? null : original.split(text).length - 1;
}

function countHunks(hunks: readonly Hunk[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith("+")) added += 1;
      else if (line.startsWith("-")) removed += 1;
    }
  }
  return { added, removed };
}

/** A notebook's cell before and after a call; `isNew` for one that the call inserted. */
export type NotebookCell = { before: string; after: string; isNew: boolean };

/**
 * The cell that a NotebookEdit changed: 2.1.330 records its old text (`old_source`), 2.1.29 and later the whole
 * notebook (`original_file`); earlier versions neither, nor do agents' lines: then `null`, unless the cell is new.
 */
export function notebookCell(input: JsonObject, structured: JsonObject | null): NotebookCell | null {
  const mode = asString(structured?.edit_mode) ?? asString(input.edit_mode) ?? "replace";
  const after = asString(structured?.new_source) ?? asString(input.new_source) ?? "";
  if (mode === "insert") return { before: "", after, isNew: true };
  const id = asString(structured?.cell_id) ?? asString(input.cell_id);
  const before = asString(structured?.old_source) ?? sourceIn(asString(structured?.original_file), id);
  if (before === null) return null;
  return { before, after: mode === "delete" ? "" : after, isNew: false };
}

function sourceIn(notebook: string | null, id: string | null): string | null {
  if (notebook === null || id === null) return null;
  const cells = asArray(parseNotebook(notebook)?.cells);
  const cell = asObject(cells[findCell(cells, id)]);
  if (!cell) return null;
  const source = asArray(cell.source).filter((line) => typeof line === "string");
  return asString(cell.source) ?? source.join("");
}

/**
 * The index of a cell in its notebook, -1 if it is not there. In a notebook without ids cells are named by it:
 * `cell-3`.
 */
export function findCell(cells: readonly unknown[], id: string): number {
  const found = cells.findIndex((one) => asObject(one)?.id === id);
  const index = Number(/^cell-(\d+)$/.exec(id)?.[1] ?? -1);
  return found === -1 && index < cells.length ? index : found;
}

/** The notebook in a file's text; `null` for a text that is none. */
export function parseNotebook(text: string): JsonObject | null {
  return asObject(parseJson(text));
}

const NONE = -1;
/** Maximum size of an answer, however long the lines are. */
const MAX_CHARACTERS = 512 << 10;

/** The file as it was before a call, where the client recorded it (`originalFile`; MultiEdit: `…Contents`). */
export function originalFile(structured: JsonObject | null): string | null {
  return asString(structured?.originalFile) ?? asString(structured?.originalFileContents);
}

/** Lines `from` (from 1) to `to` of the file before a call: as many as fit into an answer, at least one. */
export async function originalLines(
  session: OpenSession,
  recordId: RecordId,
  blockIndex: number,
  { from, to }: { from: number; to: number },
): Promise<OriginalLines> {
  const { table } = session;
  const call = table.blocks.call.at(findCallBlock(session, session.find(recordId), blockIndex));
  const result = table.calls.result.at(call);
  const record = result === NONE ? NONE : table.blocks.record.at(result);
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
    if (lines.length > 0 && characters > MAX_CHARACTERS) break;
    lines.push(one);
  }
  return { from, lines: text === null ? [] : lines };
}

/** The block of the call at this index of a record. Throws `call-not-found`. */
export function findCallBlock({ table }: OpenSession, record: number, blockIndex: number): number {
  const first = table.records.firstBlock.at(record);
  for (let block = first; block < table.blocks.size && table.blocks.record.at(block) === record; block++) {
    if (table.blocks.index.at(block) === blockIndex && table.blocks.call.at(block) !== NONE) return block;
  }
  throw notACall();
}

/** The error `call-not-found`, for a block that is not a call. */
export function notACall(): ViewerError {
  return new ViewerError("call-not-found", "There is no tool call at this place of the record", {
    hint: "Open the record itself.",
  });
}
