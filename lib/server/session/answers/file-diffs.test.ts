import { expect, it } from "vitest";
import { fileDiffs, notebookCell } from "./file-diffs";

const NOTEBOOK = JSON.stringify({ cells: [{ id: "c1", source: ["a\n", "b"] }, { source: "x" }] });

it("finds the former text of a notebook's cell, in the form that each version records", () => {
  const input = { cell_id: "c1", new_source: "b" };
  expect(notebookCell(input, { old_source: "a", new_source: "b" })).toMatchObject({
    before: "a",
    after: "b",
  });
  expect(notebookCell(input, { original_file: NOTEBOOK, cell_id: "c1" })).toMatchObject({ before: "a\nb" });
  expect(notebookCell({ cell_id: "cell-1" }, { original_file: NOTEBOOK })).toMatchObject({ before: "x" });
  expect(notebookCell(input, { new_source: "b" })).toBeNull();
  expect(notebookCell(input, { original_file: "{" })).toBeNull();
  expect(notebookCell({ edit_mode: "insert", new_source: "n" }, null)).toEqual({
    before: "",
    after: "n",
    isNew: true,
  });
});

it("treats a file as created if only the text says so, and as changed if nothing does", () => {
  const input = { file_path: "/a.ts", content: "one\ntwo\n" };
  const told = (text: string) =>
    fileDiffs("Write", input, null, false, text).map(({ change, computed, added }) => ({
      change,
      computed,
      added,
    }));
  expect(told("File created successfully at: /a.ts")).toEqual([
    { change: "created", computed: false, added: 2 },
  ]);
  expect(told("The file /a.ts has been updated.")).toEqual([{ change: "updated", computed: true, added: 2 }]);
});

it("says that lines were removed if the log does not contain them: a cell that an agent deleted, an emptied file", () => {
  const told = (name: string, input: Record<string, unknown>) =>
    fileDiffs(name, input, null, false, "").map(({ change, computed, hunks }) => ({
      change,
      computed,
      hunks: hunks.length,
    }));
  const gone = [{ change: "updated", computed: true, hunks: 0 }];
  const cell = { notebook_path: "/a.ipynb", cell_id: "c1", edit_mode: "delete", new_source: "" };
  expect(told("NotebookEdit", cell)).toEqual(gone);
  expect(told("Write", { file_path: "/a.ts", content: "" })).toEqual(gone);
});

it("shows everything as removed and added if two texts have too little in common to be compared", () => {
  const text = (name: string) => Array.from({ length: 3_000 }, (_, at) => `${name} ${at}`).join("\n");
  const input = { file_path: "/a.ts", old_string: text("old"), new_string: text("new") };
  const [diff] = fileDiffs("Edit", input, null, false, "");
  expect(diff).toMatchObject({ change: "updated", computed: true, added: 3_000, removed: 3_000 });
  expect(diff?.hunks[0]?.lines[2_999]).toBe("-old 2999");
  expect(diff?.hunks[0]?.lines[3_000]).toBe("+new 0");
});
