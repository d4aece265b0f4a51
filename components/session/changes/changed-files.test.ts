import { expect, it } from "vitest";
import { workInRange } from "@/components/session/waterfall/selected-part";
import { readSpans } from "@/components/session/waterfall/waterfall-model";
import type { RecordId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import {
  ALL_CHANGES,
  changedFiles,
  changedLines,
  diffsOf,
  type FileChanges,
  printedFiles,
  reservedHeights,
} from "./changed-files";

function spanOf(one: Pick<Span, "id" | "recordId" | "block" | "startMs" | "endMs"> & Partial<Span>): Span {
  return { parentId: null, kind: "tool", name: "Edit", exact: true, critical: false, turn: 1, ...one };
}

const FILE = {
  path: "a.ts",
  added: 1,
  removed: 0,
  calls: 1,
  recordIds: ["m~3"] as RecordId[],
  blocks: [0],
  turns: [1],
  addedBy: [1],
  removedBy: [0],
};
const FILES = [
  {
    ...{
      ...FILE,
      path: "b.ts",
      calls: 2,
      recordIds: ["m~1", "m~2"] as RecordId[],
      blocks: [0, 1],
      turns: [1, 2],
    },
    ...{ added: 7, removed: 2, addedBy: [2, 5], removedBy: [0, 2] },
  },
  FILE,
];

it("keeps the calls of a turn, by path", () => {
  const spell = (turn: number | null) =>
    changedFiles(FILES, { turn, part: null }, null).map(
      ({ path, changes }) => `${path} ${changes.map(({ recordId }) => recordId).join(" ")}`,
    );
  expect(spell(null)).toEqual(["a.ts m~3", "b.ts m~1 m~2"]);
  expect(spell(2)).toEqual(["b.ts m~2"]);
  expect(spell(9)).toEqual([]);
});

it("keeps the calls of a part of the time, and how many lines those changed", () => {
  const part = workInRange(
    readSpans([
      spanOf({ id: "1", recordId: "m~1" as RecordId, block: 0, startMs: 10, endMs: 20 }),
      spanOf({ id: "2", recordId: "m~2" as RecordId, block: 1, startMs: 30, endMs: 40, turn: 2 }),
      spanOf({ id: "3", recordId: "m~3" as RecordId, block: 0, startMs: 35, endMs: 60, turn: 2 }),
    ]),
    { fromMs: 20, toMs: 36 },
  );
  expect(part.turns).toEqual([2]);
  const files = changedFiles(FILES, { turn: null, part }, null);
  expect(
    files.map(
      ({ path, added, removed, changes }) =>
        `${path} +${added} −${removed} ${changes.map((one) => one.recordId).join()}`,
    ),
  ).toEqual(["a.ts +1 −0 m~3", "b.ts +5 −2 m~2"]);
  expect(changedLines(files)).toEqual({ added: 6, removed: 2 });
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
    changedFiles(files, ALL_CHANGES, from).map(
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

it("prints whole files, as many as fit", () => {
  const file = (path: string, changes: number): FileChanges => ({
    path,
    place: "project",
    added: 0,
    removed: 0,
    changes: Array.from({ length: changes }, (_, block) => ({
      ...{ recordId: "m~1" as RecordId, block, turn: 1 },
      ...{ added: 0, removed: 0 },
    })),
  });
  const paths = (...files: FileChanges[]) => printedFiles(files).map(({ path }) => path);
  expect(paths(file("a", 200), file("b", 300))).toEqual(["a", "b"]);
  expect(paths(file("a", 200), file("b", 301), file("c", 1))).toEqual(["a"]);
  expect(paths(file("a", 2_000), file("b", 1))).toEqual(["a"]);
  expect(paths()).toEqual([]);
});

it("knows a project's files on Windows, whose paths have several forms", () => {
  const placeOf = (path: string) =>
    changedFiles([{ ...FILE, path }], ALL_CHANGES, "C:\\Users\\dev\\shop").map(({ place }) => place)[0];
  expect(placeOf("C:\\Users\\dev\\shop\\a.ts")).toBe("project");
  // As an editor's terminal starts the client, and as models write it.
  expect(placeOf("c:\\Users\\dev\\shop\\a.ts")).toBe("project");
  expect(placeOf("C:/Users/dev/shop/a.ts")).toBe("project");
  expect(placeOf("C:\\Users\\dev\\other\\a.ts")).toBe("outside");
});

it("takes a call's change for one of a file of Windows in whatever form the call names it", () => {
  const diff = {
    change: "updated",
    computed: false,
    userModified: false,
    replaceAll: false,
    places: null,
  } as const;
  const none = { hunks: [], added: 0, removed: 0 };
  const paths = ["C:\\shop\\a.ts", "c:\\shop\\a.ts", "C:/shop/a.ts", "C:\\shop\\b.ts"];
  const diffs = paths.map((path) => ({ ...diff, ...none, path }));
  expect(diffsOf({ diffs }, "C:\\shop\\a.ts").map(({ path }) => path)).toEqual(paths.slice(0, 3));
});

it("reserves for each change what its lines will take, and no more than are shown at first", () => {
  const linesOf = (changes: (readonly [added: number, removed: number])[], split = false) =>
    reservedHeights(
      changes.map(([added, removed]) => ({ recordId: "m~1" as RecordId, block: 0, turn: 1, added, removed })),
      { split },
    ).map((height) => Number(/calc\((\d+) /.exec(height)?.[1]));
  // Three lines of context above and below, one that says where, and one for what is left out at either end.
  expect(
    linesOf([
      [1, 1],
      [20, 10],
    ]),
  ).toEqual([11, 39]);
  expect(linesOf([[20, 10]], true)).toEqual([29]);
  // A file that is written anew has none of these; a later change that adds lines alone has.
  expect(
    linesOf([
      [12, 0],
      [12, 0],
    ]),
  ).toEqual([12, 21]);
  expect(linesOf([[5_000, 0]])).toEqual([100]);
});
