import { describe, expect, it } from "vitest";
import {
  answerLine,
  answerText,
  BASH_CALL,
  BASH_RESULT,
  doesSince,
  LOOKED_AT_MS,
  liveStateOf,
  registryEntry,
  secondsBefore,
  standOf,
  userLine,
} from "@/lib/testing/live/live-stand";
import { isInProgress } from "@/lib/wire/library";

describe("how a session stands, from its records", () => {
  it("runs while a call has no result, and thinks after one", () => {
    expect(standOf([userLine(30, "test it"), answerLine(20, [BASH_CALL])])).toBe(
      "running, tool Bash npm test, or asks",
    );
    const look = { type: "tool_use", id: "toolu_3", name: "Grep", input: { pattern: "retry" } };
    expect(standOf([userLine(30, "test it"), answerLine(20, [look])])).toBe("running, tool Grep retry");
    // By its earlier name (1.0.128) as by that of today.
    for (const name of ["KillBash", "KillShell"]) {
      const stop = { ...BASH_CALL, name, input: { shell_id: "b1f" } };
      expect(standOf([userLine(30, "stop it"), answerLine(20, [stop])])).toBe(`running, tool ${name} b1f`);
    }
    const progress = { type: "progress", timestamp: secondsBefore(5), parentToolUseID: "toolu_1" };
    const output = { ...progress, data: { type: "bash_progress", fullOutput: "12 passed" } };
    expect(standOf([answerLine(20, [BASH_CALL]), output])).toBe("running, tool Bash npm test");
    expect(standOf([answerLine(20, [BASH_CALL]), userLine(5, [BASH_RESULT])])).toBe("running, thinking");
    expect(standOf([userLine(5, "test it")])).toBe("running, thinking");
  });

  it("does nothing where its lines are a year ahead, as after the clock was set back, or a year old", () => {
    const launched = {
      ...userLine(0, [BASH_RESULT]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    const standAt = (yearsAhead: number) => {
      const at = (seconds: number) => seconds - yearsAhead * 365 * 86_400;
      const timestamp = secondsBefore(at(55));
      const done = answerLine(at(50), [answerText("It looks around")], "end_turn");
      return [
        standOf([userLine(at(60), "test it"), answerLine(at(20), [BASH_CALL])]),
        standOf([userLine(at(60), "look"), { ...launched, timestamp }, done]),
      ];
    };
    expect(standAt(0)).toEqual([
      expect.stringMatching(/^running, tool Bash/),
      expect.stringMatching(/^running, agents/),
    ]);
    for (const years of [1, -1])
      expect(standAt(years).filter((stand) => stand.startsWith("running"))).toEqual([]);
  });

  it("goes on where it was written to since the clock was set back", () => {
    const ahead = [userLine(-3_600, "test it"), answerLine(-3_590, [answerText("Done")], "end_turn")];
    expect(standOf([...ahead, userLine(5, "go on")])).toBe("running, thinking");
    expect(standOf([...ahead, userLine(5, "go on"), answerLine(1, [BASH_CALL])])).toMatch(
      /^running, tool Bash/,
    );
    const done = answerLine(1, [answerText("Done")], "end_turn");
    expect(standOf([...ahead, userLine(5, "go on"), done])).toBe("idle");
    // Some lines are always a little out of order.
    expect(standOf([userLine(2, "test it"), answerLine(4, [BASH_CALL])])).toMatch(/^running, tool Bash/);
  });

  it("thinks about what was typed before its log has it, and compacts until the log says so (2.0.76)", () => {
    const done = [userLine(60, "test it"), answerLine(50, [answerText("Done")], "end_turn")];
    expect(standOf(done)).toBe("idle");
    expect(standOf(done, { typedAgo: 1 })).toBe("running, thinking");
    // It came to nothing, as where a hook stopped it, or is older than what the log tells of.
    expect(standOf(done, { typedAgo: 5 })).toBe("idle");
    expect(standOf(done, { typedAgo: 55, compacts: true })).toBe("idle");
    expect(standOf(done, { typedAgo: 40, compacts: true })).toBe("running, thinking");
    expect(standOf([...done, userLine(1, "[Request interrupted by user]")], { typedAgo: 0.5 })).toBe(
      "running, thinking",
    );
    const error = userLine(2, "<local-command-stderr>Error: Compaction canceled.</local-command-stderr>");
    expect(standOf([...done, error], { typedAgo: 40, compacts: true })).toBe("idle");
    // A turn that goes on, and a client that says itself what it does.
    expect(standOf([userLine(60, "test it"), answerLine(50, [BASH_CALL])], { typedAgo: 1 })).toMatch(
      /^running, tool Bash/,
    );
    const entry = registryEntry({ status: "idle", statusUpdatedAt: LOOKED_AT_MS - 40_000 });
    expect(standOf(done, { entry, lives: true, typedAgo: 1 })).toBe("idle");
    // It stays `busy` while agents run, and says nothing of a prompt that is typed meanwhile (2.1.330).
    const launched = {
      ...userLine(55, [BASH_RESULT]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    const out = [userLine(60, "look"), launched, answerLine(50, [answerText("It looks around")], "end_turn")];
    const busy = {
      entry: registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 60_000 }),
      lives: true,
    };
    expect(standOf(out, { ...busy, agentsAgo: 5 })).toBe("running, agents 1 agent");
    expect(standOf(out, { ...busy, agentsAgo: 5, typedAgo: 0.2 })).toBe("running, thinking");
  });

  it("does nothing where what was typed comes to the history only when it was answered (2.0.42)", () => {
    const typed = { typedAgo: 0.4, words: "test it" };
    const done = [userLine(6, "test it"), answerLine(1, [answerText("Done")], "end_turn")];
    expect(standOf(done, typed)).toBe("idle");
    const stopped = [userLine(6, "test it"), userLine(1, "[Request interrupted by user]")];
    expect(standOf(stopped, typed)).toBe("interrupted");
    const compacted = [
      {
        type: "system",
        subtype: "compact_boundary",
        timestamp: secondsBefore(2),
        uuid: "c",
        compactMetadata: { trigger: "manual" },
      },
      userLine(4, "<command-name>/compact</command-name>"),
      userLine(1.5, "<local-command-stdout>Compacted</local-command-stdout>"),
    ];
    expect(standOf(compacted, { typedAgo: 1, compacts: true, words: "/compact" })).toBe("idle");
    const ran = [
      userLine(6, "<bash-input>npm test</bash-input>"),
      userLine(1, "<bash-stdout>ok</bash-stdout>"),
    ];
    expect(standOf([...done, ...ran], { typedAgo: 0.4, shell: "npm test", words: "!npm test" })).toBe("idle");
    // Something else, or the same again.
    expect(standOf(done, { ...typed, words: "go on" })).toBe("running, thinking");
    const long = [userLine(60, "test it"), answerLine(50, [answerText("Done")], "end_turn")];
    expect(standOf(long, typed)).toBe("running, thinking");
  });

  it("runs a command that was typed for the shell until the log has its output (2.0.76–2.1.330)", () => {
    const done = [userLine(60, "test it"), answerLine(50, [answerText("Done")], "end_turn")];
    const typed = { typedAgo: 40, shell: "npm test" };
    const busy = {
      entry: registryEntry({ status: "busy", statusUpdatedAt: LOOKED_AT_MS - 40_000 }),
      lives: true,
    };
    for (const known of [{}, busy]) {
      expect(standOf(done, { ...known, ...typed })).toBe("running, tool Shell npm test");
      expect(doesSince(done, { ...known, ...typed })).toBe("tool for 40 s");
    }
    // Both lines come when it is over; from 2.1.330 on the model answers them.
    const ran = [
      ...done,
      userLine(40, "<bash-input>npm test</bash-input>"),
      userLine(1, "<bash-stdout>ok</bash-stdout>"),
    ];
    expect(standOf(ran, typed)).toBe("idle");
    expect(standOf(ran, { ...busy, ...typed })).toBe("running, thinking");
    // What is typed meanwhile waits, and says nothing of it.
    const queue = {
      type: "queue-operation",
      operation: "enqueue",
      timestamp: secondsBefore(10),
      content: "go on",
    };
    expect(standOf([...done, queue], { ...busy, ...typed })).toBe("running, tool Shell npm test");
    // What is typed while the model works waits for it, and a client that rests runs nothing.
    expect(standOf([userLine(60, "test it"), answerLine(50, [BASH_CALL])], { ...busy, ...typed })).toMatch(
      /Bash npm test$/,
    );
    const idle = registryEntry({ status: "idle", statusUpdatedAt: LOOKED_AT_MS - 1_000 });
    expect(standOf(done, { entry: idle, lives: true, ...typed })).toBe("idle");
  });

  it("runs or asks while an agent of its call may be asking (2.0.76)", () => {
    const task = { type: "tool_use", id: "toolu_4", name: "Task", input: { description: "Look around" } };
    const lines = [userLine(30, "look"), answerLine(20, [task])];
    expect(standOf(lines)).toBe("running, tool Task Look around");
    expect(standOf(lines, { askingAgo: 5 })).toBe("running, tool Task Look around, or asks");
    // An agent of before, whose call was interrupted, has no result of it either.
    expect(standOf(lines, { askingAgo: 25 })).toBe("running, tool Task Look around");
    // One that runs in the background.
    const launched = {
      ...userLine(15, [{ ...BASH_RESULT, tool_use_id: "toolu_4" }]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    const out = [...lines, launched, answerLine(14, [answerText("It looks around")], "end_turn")];
    expect(standOf(out, { agentsAgo: 5 })).toBe("running, agents 1 agent");
    expect(standOf(out, { agentsAgo: 5, askingAgo: 5 })).toBe("running, agents 1 agent, or asks");
  });

  it("asks when its call is a question", () => {
    const question = { type: "tool_use", id: "toolu_2", name: "AskUserQuestion", input: { questions: [] } };
    expect(standOf([answerLine(5, [question])])).toMatch(/^waiting, question AskUserQuestion/);
  });

  it("is at rest when the model has ended its turn, and over when nobody came back", () => {
    expect(standOf([userLine(30, "hi"), answerLine(20, [answerText("Done")], "end_turn")])).toBe("idle");
    expect(standOf([userLine(3000, "hi"), answerLine(2000, [answerText("Done")], "end_turn")])).toBe("ended");
  });

  it("is not known to go on after a text whose message has no end (up to 2.1.42)", () => {
    expect(standOf([answerLine(2, [answerText("I will look")])])).toBe("unknown, answered");
    // What an agent writes meanwhile tells nothing of it: 2.0.0 warms some up.
    expect(standOf([answerLine(20, [answerText("Done")])], { agentsAgo: 1 })).toBe("idle");
    expect(standOf([answerLine(60, [answerText("Done")])])).toBe("idle");
    expect(isInProgress(liveStateOf([answerLine(2, [answerText("I will look")])]))).toBe(true);
    expect(isInProgress(liveStateOf([{ type: "summary", summary: "Retries", leafUuid: "u" }]))).toBe(false);
  });

  it("waits for its person once it was compacted for them", () => {
    const boundary = (trigger: string) => ({
      type: "system",
      subtype: "compact_boundary",
      timestamp: secondsBefore(2),
      uuid: "c",
      compactMetadata: { trigger, preTokens: 9 },
    });
    const summary = { ...userLine(2, "This session is being continued"), isCompactSummary: true };
    const asked = [userLine(30, "hi"), answerLine(20, [BASH_CALL]), userLine(10, [BASH_RESULT])];
    expect(standOf([...asked, boundary("manual"), summary])).toBe("idle");
    expect(standOf([...asked, boundary("auto"), summary])).toBe("running, thinking");
    // 1.0.60 writes no boundary.
    const command = userLine(
      1,
      "<command-name>/compact</command-name>\n<command-message>compact</command-message>",
    );
    expect(standOf([userLine(30, "hi"), answerLine(3, [answerText("Hello")]), summary, command])).toBe(
      "idle",
    );
  });

  it("runs when a command of the person's own has gone to the model", () => {
    const greet = "<command-message>greet is running…</command-message>\n<command-name>/greet</command-name>";
    expect(standOf([answerLine(60, [answerText("Done")], "end_turn"), userLine(5, greet)])).toBe(
      "running, thinking",
    );
  });

  it("was interrupted, or is gone in the middle of a call", () => {
    expect(
      standOf([
        answerLine(20, [BASH_CALL]),
        userLine(10, [answerText("[Request interrupted by user for tool use]")]),
      ]),
    ).toBe("interrupted");
    expect(standOf([answerLine(4000, [BASH_CALL])])).toBe("interrupted, tool Bash npm test, gone");
  });

  it("does not wait for an answer to a command that the client answers itself", () => {
    const command = userLine(5, "<command-name>/cost</command-name>");
    expect(standOf([answerLine(60, [answerText("Done")], "end_turn"), command])).toBe("idle");
  });
});
