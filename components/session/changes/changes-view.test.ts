import { expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import { filesOfTurn } from "./changes-view";

const FILE = {
  path: "a.ts",
  added: 1,
  removed: 0,
  calls: 1,
  recordIds: ["m~3"] as RecordId[],
  blocks: [0],
  turns: [1],
};
const FILES = [
  { ...FILE, path: "b.ts", calls: 2, recordIds: ["m~1", "m~2"] as RecordId[], blocks: [0, 1], turns: [1, 2] },
  FILE,
];

it("keeps the calls of a turn, by path", () => {
  const spell = (turn: number | null) =>
    filesOfTurn(FILES, turn, null).map(
      ({ path, changes }) => `${path} ${changes.map(({ recordId }) => recordId).join(" ")}`,
    );
  expect(spell(null)).toEqual(["a.ts m~3", "b.ts m~1 m~2"]);
  expect(spell(2)).toEqual(["b.ts m~2"]);
  expect(spell(9)).toEqual([]);
});

it.each([
  ["/home/dev/shop", "/"],
  ["C:\\dev\\shop", "\\"],
])("the project's files come first, then those outside of it, plans last: %s", (root, slash) => {
  const home = root.slice(0, -4);
  const paths = [
    `${home}.claude/plans/calm-river.md`,
    `${home}.bashrc`,
    `${root}/src/cart.ts`,
    `${home}config/plans/other-place.md`,
    `${home}shopping/list.md`,
    `${root}/docs/plans/roadmap.md`,
    `${root}/.claude/plans/own.md`,
    "relative.ts",
  ].map((path) => path.replaceAll("/", slash));
  const files = paths.map((path) => ({ ...FILE, path }));
  const spell = (from: string | null) =>
    filesOfTurn(files, null, from).map(
      ({ path, place }) => `${place} ${path.replace(home, "").replaceAll("\\", "/")}`,
    );
  expect(spell(root)).toEqual([
    "project shop/docs/plans/roadmap.md",
    "project shop/src/cart.ts",
    "project relative.ts",
    "outside .bashrc",
    "outside shopping/list.md",
    "plan .claude/plans/calm-river.md",
    "plan config/plans/other-place.md",
    "plan shop/.claude/plans/own.md",
  ]);
  // Where the project's folder is not known, only plans are told apart.
  expect(spell(null).filter((line) => !line.startsWith("project "))).toEqual([
    "plan .claude/plans/calm-river.md",
    "plan shop/.claude/plans/own.md",
  ]);
});
