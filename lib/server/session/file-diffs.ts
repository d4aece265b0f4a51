import { structuredPatch } from "diff";
import { asArray, asNumber, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { countLines } from "@/lib/log/table/patch-count";
import type { FileDiff, Hunk } from "@/lib/wire/record";
import { notebookCell } from "./notebook-cell";
import { originalFile } from "./original-file";

const CONTEXT_LINES = 3;
const DIFF_TIMEOUT_MS = 200;

/**
 * What a call changed, as diffs: the recorded patch where the client wrote one; else computed from
 * the input and marked so (results inside agents carry none from 2.1.29 on), without line numbers.
 */
export function fileDiffs(
  name: string,
  input: JsonObject,
  structured: JsonObject | null,
  failed: boolean,
): FileDiff[] {
  const path = asString(input.file_path) ?? asString(input.notebook_path) ?? asString(structured?.filePath);
  if (path === null || !CHANGERS.has(name)) return [];
  const flags = {
    path,
    userModified: structured?.userModified === true,
    replaceAll: input.replace_all === true,
    places: input.replace_all === true ? countPlaces(structured, asString(input.old_string)) : null,
  };
  if (structured?.type === "create") {
    const content = asString(structured.content) ?? asString(input.content) ?? "";
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
  const recorded = asArray(structured?.structuredPatch)
    .map(toHunk)
    .filter((hunk) => hunk !== null);
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
  return computed.length === 0
    ? []
    : [{ ...flags, change: "updated", computed: true, hunks: computed, ...countHunks(computed) }];
}

const CHANGERS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

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
  const lines = content === "" ? [] : content.replace(/\n$/, "").split("\n");
  return {
    oldStart: 0,
    oldLines: 0,
    newStart: 1,
    newLines: lines.length,
    lines: lines.map((line) => `+${line}`),
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
    timeout: DIFF_TIMEOUT_MS,
  });
  return (patch?.hunks ?? []).map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines: lines.filter((line) => !line.startsWith("\\")),
  }));
}

/** How often a text stood in the file before; `null` where the log has no such file. */
function countPlaces(structured: JsonObject | null, text: string | null): number | null {
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
