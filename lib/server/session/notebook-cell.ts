import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";

/** A notebook's cell before and after a call; `isNew` for one that the call put in. */
export type NotebookCell = { before: string; after: string; isNew: boolean };

/**
 * The cell that a NotebookEdit changed: 2.1.330 records its old text (`old_source`), 2.1.42 and 2.1.110 the
 * whole notebook (`original_file`); versions before neither, then `null`, unless the cell is new.
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
  const cells = asArray(parsed(notebook)?.cells).map(asObject);
  // A notebook without ids has its cells named by their place: `cell-3`.
  const place = /^cell-(\d+)$/.exec(id)?.[1];
  const cell = cells.find((one) => one?.id === id) ?? (place === undefined ? null : cells[Number(place)]);
  if (!cell) return null;
  const source = asArray(cell.source).filter((line) => typeof line === "string");
  return asString(cell.source) ?? source.join("");
}

function parsed(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
