import { describe, expect, it } from "vitest";
import { toRecord } from "@/lib/records/parse-record";
import type { SessionId } from "@/lib/wire/ids";
import { liveState } from "./live-state";
import { parseEntry, type RegistryEntry } from "./registry";
import { tailFacts } from "./tail-facts";

const NOW = Date.parse("2026-03-04T12:00:00Z");
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();

function user(secondsAgo: number, content: unknown) {
  return {
    type: "user",
    timestamp: at(secondsAgo),
    uuid: `u${secondsAgo}`,
    message: { role: "user", content },
  };
}

function answer(secondsAgo: number, content: unknown[], stop_reason: string | null = null) {
  const usage = { input_tokens: 10, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 2_000 };
  const message = { id: "msg_1", role: "assistant", model: "claude-opus-4-5", content, stop_reason, usage };
  return { type: "assistant", timestamp: at(secondsAgo), uuid: `a${secondsAgo}`, message };
}

const text = (words: string) => ({ type: "text", text: words });
const bash = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "npm test" } };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "ok" };

function stand(
  lines: object[],
  {
    entry = null,
    lives = null,
    agentsAgo,
  }: { entry?: RegistryEntry | null; lives?: boolean | null; agentsAgo?: number } = {},
): string {
  const facts = tailFacts(
    lines.map((line, n) => toRecord(line as never, { offset: n, length: 1, line: n + 1 })),
  );
  const agentsAtMs = agentsAgo === undefined ? null : NOW - agentsAgo * 1000;
  const state = liveState({ sessionId: "s" as SessionId, facts, entry, lives, agentsAtMs, nowMs: NOW });
  const doing =
    state.doing && [state.doing.kind, state.doing.name, state.doing.subject].filter(Boolean).join(" ");
  return [state.state, doing, state.gone ? "gone" : ""].filter(Boolean).join(", ");
}

function registered(more: object): RegistryEntry {
  return parseEntry({ pid: 12, sessionId: "s", startedAt: NOW - 60_000, ...more }) as RegistryEntry;
}

describe("how a session stands, from its records", () => {
  it("runs while a call has no result, and thinks after one", () => {
    expect(stand([user(30, "test it"), answer(20, [bash])])).toBe("running, tool Bash npm test");
    expect(stand([answer(20, [bash]), user(5, [result])])).toBe("running, thinking");
    expect(stand([user(5, "test it")])).toBe("running, thinking");
  });

  it("asks when its call is a question", () => {
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: { questions: [] } };
    expect(stand([answer(5, [question])])).toMatch(/^waiting, question AskUserQuestion/);
  });

  it("is at rest when the model has ended its turn, and over when nobody came back", () => {
    expect(stand([user(30, "hi"), answer(20, [text("Done")], "end_turn")])).toBe("idle");
    expect(stand([user(3000, "hi"), answer(2000, [text("Done")], "end_turn")])).toBe("ended");
  });

  it("may go on after a text whose message has no end yet (up to 2.1.42)", () => {
    expect(stand([answer(2, [text("I will look")])])).toBe("running, thinking");
    expect(stand([answer(60, [text("Done")])])).toBe("idle");
  });

  it("was interrupted, or is gone in the middle of a call", () => {
    expect(stand([answer(20, [bash]), user(10, [text("[Request interrupted by user for tool use]")])])).toBe(
      "interrupted",
    );
    expect(stand([answer(4000, [bash])])).toBe("interrupted, tool Bash npm test, gone");
  });

  it("does not wait for an answer to a command that the client answers itself", () => {
    const command = user(5, "<command-name>/cost</command-name>");
    expect(stand([answer(60, [text("Done")], "end_turn"), command])).toBe("idle");
  });
});

describe("how a session stands, from the client's registry", () => {
  it("goes before the records (2.1.330)", () => {
    const ended = [answer(20, [text("Done")], "end_turn")];
    expect(stand(ended, { entry: registered({ status: "busy" }), lives: true })).toBe("running, thinking");
    const asked = [answer(20, [bash])];
    const waiting = registered({ status: "waiting", waitingFor: "permission prompt" });
    expect(stand(asked, { entry: waiting, lives: true })).toBe("waiting, permission Bash npm test");
    expect(stand(asked, { entry: waiting, lives: null })).toBe("waiting, permission Bash npm test");
  });

  it("tells only that the client lives (2.1.110): then a call may take as long as it wants", () => {
    expect(stand([answer(4000, [bash])], { entry: registered({}), lives: true })).toBe(
      "running, tool Bash npm test",
    );
    expect(stand([answer(4000, [text("Done")], "end_turn")], { entry: registered({}), lives: true })).toBe(
      "idle",
    );
  });

  it("is idle while agents work in the background (2.1.330): then the session runs until their end is told", () => {
    const launched = { ...user(100, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const lines = [answer(110, [bash]), launched, answer(90, [text("It looks around")], "end_turn")];
    const idle = { entry: registered({ status: "idle", statusUpdatedAt: NOW - 90_000 }), lives: true };
    expect(stand(lines, { ...idle, agentsAgo: 60 })).toBe("running");
    const told = user(30, "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>");
    expect(stand([...lines, told, answer(20, [text("Done")], "end_turn")], { ...idle, agentsAgo: 60 })).toBe(
      "idle",
    );
    expect(stand(lines, { ...idle, agentsAgo: 400 })).toBe("idle");
  });

  it("is worth nothing when its process has gone", () => {
    const entry = registered({ status: "busy" });
    expect(stand([answer(20, [bash])], { entry, lives: false })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
    expect(stand([answer(20, [text("Done")], "end_turn")], { entry, lives: false })).toBe("ended");
  });

  it("holds for minutes where its process cannot be looked at: another container, a copied folder", () => {
    const busy = (secondsAgo: number) =>
      registered({ status: "busy", startedAt: at(9000), statusUpdatedAt: Date.parse(at(secondsAgo)) });
    const thinks = [user(1000, "test it"), answer(1000, [bash]), user(900, [result])];
    expect(stand(thinks, { entry: busy(200), lives: null })).toBe("running, thinking");
    expect(stand(thinks, { entry: busy(400), lives: null })).toBe("interrupted, thinking, gone");
    const waits = (secondsAgo: number) => ({ ...busy(secondsAgo), status: "waiting" as const });
    expect(stand([answer(800, [bash])], { entry: waits(800), lives: null })).toMatch(
      /^waiting, permission Bash/,
    );
    expect(stand([answer(1000, [bash])], { entry: waits(1000), lives: null })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
    expect(stand([answer(9000, [text("Done")], "end_turn")], { entry: busy(9000), lives: null })).toBe(
      "ended",
    );
    // A clock that is hours ahead is no sign of life.
    expect(stand(thinks, { entry: busy(-9000), lives: null })).toBe("interrupted, thinking, gone");
  });

  it("is read field by field", () => {
    expect(parseEntry({ pid: "12", sessionId: "s" })).toBeNull();
    expect(parseEntry({ pid: 12, sessionId: "s", status: "dancing", startedAt: "x" })).toMatchObject({
      status: null,
      startedAtMs: null,
    });
    expect(parseEntry([])).toBeNull();
  });
});
