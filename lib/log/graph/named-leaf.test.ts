import { expect, test } from "vitest";
import { at } from "@/lib/log/table/table";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { pathSteps } from "./branches";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];
const NOUGHTS = "00000000-0000-0000-0000-000000000000";

const user = (uuid: string, parentUuid: string | null): Json => ({
  type: "user",
  uuid,
  parentUuid,
  message: { content: `prompt ${uuid}` },
});
const answer = (uuid: string, parentUuid: string): Json => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { id: `m-${uuid}`, content: [{ type: "text", text: uuid }] },
});
const lastPrompt = (leafUuid: string, explicit?: true): Json => ({ type: "last-prompt", leafUuid, explicit });

/** The branches of the main thread, the active one first, by the uuids of their records. */
function branches(...lines: Json[]): string[] {
  const table = tableOf(lines.map((json) => ({ file: 0, json })));
  const names = new Map(lines.map(({ uuid }) => [table.uuids.find(String(uuid)), String(uuid)]));
  const { steps, branches: found } = buildGraph(table, LOGS);
  return (found[0] ?? []).map(({ leaf }) =>
    pathSteps(steps, leaf)
      .map((step) => names.get(table.records.get("uuid", at(steps.first, step))))
      .join(" "),
  );
}

const rewound = [user("a", null), answer("b", "a"), user("c", "b"), answer("d", "c")];
const forked = [...rewound, user("e", "b"), answer("f", "e")];

test("the leaf written last is the active one", () => {
  expect(branches(...forked)).toEqual(["a b e f", "a b c d"]);
  expect(branches(...forked, lastPrompt("f"))).toEqual(["a b e f", "a b c d"]);
});

test("a last-prompt at the end names the branch that the client went back to", () => {
  expect(branches(...forked, lastPrompt("d", true))).toEqual(["a b c d", "a b e f"]);
  expect(branches(...forked, lastPrompt("d"))).toEqual(["a b c d", "a b e f"]);
});

test("an explicit one ends the branch where it says, and what followed stays a branch", () => {
  expect(branches(...rewound, lastPrompt("b", true))).toEqual(["a b", "a b c d"]);
  expect(branches(...forked, lastPrompt("b", true))).toEqual(["a b", "a b e f", "a b c d"]);
});

test("one that is a step late names the branch, not its end", () => {
  expect(branches(...rewound, lastPrompt("b"))).toEqual(["a b c d"]);
  expect(branches(...forked, lastPrompt("c"))).toEqual(["a b c d", "a b e f"]);
});

test("what was written behind it is where the client is now", () => {
  expect(branches(...rewound, lastPrompt("b", true), user("e", "b"), answer("f", "e"))).toEqual([
    "a b e f",
    "a b c d",
  ]);
  expect(branches(...forked, lastPrompt("d", true), user("g", "f"))).toEqual(["a b e f g", "a b c d"]);
});

test("the last of them holds; noughts or an unknown line name none", () => {
  expect(branches(...forked, lastPrompt("d", true), lastPrompt("f"))).toEqual(["a b e f", "a b c d"]);
  expect(branches(...forked, lastPrompt("d", true), lastPrompt(NOUGHTS, true))).toEqual([
    "a b e f",
    "a b c d",
  ]);
  expect(branches(...forked, lastPrompt("elsewhere", true))).toEqual(["a b e f", "a b c d"]);
});

test("a summary's leaf and an agent's file name none", () => {
  expect(branches(...forked, { type: "summary", summary: "…", leafUuid: "d" })).toEqual([
    "a b e f",
    "a b c d",
  ]);
});
