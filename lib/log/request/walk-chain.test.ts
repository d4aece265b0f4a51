import { expect, test } from "vitest";
import { atOnce } from "@/lib/format/in-steps";
import { type TestLine, tableOf } from "@/lib/testing/records";
import { buildRequestIndex, walkChain } from "./walk-chain";

test("a prompt that Escape delivered was sent ahead of the interruption, which does not follow it (2.1.332)", () => {
  const user = (uuid: string, parentUuid: string | null, content: unknown): TestLine["json"] => ({
    ...{ type: "user", uuid, parentUuid, message: { content } },
  });
  const call = [{ type: "tool_use", id: "t", name: "Bash", input: {} }];
  const lines = [
    user("busy", null, "be busy"),
    { type: "assistant", uuid: "call", parentUuid: "busy", message: { id: "m", content: call } },
    user("queued", "call", "do this instead"),
    user("result", "call", [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "stopped" }]),
    user("stop", "result", [{ type: "text", text: "[Request interrupted by user for tool use]" }]),
    user("on", "stop", "and on"),
  ];
  const table = tableOf(lines.map((json): TestLine => ({ file: 0, json })));
  const sent = walkChain(table, atOnce(buildRequestIndex(table)), 5);
  expect(sent.map((record) => lines[record]?.uuid)).toEqual([
    "busy",
    "call",
    "result",
    "queued",
    "stop",
    "on",
  ]);
});
