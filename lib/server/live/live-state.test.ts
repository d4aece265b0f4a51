import { describe, expect, it } from "vitest";
import { toRecord } from "@/lib/log/records/parse-record";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress } from "@/lib/wire/library";
import type { LiveState } from "@/lib/wire/live";
import { liveState } from "./live-state";
import type { ClientShell } from "./told/client-shells";
import { parseEntry, type RegistryEntry } from "./told/registry";
import { FactsOfTail } from "./told/tail-facts";

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

function stand(...of: Parameters<typeof stateOf>): string {
  const state = stateOf(...of);
  const doing =
    state.doing && [state.doing.kind, state.doing.name, state.doing.subject].filter(Boolean).join(" ");
  const mayAsk = state.doing?.mayAsk ? "or asks" : "";
  return [state.state, doing, mayAsk, state.gone ? "gone" : ""].filter(Boolean).join(", ");
}

/** For how many seconds it has done what it does. */
function doesSince(...of: Parameters<typeof stateOf>): string {
  const { doing } = stateOf(...of);
  return `${doing?.kind} for ${doing?.sinceMs ? (NOW - doing.sinceMs) / 1000 : "?"} s`;
}

function stateOf(
  lines: object[],
  {
    entry = null,
    lives = null,
    agentsAgo,
    endedAgo,
    askingAgo,
    typedAgo,
    compacts = false,
    shell = null,
    shells = [],
  }: {
    entry?: RegistryEntry | null;
    lives?: boolean | null;
    agentsAgo?: number;
    endedAgo?: number;
    /** When an agent, `a1`, wrote last that has an open call of a kind that is asked about. */
    askingAgo?: number;
    /** When its person typed a prompt, `/compact`, or a command for the shell. */
    typedAgo?: number;
    compacts?: boolean;
    shell?: string | null;
    /** The commands that its client runs, or ran until a moment ago. */
    shells?: ClientShell[];
  } = {},
): LiveState {
  const facts = new FactsOfTail().with(
    lines.map((line, n) => toRecord(line as never, { offset: n, length: 1, line: n + 1 })),
  );
  const agentsAtMs = agentsAgo === undefined ? null : NOW - agentsAgo * 1000;
  const endedAtMs = endedAgo === undefined ? null : NOW - endedAgo * 1000;
  const askingAgents = askingAgo === undefined ? [] : [{ agentId: "a1", atMs: NOW - askingAgo * 1000 }];
  const typed = typedAgo === undefined ? null : { atMs: NOW - typedAgo * 1000, compacts, shell };
  const sources = { facts, entry, lives, endedAtMs, agentsAtMs, askingAgents, typed, shells, nowMs: NOW };
  return liveState({ sessionId: "s" as SessionId, ...sources });
}

function registered(more: object): RegistryEntry {
  return parseEntry({ pid: 12, sessionId: "s", startedAt: NOW - 7_200_000, ...more }) as RegistryEntry;
}

describe("how a session stands, from its records", () => {
  it("runs while a call has no result, and thinks after one", () => {
    expect(stand([user(30, "test it"), answer(20, [bash])])).toBe("running, tool Bash npm test, or asks");
    const look = { type: "tool_use", id: "toolu_3", name: "Grep", input: { pattern: "retry" } };
    expect(stand([user(30, "test it"), answer(20, [look])])).toBe("running, tool Grep retry");
    // By its earlier name (1.0.128) as by that of today.
    for (const name of ["KillBash", "KillShell"]) {
      const stop = { ...bash, name, input: { shell_id: "b1f" } };
      expect(stand([user(30, "stop it"), answer(20, [stop])])).toBe(`running, tool ${name} b1f`);
    }
    const progress = { type: "progress", timestamp: at(5), parentToolUseID: "toolu_1" };
    const output = { ...progress, data: { type: "bash_progress", fullOutput: "12 passed" } };
    expect(stand([answer(20, [bash]), output])).toBe("running, tool Bash npm test");
    expect(stand([answer(20, [bash]), user(5, [result])])).toBe("running, thinking");
    expect(stand([user(5, "test it")])).toBe("running, thinking");
  });

  it("thinks about what was typed before its log has it, and compacts until the log says so (2.0.76)", () => {
    const done = [user(60, "test it"), answer(50, [text("Done")], "end_turn")];
    expect(stand(done)).toBe("idle");
    expect(stand(done, { typedAgo: 1 })).toBe("running, thinking");
    // It came to nothing, as where a hook stopped it, or is older than what the log tells of.
    expect(stand(done, { typedAgo: 5 })).toBe("idle");
    expect(stand(done, { typedAgo: 55, compacts: true })).toBe("idle");
    expect(stand(done, { typedAgo: 40, compacts: true })).toBe("running, thinking");
    expect(stand([...done, user(1, "[Request interrupted by user]")], { typedAgo: 0.5 })).toBe(
      "running, thinking",
    );
    const error = user(2, "<local-command-stderr>Error: Compaction canceled.</local-command-stderr>");
    expect(stand([...done, error], { typedAgo: 40, compacts: true })).toBe("idle");
    // A turn that goes on, and a client that says itself what it does.
    expect(stand([user(60, "test it"), answer(50, [bash])], { typedAgo: 1 })).toMatch(/^running, tool Bash/);
    const entry = registered({ status: "idle", statusUpdatedAt: NOW - 40_000 });
    expect(stand(done, { entry, lives: true, typedAgo: 1 })).toBe("idle");
    // It stays `busy` while agents run, and says nothing of a prompt that is typed meanwhile (2.1.330).
    const launched = { ...user(55, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const out = [user(60, "look"), launched, answer(50, [text("It looks around")], "end_turn")];
    const busy = { entry: registered({ status: "busy", statusUpdatedAt: NOW - 60_000 }), lives: true };
    expect(stand(out, { ...busy, agentsAgo: 5 })).toBe("running, agents 1 agent");
    expect(stand(out, { ...busy, agentsAgo: 5, typedAgo: 0.2 })).toBe("running, thinking");
  });

  it("runs a command that was typed for the shell until the log has its output (2.0.76–2.1.330)", () => {
    const done = [user(60, "test it"), answer(50, [text("Done")], "end_turn")];
    const typed = { typedAgo: 40, shell: "npm test" };
    const busy = { entry: registered({ status: "busy", statusUpdatedAt: NOW - 40_000 }), lives: true };
    for (const known of [{}, busy]) {
      expect(stand(done, { ...known, ...typed })).toBe("running, tool Shell npm test");
      expect(doesSince(done, { ...known, ...typed })).toBe("tool for 40 s");
    }
    // Both lines come when it is over; from 2.1.330 on the model answers them.
    const ran = [
      ...done,
      user(40, "<bash-input>npm test</bash-input>"),
      user(1, "<bash-stdout>ok</bash-stdout>"),
    ];
    expect(stand(ran, typed)).toBe("idle");
    expect(stand(ran, { ...busy, ...typed })).toBe("running, thinking");
    // What is typed meanwhile waits, and says nothing of it.
    const queue = { type: "queue-operation", operation: "enqueue", timestamp: at(10), content: "go on" };
    expect(stand([...done, queue], { ...busy, ...typed })).toBe("running, tool Shell npm test");
    // What is typed while the model works waits for it, and a client that rests runs nothing.
    expect(stand([user(60, "test it"), answer(50, [bash])], { ...busy, ...typed })).toMatch(/Bash npm test$/);
    const idle = registered({ status: "idle", statusUpdatedAt: NOW - 1_000 });
    expect(stand(done, { entry: idle, lives: true, ...typed })).toBe("idle");
  });

  it("runs or asks while an agent of its call may be asking (2.0.76)", () => {
    const task = { type: "tool_use", id: "toolu_4", name: "Task", input: { description: "Look around" } };
    const lines = [user(30, "look"), answer(20, [task])];
    expect(stand(lines)).toBe("running, tool Task Look around");
    expect(stand(lines, { askingAgo: 5 })).toBe("running, tool Task Look around, or asks");
    // An agent of before, whose call was interrupted, has no result of it either.
    expect(stand(lines, { askingAgo: 25 })).toBe("running, tool Task Look around");
    // One that runs in the background.
    const launched = {
      ...user(15, [{ ...result, tool_use_id: "toolu_4" }]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    const out = [...lines, launched, answer(14, [text("It looks around")], "end_turn")];
    expect(stand(out, { agentsAgo: 5 })).toBe("running, agents 1 agent");
    expect(stand(out, { agentsAgo: 5, askingAgo: 5 })).toBe("running, agents 1 agent, or asks");
  });

  it("asks when its call is a question", () => {
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: { questions: [] } };
    expect(stand([answer(5, [question])])).toMatch(/^waiting, question AskUserQuestion/);
  });

  it("is at rest when the model has ended its turn, and over when nobody came back", () => {
    expect(stand([user(30, "hi"), answer(20, [text("Done")], "end_turn")])).toBe("idle");
    expect(stand([user(3000, "hi"), answer(2000, [text("Done")], "end_turn")])).toBe("ended");
  });

  it("is not known to go on after a text whose message has no end (up to 2.1.42)", () => {
    expect(stand([answer(2, [text("I will look")])])).toBe("unknown, answered");
    // What an agent writes meanwhile tells nothing of it: 2.0.0 warms some up.
    expect(stand([answer(20, [text("Done")])], { agentsAgo: 1 })).toBe("idle");
    expect(stand([answer(60, [text("Done")])])).toBe("idle");
    expect(isInProgress(stateOf([answer(2, [text("I will look")])]))).toBe(true);
    expect(isInProgress(stateOf([{ type: "summary", summary: "Retries", leafUuid: "u" }]))).toBe(false);
  });

  it("waits for its person once it was compacted for them", () => {
    const boundary = (trigger: string) => ({
      type: "system",
      subtype: "compact_boundary",
      timestamp: at(2),
      uuid: "c",
      compactMetadata: { trigger, preTokens: 9 },
    });
    const summary = { ...user(2, "This session is being continued"), isCompactSummary: true };
    const asked = [user(30, "hi"), answer(20, [bash]), user(10, [result])];
    expect(stand([...asked, boundary("manual"), summary])).toBe("idle");
    expect(stand([...asked, boundary("auto"), summary])).toBe("running, thinking");
    // 1.0.60 writes no boundary.
    const command = user(
      1,
      "<command-name>/compact</command-name>\n<command-message>compact</command-message>",
    );
    expect(stand([user(30, "hi"), answer(3, [text("Hello")]), summary, command])).toBe("idle");
  });

  it("runs when a command of the person's own has gone to the model", () => {
    const greet = "<command-message>greet is running…</command-message>\n<command-name>/greet</command-name>";
    expect(stand([answer(60, [text("Done")], "end_turn"), user(5, greet)])).toBe("running, thinking");
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
    expect(stand(asked, { entry: registered({ status: "busy" }), lives: true })).toBe(
      "running, tool Bash npm test",
    );
  });

  it("runs from the prompt on, although its entry was read when it was still idle (2.1.330)", () => {
    const idle = (secondsAgo: number) => ({
      entry: registered({ status: "idle", statusUpdatedAt: Date.parse(at(secondsAgo)) }),
      lives: true,
    });
    const lines = [user(30, "hi"), answer(20, [text("Done")], "end_turn")];
    expect(stand([...lines, user(0.2, "test it")], idle(20))).toBe("running, thinking");
    // It was taken back at once, or was never sent.
    expect(stand([...lines, user(0.2, "test it")], idle(0.1))).toBe("idle");
    expect(stand([...lines, user(5, "test it")], idle(20))).toBe("idle");
  });

  it("does what it does since its entry says so, where the log is behind (2.1.170, 2.1.330)", () => {
    const busy = (secondsAgo: number, more: object = {}) => ({
      entry: { ...registered({ status: "busy", statusUpdatedAt: NOW - secondsAgo * 1000 }), ...more },
      lives: true,
    });
    const done = [user(90, "test it"), answer(80, [bash]), user(70, [result])];
    // In the middle of a turn, and as one begins whose prompt is not in the log yet.
    expect(doesSince(done, busy(90))).toBe("thinking for 70 s");
    const ended = [...done, answer(60, [text("Done")], "end_turn")];
    expect(doesSince(ended, busy(0.5))).toBe("thinking for 0.5 s");
    // While agents run the entry does not change, and what was typed is told by the history alone.
    const launched = { ...user(75, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const out = [user(90, "look"), launched, answer(60, [text("It looks around")], "end_turn")];
    expect(doesSince(out, { ...busy(90), agentsAgo: 5, typedAgo: 0.5 })).toBe("thinking for 0.5 s");
    // A question was answered, a command was allowed: what follows has begun only then.
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    expect(doesSince([answer(60, [question])], busy(0.5, { resumed: true }))).toBe("thinking for 0.5 s");
    expect(doesSince([answer(60, [bash])], busy(20, { resumed: true }))).toBe("tool for 20 s");
    expect(doesSince([answer(10, [bash])], busy(20, { resumed: true }))).toBe("tool for 10 s");
    expect(doesSince([answer(60, [bash])], busy(20))).toBe("tool for 60 s");
  });

  it("tells what is waited for, in the client's own groups", () => {
    const asks = (waitingFor: string, content: object[] = [bash], more: object = {}) =>
      stand([user(30, "go"), answer(20, content, "tool_use")], {
        entry: registered({ status: "waiting", waitingFor, pidDomain: "linux:0:pid:[1]", ...more }),
        lives: true,
      });
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    const plan = { type: "tool_use", id: "toolu_3", name: "ExitPlanMode", input: {} };
    for (const words of ["permission prompt", "sandbox request", "worker request", "goal proposal"])
      expect(asks(words)).toBe("waiting, permission Bash npm test");
    expect(asks("goal proposal", [])).toBe("waiting, permission");
    expect(asks("input needed", [bash, question])).toMatch(/^waiting, question AskUserQuestion/);
    expect(asks("input needed", [])).toBe("waiting, question");
    // 2.1.330 asks about a plan in these words, 2.1.170 a question as well.
    expect(asks("permission prompt", [plan])).toMatch(/^waiting, question ExitPlanMode/);
    expect(asks("permission prompt", [question, bash])).toBe("waiting, permission Bash npm test");
    expect(asks("permission prompt", [bash, question], { pidDomain: undefined })).toMatch(
      /^waiting, question AskUserQuestion/,
    );
    expect(asks("a word of later versions")).toBe("waiting, permission Bash npm test");
    expect(asks("a word of later versions", [])).toBe("waiting");
  });

  it("does not say what is asked before the line with the call is there (2.1.170: in the same words)", () => {
    const asks = (secondsAgo: number, more: object = {}) => ({
      entry: registered({
        status: "waiting",
        waitingFor: "permission prompt",
        statusUpdatedAt: NOW - secondsAgo * 1000,
        ...more,
      }),
      lives: true,
    });
    expect(stand([user(3, "go")], asks(0.1))).toBe("waiting");
    expect(stand([user(3, "go")], asks(2))).toBe("waiting, permission");
    expect(stand([user(3, "go")], asks(0.1, { pidDomain: "linux:0:pid:[1]" }))).toBe("waiting, permission");
    const launched = { ...user(9, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    expect(stand([launched, answer(8, [text("It looks")], "end_turn")], asks(2))).toBe(
      "waiting, permission for an agent",
    );
  });

  it("asks nothing while its person has a menu open", () => {
    const menu = { entry: registered({ status: "waiting", waitingFor: "dialog open" }), lives: true };
    expect(stand([answer(20, [text("Done")], "end_turn")], menu)).toBe("idle, menu");
    expect(stand([answer(20, [bash], "tool_use")], menu)).toBe("running, tool Bash npm test");
    expect(stand([], menu)).toBe("idle, menu");
  });

  it("is idle while commands run in the background", () => {
    const shell = { entry: registered({ status: "shell" }), lives: true };
    expect(stand([answer(20, [text("Done")], "end_turn")], shell)).toBe("idle, shells");
  });

  it("asks although the client reads idle or busy, while a question is open", () => {
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: {} };
    const told = (status: string, secondsAgo: number) => ({
      entry: registered({ status, statusUpdatedAt: NOW - secondsAgo * 1000 }),
      lives: true,
    });
    for (const status of ["idle", "busy"])
      expect(
        stand([answer(20, [question])], status === "idle" ? told("idle", 60) : told("busy", 60)),
      ).toMatch(/^waiting, question AskUserQuestion/);
    // The registry is ahead of the log: it was dismissed, or answered.
    expect(stand([answer(20, [question])], told("idle", 1))).toBe("idle");
    expect(stand([answer(20, [question])], told("busy", 1))).toBe("running, thinking");
  });

  it("has ended as soon as its client has left the registry", () => {
    expect(stand([answer(20, [bash])], { endedAgo: 1 })).toBe("interrupted, tool Bash npm test, gone");
    expect(stand([answer(20, [text("Done")], "end_turn")], { endedAgo: 1 })).toBe("ended");
    expect(stand([answer(20, [text("Done")])], { endedAgo: 1 })).toBe("ended");
    // Somebody went on with it, with a version that registers nothing.
    expect(stand([user(2, "go on")], { endedAgo: 60 })).toBe("running, thinking");
  });

  it("has nothing going on of what its log ended with when this client began (2.1.110–2.1.330)", () => {
    const resumed = (more: object) => ({
      entry: registered({ startedAt: NOW - 9_000, ...more }),
      lives: true,
    });
    const cut = [user(40, "test it"), answer(30, [bash], "tool_use")];
    // Its status comes a moment later, before 2.1.170 never.
    expect(stand(cut, resumed({}))).toBe("idle");
    expect(stand([user(40, "test it")], resumed({}))).toBe("idle");
    const busy = resumed({ status: "busy", statusUpdatedAt: NOW - 100 });
    expect(stand(cut, busy)).toBe("running, thinking");
    // What is written before the prompt's line: the queue's lines, and what a hook says.
    const queued = { type: "queue-operation", operation: "enqueue", content: "And?", timestamp: at(0.5) };
    const attachment = { type: "hook_success", hookEvent: "SessionStart", content: "ok" };
    const hook = { type: "attachment", uuid: "h1", timestamp: at(8), attachment };
    for (const line of [queued, hook]) expect(stand([...cut, line], busy)).toBe("running, thinking");
    const menu = resumed({ status: "waiting", waitingFor: "dialog open" });
    expect(stand(cut, menu)).toBe("idle, menu");
    const launched = { ...user(35, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const out = [user(40, "look"), launched, answer(30, [text("It looks around")], "end_turn")];
    expect(stand(out, { ...resumed({ status: "idle" }), agentsAgo: 20 })).toBe("idle");
    // As it was left, once that client has gone as well; and what has begun since.
    expect(stand(cut, { ...resumed({}), lives: false })).toBe("interrupted, tool Bash npm test, gone");
    expect(stand([...cut, user(5, "go on"), answer(4, [bash])], busy)).toBe("running, tool Bash npm test");
  });

  it("tells only that the client lives (2.1.110): then a call may take as long as it wants", () => {
    expect(stand([answer(4000, [bash])], { entry: registered({}), lives: true })).toBe(
      "running, tool Bash npm test, or asks",
    );
    // `-p` asks nobody.
    const sdk = registered({ entrypoint: "sdk-cli" });
    expect(stand([answer(4000, [bash])], { entry: sdk, lives: true })).toBe("running, tool Bash npm test");
    expect(stand([answer(4000, [text("Done")], "end_turn")], { entry: registered({}), lives: true })).toBe(
      "idle",
    );
  });

  it("is idle while agents work in the background (2.1.330): then the session runs until their end is told", () => {
    const launched = { ...user(100, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const lines = [answer(110, [bash]), launched, answer(90, [text("It looks around")], "end_turn")];
    const idle = { entry: registered({ status: "idle", statusUpdatedAt: NOW - 90_000 }), lives: true };
    expect(stand(lines, { ...idle, agentsAgo: 60 })).toBe("running, agents 1 agent");
    const busy = { entry: registered({ status: "busy", statusUpdatedAt: NOW - 120_000 }), lives: true };
    const asked = { entry: registered({ status: "busy", statusUpdatedAt: NOW - 1_000 }), lives: true };
    expect(stand(lines, { ...asked, agentsAgo: 60 })).toBe("running, thinking");
    expect(stand(lines, { ...busy, agentsAgo: 60 })).toBe("running, agents 1 agent");
    // An agent was given the permission that it had asked for.
    const resumed = { ...asked.entry, resumed: true };
    expect(stand(lines, { entry: resumed, lives: true, agentsAgo: 60 })).toBe("running, agents 1 agent");
    expect(stand([...lines, user(1, "go on")], { entry: resumed, lives: true })).toBe("running, thinking");
    // Nothing but the log: its end is not told, so they are out.
    expect(stand(lines, { agentsAgo: 60 })).toBe("running, agents 1 agent");
    const told = user(30, "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>");
    expect(stand([...lines, told, answer(20, [text("Done")], "end_turn")], { ...idle, agentsAgo: 60 })).toBe(
      "idle",
    );
    const stopped = { ...user(30, [result]), toolUseResult: { message: "Stopped", task_id: "a1" } };
    expect(stand([...lines, stopped, answer(20, [text("Done")], "end_turn")], idle)).toBe("idle");
    const long = [answer(1110, [bash]), { ...launched, timestamp: at(1100) }, answer(1090, [], "end_turn")];
    expect(stand(long, { ...idle, agentsAgo: 1000 })).toBe("idle");
  });

  it("runs while the agent of a skill does that was called as a command (2.1.330)", () => {
    const launch = '<forked-skill-launch>{"agentId":"a1","skillName":"code-review"}</forked-skill-launch>';
    const content = `<local-command-stdout>Running in the background as @code-review</local-command-stdout>\n${launch}`;
    const launched = { type: "system", subtype: "local_command", uuid: "c", timestamp: at(40), content };
    const lines = [answer(60, [text("Done")], "end_turn"), user(40, "/code-review"), launched];
    const idle = { entry: registered({ status: "idle", statusUpdatedAt: NOW - 39_000 }), lives: true };
    expect(stand(lines, { ...idle, agentsAgo: 30 })).toBe("running, agents 1 agent");
    expect(stand(lines, { agentsAgo: 30 })).toBe("running, agents 1 agent");
    // `/subtask`, which tells the model nothing either.
    const started = {
      ...launched,
      subtype: "informational",
      content: "Started in the background",
      launchedAgentId: "a1",
    };
    const done = answer(60, [text("Done")], "end_turn");
    expect(stand([done, started], { ...idle, agentsAgo: 30 })).toBe("running, agents 1 agent");
    const told = user(5, "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>");
    const end = [told, answer(4, [text("Reviewed")], "end_turn")];
    expect(stand([...lines, ...end], { ...idle, agentsAgo: 30 })).toBe("idle");
  });

  it("does not wait for an agent whose end is told in the words of 2.0.76, or in the queue alone", () => {
    const launched = { ...user(100, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    const lines = [answer(110, [bash]), launched, answer(90, [text("It looks around")], "end_turn")];
    const end = answer(20, [text("Done")], "end_turn");
    const told = "<agent-notification>\n<agent-id>a1</agent-id>\n<status>completed</status>";
    expect(stand([...lines, end])).toBe("running, agents 1 agent");
    expect(stand([...lines, user(30, told)])).toBe("running, thinking");
    expect(stand([...lines, user(30, told), end])).toBe("idle");
    const queued = { type: "queue-operation", operation: "enqueue", timestamp: at(30), content: told };
    expect(stand([...lines, queued, end])).toBe("idle");
    // Up to 2.1.42, with the tag of later versions.
    const later = told
      .replaceAll("agent-notification", "task-notification")
      .replaceAll("agent-id", "task-id");
    expect(stand([...lines, { ...queued, content: later }, end])).toBe("idle");
    expect(stand([...lines, { ...queued, content: "and then a1" }, end])).toBe("running, agents 1 agent");
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

  it("goes on while what was queued is on its way, though its client is idle in between (2.1.332)", () => {
    const queue = (secondsAgo: number, operation: string, content?: string) => ({
      ...{ type: "queue-operation", operation, timestamp: at(secondsAgo) },
      ...(content === undefined ? {} : { content }),
    });
    const report = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>";
    const end = { type: "system", subtype: "turn_duration", timestamp: at(0.4) };
    const turn = [user(30, "look"), answer(0.5, [text("Done")]), end];
    const idle = {
      entry: registered({ status: "idle", statusUpdatedAt: NOW - 300, updatedAt: NOW - 300 }),
      lives: true,
    };
    expect(stand(turn, idle)).toBe("idle");
    // An agent's report, or a prompt that was typed meanwhile.
    for (const content of [report, "And the tests?"]) {
      const put = queue(10, "enqueue", content);
      expect(stand([put, ...turn], idle)).toBe("running, thinking");
      // Taken out before the answer was written.
      const taken = [put, queue(0.3, "dequeue"), ...turn];
      expect(stand(taken, idle)).toBe("running, thinking");
      expect(doesSince(taken, idle)).toBe("thinking for 0.3 s");
      expect(stand([...taken, user(0.2, content), answer(0.1, [text("Yes")], "end_turn")], idle)).toBe(
        "idle",
      );
      // It went along with a result, or back to where its person types.
      expect(stand([put, queue(5, "remove"), ...turn], idle)).toBe("idle");
      expect(stand([put, queue(0.3, "popAll"), ...turn], idle)).toBe("idle");
      // A client without a registry.
      expect(stand([put, queue(0.3, "dequeue"), ...turn])).toBe("running, thinking");
    }
    // A command that the client answered itself leaves no line of the conversation.
    const long = { ...idle, entry: registered({ status: "idle", statusUpdatedAt: NOW - 9_000 }) };
    const before = [user(30, "look"), answer(9, [text("Done")], "end_turn")];
    expect(stand([...before, queue(8, "dequeue")], long)).toBe("idle");
    expect(stand([queue(20, "enqueue", "And?"), ...before], long)).toBe("idle");
  });
});

describe("what the shells of its client tell", () => {
  const busy = registered({ status: "busy", statusUpdatedAt: NOW - 5_000 });
  const begun = [user(5, "test it"), answer(2, [bash])];
  const shell = (secondsAgo: number, more: Partial<ClientShell> = {}): ClientShell => {
    const seenAtMs = NOW - secondsAgo * 1000;
    return { command: "npm test", seenAtMs, afterMs: seenAtMs - 25, endedAtMs: null, ...more };
  };
  const shells = (...of: ClientShell[]) => ({ entry: busy, lives: true, shells: of });

  it("is that it thinks again, though the call's result is not in the log yet (2.1.332: for 100–340 ms)", () => {
    expect(stand(begun, shells(shell(1.9)))).toBe("running, tool Bash npm test");
    const ended = shells(shell(1.9, { endedAtMs: NOW - 100 }));
    expect(stand(begun, ended)).toBe("running, thinking");
    expect(doesSince(begun, ended)).toBe("thinking for 0.1 s");
    // Without a status (`-p`), too.
    const print = registered({ entrypoint: "sdk-cli" });
    expect(stand(begun, { ...ended, entry: print })).toBe("running, thinking");
  });

  it("is nothing of a call whose command is another, or that came later", () => {
    const runs = "running, tool Bash npm test";
    expect(stand(begun, shells(shell(1.9, { command: "npm run x", endedAtMs: NOW })))).toBe(runs);
    expect(stand(begun, shells(shell(2.1, { endedAtMs: NOW })))).toBe(runs);
    expect(stand(begun, shells(shell(1.9, { command: "", endedAtMs: NOW })))).toBe(runs);
  });

  it("is which of several calls still run, also where two run the same", () => {
    const other = { ...bash, id: "toolu_2" };
    const look = { ...bash, id: "toolu_3", input: { command: "npm run lint" } };
    const lint = shell(1.9, { command: "npm run lint" });
    const ended = { endedAtMs: NOW - 50 };
    const both = [user(5, "test it"), answer(2, [bash, look])];
    expect(stand(both, shells(shell(1.9), { ...lint, ...ended }))).toBe("running, tool Bash npm test");
    expect(stand(both, shells(shell(1.9, ended), { ...lint, ...ended }))).toBe("running, thinking");
    const twice = [user(5, "test it"), answer(2, [bash, other])];
    expect(stand(twice, shells(shell(1.9, ended), shell(1.8)))).toBe("running, tool Bash npm test");
    expect(stand(twice, shells(shell(1.9, ended)))).toBe("running, tool Bash npm test");
  });

  it("is a command that the log does not tell of yet, but none in the background and none of an agent", () => {
    const asked = [user(5, "test it")];
    expect(stand(asked, shells(shell(0.2)))).toBe("running, tool Bash npm test");
    expect(doesSince(asked, shells(shell(0.2)))).toBe("tool for 0.2 s");
    const thinks = "running, thinking";
    // Its line did not come, it is over, or it may have begun before the log's last line.
    expect(stand(asked, shells(shell(1.6)))).toBe(thinks);
    expect(stand(asked, shells(shell(0.2, { endedAtMs: NOW })))).toBe(thinks);
    expect(stand(asked, shells(shell(0.2, { afterMs: null })))).toBe(thinks);
    expect(stand(asked, shells(shell(0.2, { afterMs: NOW - 5_000 })))).toBe(thinks);
    expect(stand([...begun, user(1, [result])], shells(shell(1.2)))).toBe(thinks);
    const launched = { ...user(1, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    expect(stand([...begun, launched], shells(shell(0.2)))).not.toContain("Bash");
    expect(stand(asked, { ...shells(shell(0.2)), agentsAgo: 3 })).toBe(thinks);
    expect(stand(asked, { ...shells(shell(0.2)), agentsAgo: 6 })).toBe("running, tool Bash npm test");
  });

  it("is that a command is over which a person has typed, before the log has it", () => {
    const done = [user(60, "test it"), answer(50, [text("Done")], "end_turn")];
    const typed = { typedAgo: 3, shell: "npm test" };
    expect(stand(done, { ...typed, ...shells(shell(2.9)) })).toBe("running, tool Shell npm test");
    const over = { endedAtMs: NOW - 100 };
    expect(stand(done, { ...typed, ...shells(shell(2.9, over)) })).toBe("running, thinking");
    // Another, and one of before.
    for (const one of [shell(2.9, { ...over, command: "ls" }), shell(3.1, over)])
      expect(stand(done, { ...typed, ...shells(one) })).toBe("running, tool Shell npm test");
  });

  it("is that nobody is asked, where no registry says so (2.1.110)", () => {
    const silent = { entry: registered({}), lives: true };
    expect(stand(begun, silent)).toBe("running, tool Bash npm test, or asks");
    expect(stand(begun, { ...silent, shells: [shell(1.9)] })).toBe("running, tool Bash npm test");
  });

  it("is that it was answered, before its registry says so (2.1.170)", () => {
    const statusUpdatedAt = NOW - 1_000;
    const asks = registered({ status: "waiting", waitingFor: "permission prompt", statusUpdatedAt });
    const standing = (of: object[], ...shells: ClientShell[]) =>
      stand(of, { entry: asks, lives: true, shells });
    const waits = "waiting, permission Bash npm test";
    expect(standing(begun)).toBe(waits);
    expect(standing(begun, shell(0.1))).toBe("running, tool Bash npm test");
    // Another call is asked about, or an agent's, or it ran when the client began to ask; and the registry has the last word.
    const other = { ...bash, id: "toolu_2", input: { command: "npm start" } };
    expect(standing([user(5, "test it"), answer(2, [bash, other])], shell(0.1))).toMatch(/^waiting/);
    const launched = { ...user(3, [result]), toolUseResult: { status: "async_launched", agentId: "a1" } };
    expect(standing([user(5, "test it"), launched, answer(2, [bash])], shell(0.1))).toMatch(/^waiting/);
    expect(stand(begun, { entry: asks, lives: true, shells: [shell(0.1)], agentsAgo: 1 })).toBe(waits);
    expect(standing(begun, shell(0.5, { afterMs: NOW - 1_100 }))).toBe(waits);
    expect(standing(begun, shell(0.5, { afterMs: null }))).toBe(waits);
    const earlier = { ...asks, statusSinceMs: NOW - 1_800 };
    expect(stand(begun, { entry: earlier, lives: true, shells: [shell(1.6)] })).toBe(waits);
  });

  it("is nothing where it waits, has ended, or is another's", () => {
    const waiting = registered({ status: "waiting", waitingFor: "permission prompt", statusUpdatedAt: NOW });
    const news = [shell(0.2, { command: "npm start" })];
    expect(stand([user(5, "test it")], { entry: waiting, lives: true, shells: news })).not.toContain("tool");
    expect(stand(begun, { ...shells(shell(1.9, { endedAtMs: NOW })), lives: false })).toBe(
      "interrupted, tool Bash npm test, gone",
    );
  });
});
