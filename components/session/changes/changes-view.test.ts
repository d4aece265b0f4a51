import { expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { filesOfTurn } from "./changes-view";

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
