import { expect, test } from "vitest";
import { at } from "@/lib/log/table/table";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { findDuplicateRecords, resolveParents } from "./parents";

type Json = TestLine["json"];
const user = (uuid: string, parentUuid: string | null, more: Json = {}): Json => ({
  type: "user",
  uuid,
  parentUuid,
  message: { content: `prompt ${uuid}` },
  ...more,
});
const answer = (uuid: string, parentUuid: string | null, more: Json = {}): Json => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { id: `m-${uuid}`, model: "model", content: [{ type: "text", text: uuid }] },
  ...more,
});

/** Each line's parent: `b ← a`. A line is named by its uuid, its second copy with a prime. */
function links(...files: Json[][]): string[] {
  const lines = files.flatMap((list, file) => list.map((json) => ({ file, json })));
  const table = tableOf(lines);
  const parents = resolveParents(table, findDuplicateRecords(table));
  const names: string[] = [];
  for (const { json } of lines) {
    const name = String(json.uuid ?? json.type);
    names.push(names.includes(name) ? `${name}'` : name);
  }
  return names.map((name, record) => {
    const up = at(parents, record);
    return `${name} ← ${up === -1 ? "nothing" : names[up]}`;
  });
}

test("a child may precede its parent, and the first prompt may follow its answer (2.1.220)", () => {
  expect(links([answer("b", "a"), user("a", null), answer("c", "b")])).toEqual([
    "b ← a",
    "a ← nothing",
    "c ← b",
  ]);
});

test("a line whose parent is missing follows the line before it", () => {
  expect(links([user("a", null), answer("b", "a"), answer("c", "lost")])).toEqual([
    "a ← nothing",
    "b ← a",
    "c ← b",
  ]);
});

test("a second prompt without a parent is a start of its own", () => {
  expect(links([user("a", null), answer("b", "a"), user("c", null)])[2]).toBe("c ← nothing");
});

test("a message that comes as an agent answers follows its answer, beside which it was written (2.1.220, 2.1.280)", () => {
  const agent = { isSidechain: true, agentId: "a1" };
  const told = { ...agent, isMeta: true, origin: { kind: "coordinator" } };
  const log = (parent: string) => [
    user("a", null, agent),
    answer("b", "a", agent),
    answer("c", "b", agent),
    user("d", parent, told),
    answer("e", "d", agent),
  ];
  const below = ["d ← c", "e ← d"];
  expect(links([user("m", null)], log("a")).slice(4)).toEqual(below);
  expect(links([user("m", null)], log("c")).slice(4)).toEqual(below);
  // In the main thread it is a person who goes on from elsewhere.
  expect(links([user("a", null), answer("b", "a"), answer("c", "b"), user("d", "a")])[3]).toBe("d ← a");
});

test("the plan with which a session begins follows what it repeats of the session before (2.1.15)", () => {
  const plan = (content: string) => user("c", null, { message: { content } });
  const begun = [user("a", null), answer("b", "a")];
  expect(
    links([...begun, plan("Implement the following plan:\n\n# Plan"), answer("d", "c")]).slice(2),
  ).toEqual(["c ← b", "d ← c"]);
  expect(links([...begun, plan("Implement the following plan: none")])[2]).toBe("c ← nothing");
});

test("lines without a uuid stay where they were written", () => {
  expect(links([user("a", null), { type: "mode" }, answer("b", "a"), { type: "last-prompt" }])).toEqual([
    "a ← nothing",
    "mode ← a",
    "b ← a",
    "last-prompt ← b",
  ]);
});

test("a line that is its own parent, and a circle of parents, are cut", () => {
  expect(links([user("a", "a")])).toEqual(["a ← nothing"]);
  const circle = links([user("a", "c"), answer("b", "a"), answer("c", "b")]);
  expect(circle.filter((link) => link.endsWith("← nothing"))).toHaveLength(1);
});

test("a compaction follows its logical parent", () => {
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "c",
    parentUuid: null,
    logicalParentUuid: "a",
  };
  expect(links([user("a", null), answer("b", "a"), boundary])[2]).toBe("c ← a");
});

test("a summary up to a prompt follows the end of what it preserved, which nobody gave up (2.1.332, /rewind)", () => {
  const boundary = (logicalParentUuid: string, headUuid: string, tailUuid: string) => ({
    ...{ type: "system", subtype: "compact_boundary", uuid: "k", parentUuid: null, logicalParentUuid },
    compactMetadata: { preservedSegment: { headUuid, anchorUuid: "s", tailUuid } },
  });
  const lines = [user("a", null), answer("b", "a"), user("c", "b"), answer("d", "c")];
  const after = [user("s", "k"), user("e", "s")];
  expect(links([...lines, boundary("b", "c", "d"), ...after]).slice(4)).toEqual(["k ← d", "s ← k", "e ← s"]);
  // "From here" preserves what was before, and sums up the rest.
  expect(links([...lines, boundary("d", "a", "b"), ...after]).slice(4)).toEqual(["k ← d", "s ← k", "e ← s"]);
});

test("a /compact for which a session was resumed follows the summary, whatever parent its note has (2.1.170)", () => {
  const boundary = {
    ...{ type: "system", subtype: "compact_boundary", uuid: "k", parentUuid: null },
    logicalParentUuid: "b",
  };
  const note = (parent: string) =>
    user("n", parent, { isMeta: true, message: { content: "<local-command-caveat>Caveat: …" } });
  const summary = user("s", "k", { isCompactSummary: true });
  const lines = [user("a", null), answer("b", "a"), boundary, summary];
  expect(links([...lines, note("b"), user("c", "n")]).slice(2)).toEqual(["k ← b", "s ← k", "n ← s", "c ← n"]);
  // A note of another command, after a rewind to before what was summed up.
  expect(links([...lines, note("a")])[4]).toBe("n ← a");
  expect(links([...lines, user("d", "s"), note("b")])[5]).toBe("n ← b");
});

test("a compaction follows nothing that stands below it, as what it preserved does in a fork of its session (2.1.315)", () => {
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "k",
    parentUuid: null,
    logicalParentUuid: "b",
  };
  expect(links([boundary, user("s", "k"), answer("b", "s"), user("c", "b")])).toEqual([
    "k ← nothing",
    "s ← k",
    "b ← s",
    "c ← b",
  ]);
});

test("a line written again with the same parent becomes a child of its original, and so do its children (2.1.110)", () => {
  expect(
    links([user("a", null), answer("b", "a"), user("a", null), answer("b", "a"), user("c", "b")]),
  ).toEqual(["a ← nothing", "b ← a", "a' ← a", "b' ← b", "c ← b"]);
});

test("what is written again elsewhere stays on the path (2.1.330)", () => {
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "k",
    parentUuid: "b",
    logicalParentUuid: "b",
  };
  expect(
    links([user("a", null), answer("b", "a"), boundary, user("a", "k"), answer("b", "a"), user("c", "b")]),
  ).toEqual(["a ← nothing", "b ← a", "k ← b", "a' ← k", "b' ← a'", "c ← b'"]);
});

test("an answer that only a suggestion agent's file has comes before the line that missed it (2.1.29)", () => {
  const spacer = {
    type: "assistant",
    uuid: "s",
    parentUuid: "a",
    message: { id: "s", model: "<synthetic>", content: "No response requested." },
  };
  expect(links([user("a", null), spacer, user("b", "s")], [answer("x", "a")])).toEqual([
    "a ← nothing",
    "s ← x",
    "b ← s",
    "x ← a",
  ]);
});

test("what a client wrote before it was ended in a call comes before the line that goes on without it (2.0.25 to 2.1.160)", () => {
  const spacer = (parentUuid: string): Json => ({
    type: "assistant",
    uuid: "s",
    parentUuid,
    message: { id: "s", model: "<synthetic>", content: "No response requested." },
  });
  const begun = [user("a", null), answer("b", "a"), user("c", "b"), answer("d", "c"), answer("e", "d")];
  expect(links([...begun, spacer("c"), user("f", "s")]).slice(5)).toEqual(["s ← e", "f ← s"]);
  // From 2.1.179 on a line that asks to continue stands between.
  const asks = user("m", "c", { isMeta: true, message: { content: "Continue from where you left off." } });
  expect(links([...begun, asks, spacer("m"), user("f", "s")]).slice(5)).toEqual(["m ← e", "s ← m", "f ← s"]);
  // An answer may be written before its prompt.
  expect(links([answer("b", "a"), user("a", null), spacer("a")])).toEqual(["b ← a", "a ← nothing", "s ← b"]);
  // Of an answer that was rewound nothing is left to go on from.
  expect(links([...begun, user("g", "b"), spacer("g")]).slice(5)).toEqual(["g ← b", "s ← g"]);
  expect(links([...begun, spacer("a")]).slice(5)).toEqual(["s ← a"]);
});

const command = (uuid: string, parentUuid: string): Json =>
  user(uuid, parentUuid, { message: { content: "<command-name>/cost</command-name>" } });
const caveat = (uuid: string, parentUuid: string | null): Json =>
  user(uuid, parentUuid, { isMeta: true, message: { content: "Caveat: The messages below were generated" } });

test("later commands that name the first one's caveat follow the line before them (1.0.60)", () => {
  const lines = [
    user("a", null),
    caveat("k", "a"),
    command("c1", "k"),
    user("b", "c1"),
    command("c2", "k"),
    { type: "mode" },
    command("c3", "k"),
    answer("d", "c3"),
  ];
  expect(links(lines).join(", ")).toBe(
    "a ← nothing, k ← a, c1 ← k, b ← c1, c2 ← b, mode ← c2, c3 ← c2, d ← c3",
  );
});

test("a second prompt below a caveat keeps that parent, and so does a command whose parent is no caveat", () => {
  const typed = [user("a", null), caveat("k", "a"), command("c1", "k"), user("b", "c1"), user("c", "k")];
  expect(links(typed)[4]).toBe("c ← k");
  const other = [user("a", null), user("k", "a", { isMeta: true }), command("c1", "k"), command("c2", "k")];
  expect(links(other)[3]).toBe("c2 ← k");
});

test("a compaction without a boundary follows the line before it (1.0.60)", () => {
  const summary = user("s", null, { isCompactSummary: true });
  const lines = [user("a", null), caveat("k", "a"), command("c1", "k"), answer("b", "c1"), summary];
  expect(links([...lines, command("c2", "k"), user("d", null)]).slice(4)).toEqual([
    "s ← b",
    "c2 ← s",
    "d ← nothing",
  ]);
});
