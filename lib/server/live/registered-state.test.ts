import { describe, expect, it } from "vitest";
import {
  answerLine,
  answerText,
  BASH_CALL,
  BASH_RESULT,
  doesSince,
  LOOKED_AT_MS,
  registryEntry,
  secondsBefore,
  standOf,
  userLine,
} from "@/lib/testing/live/live-stand";
import { parseEntry } from "./told/registry";

/** The result of a call that has started an agent in the background. */
function agentLaunched(secondsAgo: number) {
  return {
    ...userLine(secondsAgo, [BASH_RESULT]),
    toolUseResult: { status: "async_launched", agentId: "a1" },
  };
}

describe("how a session stands, from the client's registry", () => {
  it("goes before the records (2.1.330)", () => {
    const ended = [answerLine(20, [answerText("Done")], "end_turn")];
    expect(standOf(ended, { entry: registryEntry({ status: "busy" }), lives: true })).toBe(
      "running, thinking",
    );
    const asked = [answerLine(20, [BASH_CALL])];
    const waiting = registryEntry({ status: "waiting", waitingFor: "permission prompt" });
    expect(standOf(asked, { entry: waiting, lives: true })).toBe("waiting, permission Bash npm test");
    expect(standOf(asked, { entry: waiting, lives: null })).toBe("waiting, permission Bash npm test");
    expect(standOf(asked, { entry: registryEntry({ status: "busy" }), lives: true })).toBe(
      "running, tool Bash npm test",
    );
  });

  it("waits for the agents of before `/clear`, which go on while nothing was asked (2.1.332)", () => {
    const cleared = [
      { ...userLine(9.1, "<local-command-caveat>Caveat</local-command-caveat>"), isMeta: true },
      userLine(9, "<command-name>/clear</command-name>"),
      { type: "system", subtype: "local_command", timestamp: secondsBefore(9), content: "" },
    ];
    const busy = (secondsAgo: number) => ({
      entry: registryEntry({ status: "busy", statusUpdatedAt: Date.parse(secondsBefore(secondsAgo)) }),
      lives: true,
    });
    expect(standOf(cleared, busy(14))).toBe("running, agents");
    // A prompt, which is not in the log yet.
    expect(standOf(cleared, busy(0.2))).toBe("running, thinking");
    expect(standOf(cleared, { ...busy(14), typedAgo: 0.2 })).toBe("running, thinking");
    expect(standOf([...cleared, userLine(3, "a")], busy(14))).toBe("running, thinking");
  });

  it("waits for an agent that a message has set going again (2.1.200 and later)", () => {
    const report =
      "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>";
    const message = { type: "tool_use", id: "toolu_2", name: "SendMessage", input: { to: "a1" } };
    const sent = {
      ...userLine(30, [{ type: "tool_result", tool_use_id: "toolu_2", content: "{}" }]),
      toolUseResult: { success: true, message: "Resuming agent a1", resumedAgentId: "a1" },
    };
    const lines = [
      agentLaunched(60),
      userLine(40, report),
      answerLine(35, [message]),
      sent,
      answerLine(25, [answerText("It looks again")], "end_turn"),
    ];
    const busy = { entry: registryEntry({ status: "busy" }), lives: true, agentsAgo: 5 };
    expect(standOf(lines, busy)).toBe("running, agents 1 agent");
    expect(standOf([...lines, userLine(2, report)], busy)).toBe("running, thinking");
  });

  it("runs from the prompt on, although its entry was read when it was still idle (2.1.330)", () => {
    const idle = (secondsAgo: number) => ({
      entry: registryEntry({ status: "idle", statusUpdatedAt: Date.parse(secondsBefore(secondsAgo)) }),
      lives: true,
    });
    const lines = [userLine(30, "hi"), answerLine(20, [answerText("Done")], "end_turn")];
    expect(standOf([...lines, userLine(0.2, "test it")], idle(20))).toBe("running, thinking");
    // It was taken back at once, or was never sent.
    expect(standOf([...lines, userLine(0.2, "test it")], idle(0.1))).toBe("idle");
    expect(standOf([...lines, userLine(5, "test it")], idle(20))).toBe("idle");
  });

  it("does what it does since its entry says so, where the log is behind (2.1.170, 2.1.330)", () => {
    const busy = (secondsAgo: number, more: object = {}) => ({
      entry: {
        ...registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - secondsAgo * 1000 }),
        ...more,
      },
      lives: true,
    });
    const done = [userLine(90, "test it"), answerLine(80, [BASH_CALL]), userLine(70, [BASH_RESULT])];
    // In the middle of a turn, and as one begins whose prompt is not in the log yet.
    expect(doesSince(done, busy(90))).toBe("thinking for 70 s");
    const ended = [...done, answerLine(60, [answerText("Done")], "end_turn")];
    expect(doesSince(ended, busy(0.5))).toBe("thinking for 0.5 s");
    // While agents run the entry does not change, and what was typed is told by the history alone.
    const launched = agentLaunched(75);
    const out = [userLine(90, "look"), launched, answerLine(60, [answerText("It looks around")], "end_turn")];
    expect(doesSince(out, { ...busy(90), agentsAgo: 5, typedAgo: 0.5 })).toBe("thinking for 0.5 s");
    // A question was answered, a command was allowed: what follows has begun only then.
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    expect(doesSince([answerLine(60, [question])], busy(0.5, { resumed: true }))).toBe("thinking for 0.5 s");
    expect(doesSince([answerLine(60, [BASH_CALL])], busy(20, { resumed: true }))).toBe("tool for 20 s");
    expect(doesSince([answerLine(10, [BASH_CALL])], busy(20, { resumed: true }))).toBe("tool for 10 s");
    expect(doesSince([answerLine(60, [BASH_CALL])], busy(20))).toBe("tool for 60 s");
  });

  it("tells what is waited for, in the client's own groups", () => {
    const asks = (waitingFor: string, content: object[] = [BASH_CALL], more: object = {}) =>
      standOf([userLine(30, "go"), answerLine(20, content, "tool_use")], {
        entry: registryEntry({ status: "waiting", waitingFor, pidDomain: "linux:0:pid:[1]", ...more }),
        lives: true,
      });
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    const plan = { type: "tool_use", id: "toolu_3", name: "ExitPlanMode", input: {} };
    for (const words of ["permission prompt", "sandbox request", "worker request", "goal proposal"])
      expect(asks(words)).toBe("waiting, permission Bash npm test");
    expect(asks("goal proposal", [])).toBe("waiting, permission");
    expect(asks("input needed", [BASH_CALL, question])).toMatch(/^waiting, question AskUserQuestion/);
    expect(asks("input needed", [])).toBe("waiting, question");
    // 2.1.330 asks about a plan in these words, 2.1.170 a question as well.
    expect(asks("permission prompt", [plan])).toMatch(/^waiting, question ExitPlanMode/);
    expect(asks("permission prompt", [question, BASH_CALL])).toBe("waiting, permission Bash npm test");
    expect(asks("permission prompt", [BASH_CALL, question], { pidDomain: undefined })).toMatch(
      /^waiting, question AskUserQuestion/,
    );
    expect(asks("a word of later versions")).toBe("waiting, permission Bash npm test");
    expect(asks("a word of later versions", [])).toBe("waiting");
  });

  it("does not say what is asked before the line with the call is there (2.1.170: in the same words)", () => {
    const asks = (secondsAgo: number, more: object = {}) => ({
      entry: registryEntry({
        status: "waiting",
        waitingFor: "permission prompt",
        statusUpdatedAt: LOOKED_AT_MS - secondsAgo * 1000,
        ...more,
      }),
      lives: true,
    });
    expect(standOf([userLine(3, "go")], asks(0.1))).toBe("waiting");
    expect(standOf([userLine(3, "go")], asks(2))).toBe("waiting, permission");
    expect(standOf([userLine(3, "go")], asks(0.1, { pidDomain: "linux:0:pid:[1]" }))).toBe(
      "waiting, permission",
    );
    const launched = agentLaunched(9);
    expect(standOf([launched, answerLine(8, [answerText("It looks")], "end_turn")], asks(2))).toBe(
      "waiting, permission for an agent",
    );
  });

  it("asks nothing while its person has a menu open", () => {
    const entry = registryEntry({ status: "waiting", waitingFor: "dialog open" });
    const menu = { entry, lives: true };
    expect(standOf([answerLine(20, [answerText("Done")], "end_turn")], menu)).toBe("idle, menu");
    expect(standOf([answerLine(20, [BASH_CALL], "tool_use")], menu)).toBe("running, tool Bash npm test");
    expect(standOf([], menu)).toBe("idle, menu");
    // A prompt was taken back, of which nothing else is written: the client was idle before the menu (2.1.332).
    const asked = [answerLine(20, [answerText("Done")], "end_turn"), userLine(10, "a")];
    const idleAgo = (secondsAgo: number) => {
      return { ...menu, entry: { ...entry, idleAtMs: Date.parse(secondsBefore(secondsAgo)) } };
    };
    expect(standOf(asked, idleAgo(5))).toBe("idle, menu");
    expect(standOf(asked, idleAgo(15))).toBe("running, thinking");
  });

  it("is idle while commands run in the background", () => {
    const shell = { entry: registryEntry({ status: "shell" }), lives: true };
    expect(standOf([answerLine(20, [answerText("Done")], "end_turn")], shell)).toBe("idle, shells");
  });

  it("asks although the client reads idle or busy, while a question is open", () => {
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    const told = (status: string, secondsAgo: number) => ({
      entry: registryEntry({ status, statusUpdatedAt: LOOKED_AT_MS - secondsAgo * 1000 }),
      lives: true,
    });
    for (const status of ["idle", "busy"])
      expect(
        standOf([answerLine(20, [question])], status === "idle" ? told("idle", 60) : told("busy", 60)),
      ).toMatch(/^waiting, question AskUserQuestion/);
    // The registry is ahead of the log: it was dismissed, or answered.
    expect(standOf([answerLine(20, [question])], told("idle", 1))).toBe("idle");
    expect(standOf([answerLine(20, [question])], told("busy", 1))).toBe("running, thinking");
  });

  it("has ended as soon as its client has left the registry", () => {
    expect(standOf([answerLine(20, [BASH_CALL])], { endedAgo: 1 })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
    expect(standOf([answerLine(20, [answerText("Done")], "end_turn")], { endedAgo: 1 })).toBe("ended");
    expect(standOf([answerLine(20, [answerText("Done")])], { endedAgo: 1 })).toBe("ended");
    // Somebody went on with it, with a version that registers nothing.
    expect(standOf([userLine(2, "go on")], { endedAgo: 60 })).toBe("running, thinking");
  });

  it("has nothing going on of what its log ended with when this client began (2.1.110–2.1.330)", () => {
    const resumed = (more: object) => ({
      entry: registryEntry({ startedAt: LOOKED_AT_MS - 9_000, ...more }),
      lives: true,
    });
    const cut = [userLine(40, "test it"), answerLine(30, [BASH_CALL], "tool_use")];
    // Its status comes a moment later, before 2.1.170 never.
    expect(standOf(cut, resumed({}))).toBe("idle");
    expect(standOf([userLine(40, "test it")], resumed({}))).toBe("idle");
    const busy = resumed({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 100 });
    expect(standOf(cut, busy)).toBe("running, thinking");
    // What is written before the prompt's line: the queue's lines, and what a hook says.
    const queued = {
      type: "queue-operation",
      operation: "enqueue",
      content: "And?",
      timestamp: secondsBefore(0.5),
    };
    const attachment = { type: "hook_success", hookEvent: "SessionStart", content: "ok" };
    const hook = { type: "attachment", uuid: "h1", timestamp: secondsBefore(8), attachment };
    for (const line of [queued, hook]) expect(standOf([...cut, line], busy)).toBe("running, thinking");
    const menu = resumed({ status: "waiting", waitingFor: "dialog open" });
    expect(standOf(cut, menu)).toBe("idle, menu");
    const launched = agentLaunched(35);
    const out = [userLine(40, "look"), launched, answerLine(30, [answerText("It looks around")], "end_turn")];
    expect(standOf(out, { ...resumed({ status: "idle" }), agentsAgo: 20 })).toBe("idle");
    // As it was left, once that client has gone as well; and what has begun since.
    expect(standOf(cut, { ...resumed({}), lives: false })).toBe("interrupted, tool Bash npm test, gone");
    expect(standOf([...cut, userLine(5, "go on"), answerLine(4, [BASH_CALL])], busy)).toBe(
      "running, tool Bash npm test",
    );
  });

  it("tells only that the client lives (2.1.110): then a call may take as long as it wants", () => {
    expect(standOf([answerLine(4000, [BASH_CALL])], { entry: registryEntry({}), lives: true })).toBe(
      "running, tool Bash npm test, or asks",
    );
    // `-p` asks nobody.
    const sdk = registryEntry({ entrypoint: "sdk-cli" });
    expect(standOf([answerLine(4000, [BASH_CALL])], { entry: sdk, lives: true })).toBe(
      "running, tool Bash npm test",
    );
    expect(
      standOf([answerLine(4000, [answerText("Done")], "end_turn")], {
        entry: registryEntry({}),
        lives: true,
      }),
    ).toBe("idle");
  });

  it("is idle while agents work in the background (2.1.330): then the session runs until their end is told", () => {
    const launched = agentLaunched(100);
    const lines = [
      answerLine(110, [BASH_CALL]),
      launched,
      answerLine(90, [answerText("It looks around")], "end_turn"),
    ];
    const idle = {
      entry: registryEntry({ status: "idle", statusUpdatedAt: LOOKED_AT_MS - 90_000 }),
      lives: true,
    };
    expect(standOf(lines, { ...idle, agentsAgo: 60 })).toBe("running, agents 1 agent");
    const busy = {
      entry: registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 120_000 }),
      lives: true,
    };
    const asked = {
      entry: registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 1_000 }),
      lives: true,
    };
    expect(standOf(lines, { ...asked, agentsAgo: 60 })).toBe("running, thinking");
    expect(standOf(lines, { ...busy, agentsAgo: 60 })).toBe("running, agents 1 agent");
    // An agent was given the permission that it had asked for.
    const resumed = { ...asked.entry, resumed: true };
    expect(standOf(lines, { entry: resumed, lives: true, agentsAgo: 60 })).toBe("running, agents 1 agent");
    expect(standOf([...lines, userLine(1, "go on")], { entry: resumed, lives: true })).toBe(
      "running, thinking",
    );
    // Nothing but the log: its end is not told, so they are out.
    expect(standOf(lines, { agentsAgo: 60 })).toBe("running, agents 1 agent");
    const told = userLine(30, "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>");
    expect(
      standOf([...lines, told, answerLine(20, [answerText("Done")], "end_turn")], { ...idle, agentsAgo: 60 }),
    ).toBe("idle");
    const stopped = { ...userLine(30, [BASH_RESULT]), toolUseResult: { message: "Stopped", task_id: "a1" } };
    expect(standOf([...lines, stopped, answerLine(20, [answerText("Done")], "end_turn")], idle)).toBe("idle");
    const long = [
      answerLine(1110, [BASH_CALL]),
      { ...launched, timestamp: secondsBefore(1100) },
      answerLine(1090, [], "end_turn"),
    ];
    expect(standOf(long, { ...idle, agentsAgo: 1000 })).toBe("idle");
  });

  it("runs while the agent of a skill does that was called as a command (2.1.330)", () => {
    const launch = '<forked-skill-launch>{"agentId":"a1","skillName":"code-review"}</forked-skill-launch>';
    const content = `<local-command-stdout>Running in the background as @code-review</local-command-stdout>\n${launch}`;
    const launched = {
      type: "system",
      subtype: "local_command",
      uuid: "c",
      timestamp: secondsBefore(40),
      content,
    };
    const lines = [answerLine(60, [answerText("Done")], "end_turn"), userLine(40, "/code-review"), launched];
    const idle = {
      entry: registryEntry({ status: "idle", statusUpdatedAt: LOOKED_AT_MS - 39_000 }),
      lives: true,
    };
    expect(standOf(lines, { ...idle, agentsAgo: 30 })).toBe("running, agents 1 agent");
    expect(standOf(lines, { agentsAgo: 30 })).toBe("running, agents 1 agent");
    // `/subtask`, which tells the model nothing either.
    const started = {
      ...launched,
      subtype: "informational",
      content: "Started in the background",
      launchedAgentId: "a1",
    };
    const done = answerLine(60, [answerText("Done")], "end_turn");
    expect(standOf([done, started], { ...idle, agentsAgo: 30 })).toBe("running, agents 1 agent");
    const told = userLine(5, "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>");
    const end = [told, answerLine(4, [answerText("Reviewed")], "end_turn")];
    expect(standOf([...lines, ...end], { ...idle, agentsAgo: 30 })).toBe("idle");
    // A note of the client's own ends none; that all were stopped is known from descriptions only.
    const note = (subtype: string) => ({ ...launched, uuid: subtype, subtype, content: "" });
    expect(standOf([...lines, note("informational")], { ...idle, agentsAgo: 30 })).toBe(
      "running, agents 1 agent",
    );
    expect(standOf([...lines, note("agents_killed")], { ...idle, agentsAgo: 30 })).toBe("idle");
  });

  it("does not wait for an agent whose end is told in the words of 2.0.76, or in the queue alone", () => {
    const launched = agentLaunched(100);
    const lines = [
      answerLine(110, [BASH_CALL]),
      launched,
      answerLine(90, [answerText("It looks around")], "end_turn"),
    ];
    const end = answerLine(20, [answerText("Done")], "end_turn");
    const told = "<agent-notification>\n<agent-id>a1</agent-id>\n<status>completed</status>";
    expect(standOf([...lines, end])).toBe("running, agents 1 agent");
    expect(standOf([...lines, userLine(30, told)])).toBe("running, thinking");
    expect(standOf([...lines, userLine(30, told), end])).toBe("idle");
    const queued = {
      type: "queue-operation",
      operation: "enqueue",
      timestamp: secondsBefore(30),
      content: told,
    };
    expect(standOf([...lines, queued, end])).toBe("idle");
    // Up to 2.1.42, with the tag of later versions.
    const later = told
      .replaceAll("agent-notification", "task-notification")
      .replaceAll("agent-id", "task-id");
    expect(standOf([...lines, { ...queued, content: later }, end])).toBe("idle");
    expect(standOf([...lines, { ...queued, content: "and then a1" }, end])).toBe("running, agents 1 agent");
  });

  it("is worth nothing when its process has gone", () => {
    const entry = registryEntry({ status: "busy" });
    expect(standOf([answerLine(20, [BASH_CALL])], { entry, lives: false })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
    expect(standOf([answerLine(20, [answerText("Done")], "end_turn")], { entry, lives: false })).toBe(
      "ended",
    );
  });

  it("holds for minutes where its process cannot be looked at: another container, a copied folder", () => {
    const busy = (secondsAgo: number) =>
      registryEntry({
        status: "busy",
        startedAt: secondsBefore(9000),
        statusUpdatedAt: Date.parse(secondsBefore(secondsAgo)),
      });
    const thinks = [userLine(1000, "test it"), answerLine(1000, [BASH_CALL]), userLine(900, [BASH_RESULT])];
    expect(standOf(thinks, { entry: busy(200), lives: null })).toBe("running, thinking");
    expect(standOf(thinks, { entry: busy(400), lives: null })).toBe("interrupted, thinking, gone");
    const waits = (secondsAgo: number) => ({ ...busy(secondsAgo), status: "waiting" as const });
    expect(standOf([answerLine(800, [BASH_CALL])], { entry: waits(800), lives: null })).toMatch(
      /^waiting, permission Bash/,
    );
    expect(standOf([answerLine(1000, [BASH_CALL])], { entry: waits(1000), lives: null })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
    expect(
      standOf([answerLine(9000, [answerText("Done")], "end_turn")], { entry: busy(9000), lives: null }),
    ).toBe("ended");
    // A clock that is hours ahead is no sign of life.
    expect(standOf(thinks, { entry: busy(-9000), lives: null })).toBe("interrupted, thinking, gone");
  });

  it("is read field by field", () => {
    expect(parseEntry({ pid: "12", sessionId: "s" })).toBeNull();
    expect(parseEntry({ pid: 12, sessionId: "s", status: "dancing", startedAt: "x" })).toMatchObject({
      status: null,
      startedAtMs: null,
    });
    expect(parseEntry([])).toBeNull();
  });

  it("goes on while what was queued is on its way, though its client is idle in between (2.1.332)", () => {
    const queue = (secondsAgo: number, operation: string, content?: string) => ({
      ...{ type: "queue-operation", operation, timestamp: secondsBefore(secondsAgo) },
      ...(content === undefined ? {} : { content }),
    });
    const report = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>";
    const end = { type: "system", subtype: "turn_duration", timestamp: secondsBefore(0.4) };
    const turn = [userLine(30, "look"), answerLine(0.5, [answerText("Done")]), end];
    const idle = {
      entry: registryEntry({
        status: "idle",
        statusUpdatedAt: LOOKED_AT_MS - 300,
        updatedAt: LOOKED_AT_MS - 300,
      }),
      lives: true,
    };
    expect(standOf(turn, idle)).toBe("idle");
    // An agent's report, or a prompt that was typed meanwhile.
    for (const content of [report, "And the tests?"]) {
      const put = queue(10, "enqueue", content);
      expect(standOf([put, ...turn], idle)).toBe("running, thinking");
      // Taken out before the answer was written.
      const taken = [put, queue(0.3, "dequeue"), ...turn];
      expect(standOf(taken, idle)).toBe("running, thinking");
      expect(doesSince(taken, idle)).toBe("thinking for 0.3 s");
      expect(
        standOf([...taken, userLine(0.2, content), answerLine(0.1, [answerText("Yes")], "end_turn")], idle),
      ).toBe("idle");
      // It went along with a result, or back to where its person types.
      expect(standOf([put, queue(5, "remove"), ...turn], idle)).toBe("idle");
      expect(standOf([put, queue(0.3, "popAll"), ...turn], idle)).toBe("idle");
      // A client without a registry.
      expect(standOf([put, queue(0.3, "dequeue"), ...turn])).toBe("running, thinking");
    }
    // A command that the client answered itself leaves no line of the conversation.
    const long = { ...idle, entry: registryEntry({ status: "idle", statusUpdatedAt: LOOKED_AT_MS - 9_000 }) };
    const before = [userLine(30, "look"), answerLine(9, [answerText("Done")], "end_turn")];
    expect(standOf([...before, queue(8, "dequeue")], long)).toBe("idle");
    expect(standOf([queue(20, "enqueue", "And?"), ...before], long)).toBe("idle");
  });
});
