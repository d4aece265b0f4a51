import { applyPatch, structuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampled } from "@/lib/testing/runs";
import type { FileDiff } from "@/lib/wire/record";
import { netDiff } from "./net-diff";

/** The change from one content of a file to the next, as the client records it. */
function change(before: string, after: string): FileDiff {
  const { hunks } = structuredPatch("a", "a", before, after, "", "", { context: 3 });
  const created = before === "";
  return {
    path: "a.ts",
    hunks,
    change: created ? "created" : hunks.length === 0 ? "unchanged" : "updated",
    computed: false,
    userModified: false,
    replaceAll: false,
    places: null,
    added: 0,
    removed: 0,
  };
}

const changes = (...contents: string[]) =>
  contents.slice(1).map((after, index) => change(contents[index] ?? "", after));

const TEN = Array.from({ length: 10 }, (_, n) => `line ${n + 1}\n`).join("");

/** The net change, spelt as the lines of its hunks. */
function spell(...contents: string[]): string[] | string {
  const net = netDiff(changes(...contents));
  if (net.kind === "apart") return `change ${net.at + 1} does not fit: ${net.why}`;
  return net.diff.hunks.flatMap(({ oldStart, newStart, lines }) => [`@@ ${oldStart} ${newStart}`, ...lines]);
}

describe("the net change of a file", () => {
  it("is one line, however often that line was changed", () => {
    const first = TEN.replace("line 5", "five");
    expect(spell(TEN, first, first.replace("five", "fünf"))).toEqual([
      "@@ 2 2",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+fünf",
      " line 6",
      " line 7",
      " line 8",
    ]);
  });

  it("is nothing where a change was taken back", () => {
    const net = netDiff(changes(TEN, TEN.replace("line 5", "five"), TEN));
    expect(net).toMatchObject({
      kind: "net",
      diff: { change: "unchanged", hunks: [], added: 0, removed: 0 },
    });
  });

  it("keeps the numbers of lines below others that came and went", () => {
    const longer = `new 1\nnew 2\n${TEN}`;
    expect(spell(TEN, longer, longer.replace("line 10", "ten"))).toEqual([
      "@@ 1 1",
      "+new 1",
      "+new 2",
      " line 1",
      " line 2",
      " line 3",
      "@@ 7 9",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+ten",
    ]);
  });

  it("is the whole content of a file that was created, as it is in the end", () => {
    const net = netDiff(changes("", "a\nb\n", "a\nB\n", "a\nB\nc\n"));
    expect(net).toMatchObject({ kind: "net", diff: { change: "created", added: 3, removed: 0 } });
    expect(spell("", "a\nb\n", "a\nB\n", "a\nB\nc\n")).toEqual(["@@ 1 1", "+a", "+B", "+c"]);
  });

  it("is none where something else wrote the file in between, or the log has no line numbers", () => {
    const [first] = changes(TEN, TEN.replace("line 5", "five"));
    const [second] = changes(TEN.replace("line 5", "V"), TEN.replace("line 5", "5"));
    expect(netDiff([first as FileDiff, second as FileDiff])).toEqual({
      kind: "apart",
      at: 1,
      why: "between",
    });
    expect(netDiff([{ ...(first as FileDiff), computed: true }])).toEqual({
      kind: "apart",
      at: 0,
      why: "numbers",
    });
    expect(netDiff([...changes("", "a\n"), ...changes("", "b\n")])).toMatchObject({ kind: "apart", at: 1 });
  });

  it("turns the first content into the last, whatever was done in between", () => {
    const line = fc.constantFrom("a", "b", "c", "", "\tx", "+", "-", "ä 😀");
    const content = fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(fc.array(content, { minLength: 2, maxLength: 6 }), (contents) => {
        const net = netDiff(changes(...contents));
        if (net.kind === "apart") throw new Error("apart");
        const [before = "", after] = [contents[0], contents.at(-1)];
        const patch = { ...structuredPatch("a", "a", "", ""), hunks: net.diff.hunks };
        expect(applyPatch(before, patch)).toBe(after);
      }),
      sampled(31, 200, 20_000),
    );
  });
});
