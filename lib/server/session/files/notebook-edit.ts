import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { findCell, parseNotebook } from "../answers/file-diffs";

/** A cell of a notebook, named by its id, that was removed or whose source was replaced. */
export type CellEdit = { id: string; mode: "replace" | "delete"; source: string };

/**
 * What a NotebookEdit did to its notebook, if that follows from its input alone; otherwise `null`. A new cell has an id
 * that no input names, and no recording shows how a cell of another type is written.
 */
export function cellEditOf(input: JsonObject): CellEdit | null {
  const id = asString(input.cell_id);
  const mode = asString(input.edit_mode) ?? "replace";
  const isCode = (asString(input.cell_type) ?? CODE) === CODE;
  if (id === null || (mode !== "delete" && !(mode === "replace" && isCode))) return null;
  return { id, mode, source: asString(input.new_source) ?? "" };
}

const CODE = "code";
/** The indentation with which the client writes notebooks. */
const INDENT = 1;

/**
 * A notebook after the edit of a cell, as the client writes it: a code cell loses its outputs and their number
 * (`updated_file` of 2.1.29 to 2.1.330), and the file its last newline, which is no part of the JSON. `null` if that is
 * not certain: the file is formatted differently, the cell is not there, or is no code cell.
 */
export function withCellEdited(notebook: string, { id, mode, source }: CellEdit): string | null {
  const parsed = parseNotebook(notebook);
  const cells = asArray(parsed?.cells);
  const at = findCell(cells, id);
  const cell = asObject(cells[at]);
  if (parsed === null || cell === null) return null;
  if (JSON.stringify(parsed, null, INDENT) !== notebook.replace(/\n$/, "")) return null;
  if (mode === "delete") return written(parsed, cells.toSpliced(at, 1));
  const isWhole = ["source", "execution_count", "outputs"].every((key) => Object.hasOwn(cell, key));
  if (cell.cell_type !== CODE || !isWhole) return null;
  return written(parsed, cells.with(at, { ...cell, source, execution_count: null, outputs: [] }));
}

function written(notebook: JsonObject, cells: readonly unknown[]): string {
  return JSON.stringify({ ...notebook, cells }, null, INDENT);
}
