import { expect, it } from "vitest";
import { asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { linesOf } from "@/lib/testing/raw-lines";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { cellEditOf, withCellEdited } from "./notebook-edit";

const CODE = { cell_type: "code", id: "c1", execution_count: 1, metadata: {}, outputs: [{}], source: ["a"] };
const TEXT = { cell_type: "markdown", id: "c2", metadata: {}, source: ["b"] };

const notebook = (...cells: object[]) => JSON.stringify({ cells, metadata: {}, nbformat: 4 }, null, 1);

function made(text: string, input: JsonObject): string | null {
  const edit = cellEditOf({ new_source: "x", ...input });
  return edit && withCellEdited(text, edit);
}

const CHANGED = { ...CODE, execution_count: null, outputs: [], source: "x" };

it("a code cell has its new source, and no outputs", () => {
  expect(made(`${notebook(CODE, TEXT)}\n`, { cell_id: "c1" })).toBe(notebook(CHANGED, TEXT));
  const input = { cell_id: "c1", edit_mode: "replace", cell_type: "code" };
  expect(made(notebook(TEXT, CODE), input)).toBe(notebook(TEXT, CHANGED));
});

it("a cell without an id is named by its place", () => {
  const { id: _id, ...cell } = CODE;
  const { id: _other, ...changed } = CHANGED;
  expect(made(notebook(TEXT, cell), { cell_id: "cell-1" })).toBe(notebook(TEXT, changed));
});

it("a cell that is deleted is gone", () => {
  expect(made(notebook(CODE, TEXT), { cell_id: "c2", edit_mode: "delete" })).toBe(notebook(CODE));
});

it.each<[string, string, JsonObject]>([
  ["a new cell, whose id is made up", notebook(CODE), { cell_id: "c1", edit_mode: "insert" }],
  ["a mode that nobody knows", notebook(CODE), { cell_id: "c1", edit_mode: "move" }],
  ["a cell without a name", notebook(CODE), {}],
  ["a cell that is not there", notebook(CODE), { cell_id: "c9" }],
  ["a place behind the last", notebook(CODE), { cell_id: "cell-1" }],
  ["a cell of text", notebook(TEXT), { cell_id: "c2" }],
  ["a cell that becomes one of text", notebook(CODE), { cell_id: "c1", cell_type: "markdown" }],
  ["a cell that lacks what is cleared", notebook({ id: "c1", cell_type: "code" }), { cell_id: "c1" }],
  ["a notebook laid out differently", JSON.stringify({ cells: [CODE] }), { cell_id: "c1" }],
  ["what is no notebook", "# Note", { cell_id: "c1" }],
])("what became of it is not known of %s", (_what, text, input) => {
  expect(made(text, input)).toBeNull();
});

it.each(RECORDED_VERSIONS)(
  "%s: a notebook is what the client wrote, wherever the log has that",
  async (version) => {
    const { folder } = await openRecording(version);
    let compared = 0;
    for (const { id } of folder.catalog.summaries()) {
      const inputs = new Map<string, JsonObject>();
      for (const line of linesOf(folder.catalog, id)) {
        const { content } = line.message ?? {};
        for (const block of (Array.isArray(content) ? content : []).map(asObject)) {
          if (block?.name === "NotebookEdit") inputs.set(String(block.id), asObject(block.input) ?? {});
          const input = inputs.get(String(block?.tool_use_id));
          const told = asObject((line as JsonObject).toolUseResult);
          const [before, after] = [asString(told?.original_file), asString(told?.updated_file)];
          if (!input || before === null || after === null) continue;
          expect(made(before, input)).toBe(after);
          compared += 1;
        }
      }
    }
    expect(compared > 0).toBe(RECORDED_VERSIONS.indexOf(version) >= RECORDED_VERSIONS.indexOf("2.1.29"));
  },
);
