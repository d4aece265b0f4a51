import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import { anyLines, LOGS, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { type AlignedSide, alignLists, alignTurns } from "./align";
import { abandonedFrom, figuresOf } from "./side-figures";

/** A side from a drawing: a word a record, `-` one without a key, `T:` before the first of a turn whose prompt is the word. */
function drawn(text: string): AlignedSide {
  const words = text.split(" ").filter(Boolean);
  const bare = words.map((word) => word.replace(/^T:/, ""));
  return {
    keys: bare.map((word) => (word === "-" ? null : word)),
    turns: words.flatMap((word, from) => (word.startsWith("T:") ? [{ from, prompt: word[2] ?? "" }] : [])),
  };
}

const pairsOf = (left: string, right: string) =>
  alignTurns(drawn(left), drawn(right)).pairs.map(
    (pair) => `${pair.left ?? "–"} ${pair.right ?? "–"} ${pair.shared}`,
  );

describe("turns beside each other", () => {
  test("a turn on the stem is whole, one that continues differently is begun", () => {
    expect(pairsOf("T:a b T:c d T:e", "T:a b T:c d T:f")).toEqual(["0 0 whole", "1 1 whole", "2 2 none"]);
    expect(pairsOf("T:a b T:c d", "T:a b T:c e")).toEqual(["0 0 whole", "1 1 begun"]);
    expect(pairsOf("T:a b", "T:a b c T:d")).toEqual(["0 0 begun", "– 1 none"]);
  });

  test("lines without a key neither end the stem nor belong to it", () => {
    expect(alignTurns(drawn("- T:a - b -"), drawn("T:a b")).stem).toEqual({ left: 4, right: 2 });
    expect(pairsOf("- T:a - b -", "T:a b")).toEqual(["0 0 whole"]);
  });

  test("after the stem turns with equal prompts are paired", () => {
    expect(pairsOf("T:x1 T:y1 T:z1", "T:y2 T:q2")).toEqual(["0 – none", "1 0 none", "2 1 none"]);
  });
});

describe("lists beside each other", () => {
  test("between equal items only those that are alike are paired", () => {
    const words = { left: ["edit a", "bash"], right: ["edit b", "read", "bash"] };
    const kinds = (list: string[]) => list.map((word) => word.split(" ")[0] ?? "");
    const alike = { left: kinds(words.left), right: kinds(words.right) };
    expect(alignLists(words.left, words.right, alike)).toEqual([
      { left: 0, right: 0 },
      { left: null, right: 1 },
      { left: 1, right: 2 },
    ]);
  });

  test("every index of both lists occurs once and in order, with as many equal pairs as possible", () => {
    const list = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 9 });
    fc.assert(
      fc.property(list, list, (left, right) => {
        const pairs = alignLists(left, right);
        const places = (side: "left" | "right") =>
          pairs.flatMap((pair) => (pair[side] === null ? [] : [pair[side]]));
        expect(places("left")).toEqual([...left.keys()]);
        expect(places("right")).toEqual([...right.keys()]);
        const equal = pairs.filter(
          (pair) => pair.left !== null && pair.right !== null && left[pair.left] === right[pair.right],
        );
        expect(equal.length).toBeGreaterThanOrEqual(longestCommon(left, right));
      }),
      sampled(20_301, 1_000, 50_000),
    );
  });

  test("lists that are too long to be compared are paired in order", () => {
    const left = Array.from({ length: 2_100 }, (_, at) => `l${at}`);
    const right = Array.from({ length: 2_000 }, (_, at) => `r${at}`);
    const pairs = alignLists(left, right);
    expect(pairs).toHaveLength(2_100);
    expect(pairs[1_999]).toEqual({ left: 1_999, right: 1_999 });
    expect(pairs[2_000]).toEqual({ left: 2_000, right: null });
  });
});

/** The length of the longest common subsequence, by its definition. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  let before = new Array<number>(right.length + 1).fill(0);
  for (const one of left) {
    const row = [0];
    for (const [at, other] of right.entries())
      row.push(one === other ? (before[at] ?? 0) + 1 : Math.max(before[at + 1] ?? 0, row[at] ?? 0));
    before = row;
  }
  return before.at(-1) ?? 0;
}

test("the stem of any two branches is their longest common beginning, and every turn of both occurs once", () => {
  const prices = new PriceTable();
  fc.assert(
    fc.property(anyLines, fc.nat(), fc.nat(), (lines, one, other) => {
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const branches = graph.branches[0] ?? [];
      if (branches.length === 0) return;
      const [left, right] = [one, other].map((number) => {
        const { path } = new IncrementalPath(table, graph, branches[number % branches.length]?.leaf ?? -1);
        const turns = path.turns.slice(1).map(({ from, record }) => ({ from, prompt: String(record) }));
        return { path, side: { keys: [...path.records], turns } };
      }) as unknown as [Laid, Laid];
      const { stem, pairs } = alignTurns(left.side, right.side);
      const shortest = Math.min(left.side.keys.length, right.side.keys.length);
      let common = 0;
      while (common < shortest && left.side.keys[common] === right.side.keys[common]) common += 1;
      expect(stem).toEqual({ left: common, right: common });
      for (const side of ["left", "right"] as const) {
        const turns = pairs.flatMap((pair) => (pair[side] === null ? [] : [pair[side]]));
        expect(turns).toEqual([...{ left, right }[side].side.turns.keys()]);
      }
      // What was left of one side is on neither.
      const abandoned = abandonedFrom(graph, 0, left.path, common, right.path);
      const shown = new Set([...left.path.records, ...right.path.records]);
      expect(abandoned.records.filter((record) => shown.has(record))).toEqual([]);
      expect(new Set(abandoned.records).size).toBe(abandoned.records.length);
      const whole = figuresOf(table, graph, [...left.path.records], new Set(), prices);
      const parts = [left.path.records.slice(0, common), left.path.records.slice(common)].map((part) =>
        figuresOf(table, graph, [...part], new Set(), prices),
      );
      expect(parts.reduce((sum, { turns }) => sum + turns, 0)).toBe(whole.turns);
    }),
    sampled(20_302, 1_000, 50_000),
  );
});

type Laid = { path: IncrementalPath["path"]; side: AlignedSide };

test("lists with more items than a call can have arguments are aligned", () => {
  const words = (of: string) => Array.from({ length: 150_000 }, (_, n) => `${of} ${n}`);
  const pairs = alignLists(words("left"), words("right"));
  expect([pairs.length, pairs.at(-1)]).toEqual([150_000, { left: 149_999, right: 149_999 }]);
});
