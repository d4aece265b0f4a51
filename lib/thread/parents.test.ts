import { expect, test } from "vitest";
import { findCopies } from "./copies";
import { resolveParents } from "./parents";
import { at } from "./table";
import { type TestLine, tableOf } from "./test-records";

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

/** Each line's parent: `b ← a`. A line is told by its uuid and, the second time, by a prime. */
function links(...files: Json[][]): string[] {
  const lines = files.flatMap((list, file) => list.map((json) => ({ file, json })));
  const table = tableOf(lines);
  const parents = resolveParents(table, findCopies(table));
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

test("a child may stand before its parent, and the first prompt behind its answer (2.1.220)", () => {
  expect(links([answer("b", "a"), user("a", null), answer("c", "b")])).toEqual([
    "b ← a",
    "a ← nothing",
    "c ← b",
  ]);
});

test("a line whose parent is nowhere goes on from what stands before it", () => {
  expect(links([user("a", null), answer("b", "a"), answer("c", "lost")])).toEqual([
    "a ← nothing",
    "b ← a",
    "c ← b",
  ]);
});

test("a second prompt without a parent is a start of its own", () => {
  expect(links([user("a", null), answer("b", "a"), user("c", null)])[2]).toBe("c ← nothing");
});

test("lines without a uuid stay where they were written", () => {
  expect(links([user("a", null), { type: "mode" }, answer("b", "a"), { type: "last-prompt" }])).toEqual([
    "a ← nothing",
    "mode ← a",
    "b ← a",
    "last-prompt ← b",
  ]);
});

test("parents that are the line itself or stand in a circle are cut", () => {
  expect(links([user("a", "a")])).toEqual(["a ← nothing"]);
  const circle = links([user("a", "c"), answer("b", "a"), answer("c", "b")]);
  expect(circle.filter((link) => link.endsWith("← nothing"))).toHaveLength(1);
});

test("a compaction goes on from its logical parent", () => {
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    uuid: "c",
    parentUuid: null,
    logicalParentUuid: "a",
  };
  expect(links([user("a", null), answer("b", "a"), boundary])[2]).toBe("c ← a");
});

test("what is written again in its place hangs from its original, and what follows it too (2.1.110)", () => {
  expect(
    links([user("a", null), answer("b", "a"), user("a", null), answer("b", "a"), user("c", "b")]),
  ).toEqual(["a ← nothing", "b ← a", "a' ← a", "b' ← b", "c ← b"]);
});

test("what is written again elsewhere stays on the way (2.1.330)", () => {
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
