import { expect, test } from "vitest";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { openEndOf } from "./open-end";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];

/** What a main log of these lines left open at its end; each hangs from the one before that has a uuid. */
function endOf(...lines: Json[]): string | null {
  let parent: unknown = null;
  const linked = lines.map((json) => {
    const own = { parentUuid: parent, ...json };
    parent = json.uuid ?? parent;
    return { file: 0, json: own };
  });
  const table = tableOf(linked);
  return openEndOf(table, buildGraph(table, [{ key: "m", agentId: null, meta: null }]));
}

const asked: Json = { type: "user", uuid: "u1", message: { role: "user", content: "Fix it" } };
const said = (uuid: string, ...content: object[]): Json => ({
  type: "assistant",
  uuid,
  message: { id: "msg1", role: "assistant", content },
});
const text = { type: "text", text: "Done." };
const call = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, more: object = {}): Json => ({
  type: "user",
  uuid: `r-${id}`,
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "yes", ...more }] },
});
const apiError: Json = {
  type: "assistant",
  uuid: "e1",
  isApiErrorMessage: true,
  message: {
    id: "e1",
    role: "assistant",
    model: "<synthetic>",
    content: [{ type: "text", text: "API Error" }],
  },
};
const interrupted: Json = {
  type: "user",
  uuid: "i1",
  message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
};

test("a question and a plan are open until they have a result", () => {
  const question = said("a1", call("t1", "AskUserQuestion"));
  expect(endOf(asked, question)).toBe("question");
  expect(endOf(asked, question, result("t1"))).toBeNull();
  expect(endOf(asked, said("a1", call("t1", "ExitPlanMode")))).toBe("plan");
  expect(endOf(asked, question, result("t1"), said("a2", text))).toBeNull();
});

test("a question is open beside calls of the same answer that have their results", () => {
  // 2.1.29 and later: each result hangs from its own call.
  const shell = said("a1", call("t1", "Bash"));
  const question = said("a2", call("t2", "AskUserQuestion"));
  expect(endOf(asked, shell, question, { ...result("t1"), parentUuid: "a1" })).toBe("question");
});

test("a call of any other tool without a result may have been running, and is no question", () => {
  expect(endOf(asked, said("a1", call("t1", "Bash")))).toBeNull();
});

test("a prompt is open until the model answers, whatever the client wrote behind it", () => {
  expect(endOf(asked)).toBe("prompt");
  expect(endOf(asked, apiError)).toBe("prompt");
  expect(endOf(asked, { type: "system", uuid: "s1", subtype: "informational", content: "note" })).toBe(
    "prompt",
  );
  expect(endOf(asked, said("a1", text))).toBeNull();
  // An error in mid-turn ends what was begun.
  expect(endOf(asked, said("a1", call("t1", "Bash")), result("t1"), apiError)).toBeNull();
});

test("what its person interrupted is not waiting for anybody", () => {
  expect(endOf(asked, interrupted)).toBeNull();
  expect(endOf(asked, said("a1", call("t1", "AskUserQuestion")), interrupted)).toBeNull();
});

test("what stands on a branch that was left is not the end", () => {
  const left = said("a1", call("t1", "AskUserQuestion"));
  const again: Json = {
    type: "user",
    uuid: "u2",
    parentUuid: null,
    message: { role: "user", content: "Anew" },
  };
  const answered: Json = {
    type: "assistant",
    uuid: "a9",
    message: { id: "msg9", role: "assistant", content: [text] },
  };
  expect(endOf(asked, left, again, answered)).toBeNull();
});

test("a log of nothing leaves nothing open", () => {
  expect(endOf()).toBeNull();
});
