import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";

/** Lines that a call added and removed, and the file; `null` if the structured result changed none. */
export type PatchCount = { path: string; added: number; removed: number };

/**
 * Counts the lines in the recorded patch of a Write, Edit or MultiEdit result (a NotebookEdit has none). A created file has
 * an empty patch (all versions), so the lines of its content count.
 */
export function countPatch(result: JsonObject): PatchCount | null {
  const path = pathOf(result);
  if (path === null) return null;
  if (result.type === "create")
    return { path, added: countLines(asString(result.content) ?? ""), removed: 0 };
  if (!Array.isArray(result.structuredPatch)) return null;
  let added = 0;
  let removed = 0;
  for (const hunk of result.structuredPatch) {
    for (const line of asArray(asObject(hunk)?.lines)) {
      if (typeof line !== "string") continue;
      if (line.startsWith("+")) added += 1;
      else if (line.startsWith("-")) removed += 1;
    }
  }
  return { path, added, removed };
}

/** The file that a structured result names. */
export function pathOf({ filePath, notebook_path }: JsonObject): string | null {
  return asString(filePath) ?? asString(notebook_path);
}

/** Number of lines of a text; a trailing newline does not start another line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    lines += 1;
  return lines;
}
