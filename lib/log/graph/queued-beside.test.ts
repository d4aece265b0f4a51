import { expect, test } from "vitest";
import { at } from "@/lib/log/table/table";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { pathSteps } from "./branches";
import { buildGraph } from "./session-graph";

type Json = TestLine["json"];
const user = (uuid: string, parentUuid: string | null, content: unknown): Json => ({
  ...{ type: "user", uuid, parentUuid, message: { content } },
});
const answer = (uuid: string, parentUuid: string, content: Json): Json => ({
  ...{ type: "assistant", uuid, parentUuid, message: { id: `m-${uuid}`, content: [content] } },
});
const result = { type: "tool_result", tool_use_id: "t", is_error: true, content: "The user doesn't want to" };
const interruption = [{ type: "text", text: "[Request interrupted by user for tool use]" }];
const asked = [
  user("a", null, "be busy"),
  answer("b", "a", { type: "tool_use", id: "t", name: "Bash", input: {} }),
];

test("a prompt that Escape delivered stands ahead of the interruption, below the call (2.1.332)", () => {
  const lines = [
    ...asked,
    user("queued", "b", "do this instead"),
    user("result", "b", [result]),
    user("stop", "result", interruption),
    answer("c", "stop", { type: "text", text: "Done" }),
    user("d", "c", "and on"),
  ];
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const nameOf = (record: number) => String(lines[record]?.uuid);
  const { steps, branches } = buildGraph(table, LOGS);
  const paths = branches[0]?.map(({ leaf }) =>
    pathSteps(steps, leaf).map((step) => nameOf(at(steps.first, step))),
  );
  expect(paths).toEqual([["a", "b", "queued", "stop", "c", "d"]]);
});

test("one that the client wrote below the interruption stays there (2.1.170)", () => {
  const lines = [
    ...asked,
    user("result", "b", [result]),
    user("stop", "result", interruption),
    user("queued", "stop", "do this instead"),
    answer("c", "queued", { type: "text", text: "Done" }),
  ];
  const { parents } = buildGraph(tableOf(lines.map((json): TestLine => ({ file: 0, json }))), LOGS);
  expect([...parents]).toEqual([-1, 0, 1, 2, 3, 4]);
});
