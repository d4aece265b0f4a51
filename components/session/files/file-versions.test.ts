import { describe, expect, it } from "vitest";
import type { BlameRange, FileAt, FileVersion } from "@/lib/wire/files";
import type { RecordId } from "@/lib/wire/ids";
import {
  fileItems,
  formatMissing,
  formatStep,
  lineBeside,
  listedFiles,
  shownLines,
  versionDiff,
  versionName,
} from "./file-versions";

const VERSION: FileVersion = {
  id: "m~1.0",
  recordId: "m~1" as RecordId,
  block: 0,
  tool: "Edit",
  kind: "edit",
  turn: 1,
  agentId: null,
  branch: null,
  added: 1,
  removed: 0,
  atMs: null,
  complete: true,
  sameAs: null,
  checkedBy: null,
};

const file = (content: string | null, more: Partial<FileAt> = {}): FileAt => ({
  path: "a.ts",
  atRecordId: null,
  version: "m~1.0",
  content,
  exists: true,
  complete: true,
  gaps: [],
  source: "read",
  ...more,
});

const range = (fromLine: number, toLine: number): BlameRange => ({
  fromLine,
  toLine,
  recordId: "m~1" as RecordId,
  block: 0,
  turn: 1,
  agentId: null,
  branch: null,
  tool: "Edit",
  how: "wrote",
  version: "m~1.0",
  prompt: null,
  atMs: null,
});

it("counts versions from what was there before the session changed it", () => {
  const read = { ...VERSION, kind: "read" as const };
  const create = { ...VERSION, kind: "create" as const };
  expect([0, 1].map((index) => versionName([read, VERSION], index))).toEqual(["v0", "v1"]);
  expect([0, 1].map((index) => versionName([create, VERSION], index))).toEqual(["v1", "v2"]);
});

it("lists what was changed, by agents too, and with the rest what was read", () => {
  const touched = (path: string, changes: number) => ({ path, reads: 1, changes, byAgents: changes });
  const list = (shown: string, all: boolean) =>
    listedFiles(
      [{ path: "a", added: 1, removed: 0 }],
      [touched("a", 1), touched("b", 1), touched("c", 0)],
      shown,
      all,
    )
      .map(({ path, added }) => `${path}${added ?? ""}`)
      .join(" ");
  expect(list("a", false)).toBe("a1 b");
  expect(list("a", true)).toBe("a1 b c");
  expect(list("c", false)).toBe("a1 b c");
  expect(list("d", false)).toBe("d a1 b");
});

it("lists a file of Windows once, in whatever form the address or a call names it", () => {
  const path = "C:\\shop\\a.ts";
  const touched = { path: "C:/shop/a.ts", reads: 1, changes: 1, byAgents: 0 };
  const list = (shown: string) => listedFiles([{ path, added: 1, removed: 0 }], [touched], shown, true);
  expect(list("c:\\shop\\a.ts")).toEqual([{ path, added: 1, removed: 0 }]);
});

it("says by what a version is", () => {
  expect(formatStep([], VERSION, null)).toBe("Edit");
  expect(formatStep([], { ...VERSION, agentId: "a1" as never }, "audit")).toBe("Edit by audit");
  expect(formatStep([], { ...VERSION, kind: "outside" }, null)).toBe("changed outside");
  const restored = { ...VERSION, kind: "outside" as const, sameAs: VERSION.id };
  expect(formatStep([VERSION], restored, null)).toBe("put back to v1");
});

describe("the lines of a file", () => {
  const spell = (content: string | null, more: Partial<FileAt>, blame: BlameRange[]) =>
    fileItems({ file: file(content, more), blame }).map((item) =>
      item.kind === "gap"
        ? `gap ${item.gap.fromLine}-${item.gap.toLine ?? ""}`
        : `${item.line}${item.blame ? "*" : ""}${item.first ? " first" : ""}`,
    );

  it("have their blame, and the first of a range says so", () => {
    expect(spell("a\nb\nc\n", {}, [range(1, 2), range(3, 3)])).toEqual(["1* first", "2*", "3* first"]);
  });

  it("have gaps in place of what no log holds", () => {
    const gaps = [
      { fromLine: 2, toLine: 3 },
      { fromLine: 5, toLine: null },
    ];
    expect(spell("a\n\n\nd", { gaps }, [range(1, 1), range(4, 4)])).toEqual([
      "1* first",
      "gap 2-3",
      "4* first",
      "gap 5-",
    ]);
    // A range that goes on behind a gap says so again.
    expect(spell("a\n\nc", { gaps: [{ fromLine: 2, toLine: 2 }] }, [range(1, 3)])).toEqual([
      "1* first",
      "gap 2-2",
      "3* first",
    ]);
    expect(spell(null, { gaps: [{ fromLine: 1, toLine: null }] }, [])).toEqual(["gap 1-"]);
  });
});

it("says what is missing", () => {
  expect(formatMissing([])).toBeNull();
  expect(formatMissing([{ fromLine: 3, toLine: 3 }])).toBe("1 line");
  expect(
    formatMissing([
      { fromLine: 3, toLine: 9 },
      { fromLine: 12, toLine: null },
    ]),
  ).toBe("7 lines, and how the file goes on");
  expect(formatMissing([{ fromLine: 1, toLine: null }])).toBe("how the file goes on");
});

it("compares two versions", () => {
  const diff = versionDiff("a.ts", file("a\nb\n"), file("a\nB\nc\n"));
  expect(diff).toMatchObject({ change: "updated", added: 2, removed: 1 });
  expect(diff?.hunks[0]?.lines).toEqual([" a", "-b", "+B", "+c"]);
  expect(versionDiff("a.ts", file(null), file("x"))?.hunks[0]?.lines).toEqual(["+x"]);
  expect(versionDiff("a.ts", file("x"), file("x"))).toMatchObject({ change: "unchanged", hunks: [] });
});

it("compares what differs in few lines, or with few, and else nothing", () => {
  const lines = (count: number, name: string) =>
    file(Array.from({ length: count }, (_, n) => `${name} ${n}\n`).join(""));
  const changed = (before: FileAt, after: FileAt) => {
    const diff = versionDiff("a.ts", before, after);
    return diff && `+${diff.added} −${diff.removed}`;
  };
  expect(changed(file(null), lines(40_000, "new"))).toBe("+40000 −0");
  expect(changed(lines(100, "old"), lines(5_000, "new"))).toBe("+5000 −100");
  expect(changed(lines(1_000, "old"), lines(1_000, "new"))).toBe("+1000 −1000");
  expect(changed(lines(3_000, "old"), lines(3_000, "new"))).toBeNull();
});

it("shows no line behind the last newline", () => {
  expect(shownLines("a\nb\n")).toEqual(["a", "b"]);
  expect(shownLines("a\n\n")).toEqual(["a", ""]);
  expect(shownLines("\n")).toEqual([""]);
  expect(shownLines("")).toEqual([]);
});

it("goes from line to line, over a gap, and from what one step wrote to the next", () => {
  const gap = { fromLine: 3, toLine: 4 } as FileAt["gaps"][number];
  const items = fileItems({
    file: file("a\nb\n\n\ne\nf\n", { gaps: [gap] }),
    blame: [range(1, 2), range(5, 5), range(6, 6)],
  });
  const walk = (ofOther: boolean, by: 1 | -1) => {
    const lines: number[] = [];
    for (let at = lineBeside(items, null, by, ofOther); at !== null; at = lineBeside(items, at, by, ofOther))
      lines.push(at);
    return lines;
  };
  expect([walk(false, 1), walk(false, -1)]).toEqual([
    [1, 2, 5, 6],
    [6, 5, 2, 1],
  ]);
  expect([walk(true, 1), walk(true, -1)]).toEqual([
    [1, 5, 6],
    [6, 5, 1],
  ]);
  // What another version has there is of no line in this one.
  expect(lineBeside(items, 4, 1, false)).toBe(5);
  expect(lineBeside([], null, 1, false)).toBeNull();
});
