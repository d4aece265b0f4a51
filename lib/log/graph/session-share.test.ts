import { expect, it } from "vitest";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { buildGraph } from "./session-graph";
import { answeredTurns, MESSAGE_WORDS, parseCaller, SECOND_WORD, shareOf } from "./session-share";

type Json = TestLine["json"];

const prompt = (uuid: string, more: Json = {}): Json => ({
  type: "user",
  uuid,
  parentUuid: null,
  message: { role: "user", content: uuid },
  ...more,
});
const answer = (uuid: string, parentUuid: string, id: string, more: Json = {}): Json => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { id, role: "assistant", model: "claude-x", content: [{ type: "text", text: uuid }] },
  ...more,
});
const read = (...lines: Json[]) => {
  const table = tableOf(lines.map((json) => ({ file: 0, json })));
  return { table, graph: buildGraph(table, LOGS) };
};

/** Record of each prompt → the number of the message that answers it. */
const answers = (...lines: Json[]) => {
  const { table, graph } = read(...lines);
  return [...answeredTurns(table, graph)];
};

it("a prompt is answered by the first message behind it, over lines that the client puts between", () => {
  const between = [
    { type: "attachment", uuid: "t1", parentUuid: "u1", attachment: { type: "date", date: "today" } },
    { type: "system", uuid: "s1", parentUuid: "t1", subtype: "informational", content: "a hook" },
    { type: "progress", uuid: "p1", parentUuid: "s1", data: { type: "hook_progress" } },
    { ...prompt("m1"), parentUuid: "p1", isMeta: true },
  ];
  expect(
    answers(prompt("u1"), ...between, answer("a1", "m1", "first"), answer("a2", "a1", "second")),
  ).toEqual([[0, 0]]);
});

it("a prompt that was answered twice, on two branches, is answered by the first", () => {
  expect(answers(prompt("u1"), answer("a1", "u1", "first"), answer("a2", "u1", "second"))).toEqual([[0, 0]]);
});

it("a prompt that another one follows is not answered, nor is one by what goes on behind its answer", () => {
  expect(
    answers(
      prompt("u1"),
      prompt("u2", { parentUuid: "u1" }),
      answer("a1", "u2", "first"),
      answer("a2", "a1", "second"),
    ),
  ).toEqual([[1, 0]]);
});

it("a message has the second in which it began, and none where its clock was wrong", () => {
  const seconds = (timestamp: string) => {
    const { table, graph } = read(prompt("u1"), answer("a1", "u1", "first", { timestamp }));
    const { messages } = shareOf(table, graph);
    expect(messages.length).toBe(MESSAGE_WORDS);
    return messages[SECOND_WORD];
  };
  expect(seconds("2026-01-02T03:04:05.900Z")).toBe(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000);
  expect(seconds("1969-01-01T00:00:00.000Z")).toBe(0);
  expect(seconds("2106-02-08T00:00:00.000Z")).toBe(0);
});

it("the share of what has changed has those messages alone, and all of the turns", () => {
  const { table, graph } = read(
    prompt("u1"),
    answer("a1", "u1", "first"),
    prompt("u2", { parentUuid: "a1" }),
    answer("a2", "u2", "second"),
  );
  const [whole, part] = [shareOf(table, graph), shareOf(table, graph, [1])];
  expect([...part.messages]).toEqual([...whole.messages.subarray(MESSAGE_WORDS)]);
  expect(part.turns).toEqual(whole.turns);
});

it("a caller is a tool, of an agent's with the agent's type, either of which may not be known", () => {
  expect(parseCaller("Bash")).toEqual({ tool: "Bash", agentType: null });
  expect(parseCaller("")).toEqual({ tool: null, agentType: null });
  expect(parseCaller("Bash\0Explore")).toEqual({ tool: "Bash", agentType: "Explore" });
  expect(parseCaller("\0")).toEqual({ tool: null, agentType: "" });
});
