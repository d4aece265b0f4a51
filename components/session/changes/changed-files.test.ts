import { expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { type FileChanges, filesOfTurn, printedFiles } from "./changed-files";

const FILES = [
  {
    path: "b.ts",
    added: 1,
    removed: 0,
    calls: 2,
    recordIds: ["m~1", "m~2"] as RecordId[],
    blocks: [0, 1],
    turns: [1, 2],
  },
  { path: "a.ts", added: 1, removed: 0, calls: 1, recordIds: ["m~3"] as RecordId[], blocks: [0], turns: [1] },
];

it("keeps the calls of a turn, by path", () => {
  const spell = (turn: number | null) =>
    filesOfTurn(FILES, turn).map(
      ({ path, changes }) => `${path} ${changes.map(({ recordId }) => recordId).join(" ")}`,
    );
  expect(spell(null)).toEqual(["a.ts m~3", "b.ts m~1 m~2"]);
  expect(spell(2)).toEqual(["b.ts m~2"]);
  expect(spell(9)).toEqual([]);
});

it("prints whole files, as many as fit", () => {
  const file = (path: string, changes: number): FileChanges => ({
    path,
    added: 0,
    removed: 0,
    changes: Array.from({ length: changes }, (_, block) => ({ recordId: "m~1" as RecordId, block, turn: 1 })),
  });
  const paths = (...files: FileChanges[]) => printedFiles(files).map(({ path }) => path);
  expect(paths(file("a", 200), file("b", 300))).toEqual(["a", "b"]);
  expect(paths(file("a", 200), file("b", 301), file("c", 1))).toEqual(["a"]);
  expect(paths(file("a", 2_000), file("b", 1))).toEqual(["a"]);
  expect(paths()).toEqual([]);
});
