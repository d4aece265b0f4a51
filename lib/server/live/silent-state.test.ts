import { describe, expect, it } from "vitest";
import {
  answerLine,
  answerText,
  BASH_CALL,
  BASH_RESULT,
  LOOKED_AT_MS,
  liveStateOf,
  registryEntry,
  secondsBefore,
  standOf,
  userLine,
} from "@/lib/testing/live/live-stand";
import type { SeenClient } from "./told/asked-calls";
import type { ClientRest } from "./told/client-rests";
import type { ClientShell } from "./told/client-shells";

describe("what the process of a client tells that registers nothing", () => {
  const at = (secondsAgo: number) => LOOKED_AT_MS - secondsAgo * 1_000;
  const client = (rest: ClientRest | null = null, more: Partial<SeenClient> = {}): SeenClient => {
    return { pid: 12, lives: true, wroteAtMs: 0, rest, isConnected: () => null, ...more };
  };
  const rests = (secondsAgo: number) => client({ fromMs: at(secondsAgo), is: "resting" });
  const works = client({ fromMs: null, is: "working" });
  const shell = (more: Partial<ClientShell> = {}): ClientShell => {
    return { command: "npm test", seenAtMs: at(2), afterMs: at(2) - 50, endedAtMs: null, ...more };
  };
  const call = (name: string, id = "t1") => ({ type: "tool_use", id, name, input: { file_path: "a.ts" } });
  const begun = [userLine(20, "test it"), answerLine(5, [BASH_CALL])];
  const orAsks = "running, tool Bash npm test, or asks";
  const asks = "waiting, permission Bash npm test";

  it("is that it has ended, or broke off", () => {
    const ended = client(null, { lives: false });
    const answered = [userLine(9, "a"), answerLine(5, [answerText("b")], "end_turn")];
    expect(standOf(answered, { client: ended })).toBe("ended");
    expect(liveStateOf(answered, { client: ended }).pid).toBe(null);
    expect(standOf(begun, { client: ended })).toBe("interrupted, tool Bash npm test, gone");
  });

  it("is that it is open, however long ago it wrote its last line", () => {
    const answered = [userLine(9_000, "a"), answerLine(8_000, [answerText("b")], "end_turn")];
    expect(standOf(answered)).toBe("ended");
    expect(standOf(answered, { client: client() })).toBe("idle");
    expect(liveStateOf(answered, { client: client() }).pid).toBe(12);
    expect(standOf([userLine(9_000, "a"), answerLine(8_000, [BASH_CALL])], { client: client() })).toBe(
      orAsks,
    );
  });

  it("is that its turn is over, once it has been at rest since", () => {
    const answered = [userLine(9, "a"), answerLine(4, [answerText("b")])];
    expect(standOf(answered, { client: client() })).toBe("unknown, answered");
    expect(standOf(answered, { client: rests(5) })).toBe("unknown, answered");
    expect(standOf(answered, { client: rests(3) })).toBe("idle");
    // What it is typed in later changes nothing.
    expect(standOf(answered, { client: client({ fromMs: at(3), is: "working" }) })).toBe("idle");
    expect(standOf(answered, { client: { ...rests(3), wroteAtMs: at(2) } })).toBe("unknown, answered");
  });

  it("is that it thinks, from when it notes its files for a prompt that is not in its log yet", () => {
    const answered = [userLine(9, "a"), answerLine(8, [answerText("b")])];
    const noted = (isSnapshotUpdate: boolean, secondsAgo = 0.3) => ({
      type: "file-history-snapshot",
      snapshot: { trackedFileBackups: {}, timestamp: secondsBefore(secondsAgo) },
      isSnapshotUpdate,
    });
    expect(standOf([...answered, noted(false)], { client: rests(5) })).toBe("running, thinking");
    expect(standOf([...answered, noted(true)], { client: rests(5) })).toBe("idle");
    // Of a command that it answered itself: it has drawn that, and rests.
    expect(standOf([...answered, noted(false, 1)], { client: rests(0.5) })).toBe("idle");
    const local = { type: "system", subtype: "local_command", timestamp: secondsBefore(0.2) };
    expect(standOf([...answered, noted(false), local], { client: rests(5) })).toBe("idle");
    expect(standOf([...answered, noted(false, 2)], { client: rests(5) })).toBe("idle");
    expect(standOf([...begun, noted(false)], { client: works })).toBe(orAsks);
    // Whose turn it was before is over, as for all that is typed; and a log may begin with a command.
    const typing = userLine(0.2, "<command-name>/cost</command-name>");
    expect(standOf([...answered, noted(false), typing], { client: works })).toBe("idle");
    expect(standOf([typing, noted(false, 0.1)], { client: rests(5) })).toBe("running, thinking");
    expect(standOf([typing], { client: rests(5) })).toBe("idle");
    // 2.0.76, 2.1.90
    for (const text of ["Unknown slash command: greet", "Unknown skill: greet"])
      expect(standOf([...answered, noted(false), userLine(0.2, text)], { client: works })).toBe("idle");
  });

  it("is that a prompt was taken back: it is at rest, and nothing is connected that could answer", () => {
    const asked = [userLine(9, "a"), answerLine(8, [answerText("b")]), userLine(5, "c")];
    const given = (isConnected: boolean | null, rest = rests(3)) => {
      return { client: { ...rest, isConnected: () => isConnected } };
    };
    expect(standOf(asked, given(false))).toBe("idle");
    // Its person may be reading the transcript.
    expect(standOf(asked, given(true))).toBe("running, thinking");
    expect(standOf(asked, given(null))).toBe("running, thinking");
    // It is not looked at any more.
    expect(standOf(asked, given(false, client({ fromMs: at(3), is: null })))).toBe("idle");
    // A request that has failed is tried again.
    expect(standOf(asked, given(false, works))).toBe("running, thinking");
    expect(standOf(asked, given(false, rests(6)))).toBe("running, thinking");
    expect(standOf(begun, given(false, rests(6)))).toBe(orAsks);
  });

  it("is not that it thinks about a refusal, unless that says what to do instead", () => {
    const refused = (more: string, is_error = true) => {
      const content = `The user doesn't want to proceed with this tool use. The tool use was rejected. ${more}`;
      return userLine(1, [{ ...BASH_RESULT, content, is_error }]);
    };
    const stopped = "STOP what you are doing and wait for the user to tell you how to proceed.";
    expect(standOf([...begun, refused(stopped)], { client: client() })).toBe("idle");
    // What a command printed.
    expect(standOf([...begun, refused(stopped, false)], { client: client() })).toBe("running, thinking");
    const instead = refused("To tell you how to proceed, the user said:\nuse make");
    expect(standOf([...begun, instead], { client: client() })).toBe("running, thinking");
  });

  it("is that it asks: nothing is drawn, and its command does not run", () => {
    expect(standOf(begun, { client: client() })).toBe(orAsks);
    expect(standOf(begun, { client: rests(6) })).toBe(orAsks);
    expect(standOf(begun, { client: rests(4) })).toBe(asks);
    expect(standOf(begun, { client: client({ fromMs: at(4), is: "working" }) })).toBe(orAsks);
    expect(standOf([userLine(9, "a"), answerLine(5, [call("Write")])], { client: rests(4) })).toBe(
      "waiting, permission Write a.ts",
    );
  });

  it("is not that it asks about what may take any time: its person may be reading the transcript", () => {
    for (const name of ["WebFetch", "mcp__shop__price"])
      expect(standOf([userLine(9, "a"), answerLine(5, [call(name)])], { client: rests(4) })).toMatch(
        /^running.*or asks$/,
      );
    const both = [userLine(9, "a"), answerLine(5, [BASH_CALL, call("mcp__shop__price", "t2")])];
    expect(standOf(both, { client: rests(4) })).toMatch(/^running.*or asks$/);
  });

  it("is not that it asks while a command runs, or has just ended, unless that is of a call of before", () => {
    expect(standOf(begun, { client: rests(4), shells: [shell()] })).toBe("running, tool Bash npm test");
    expect(standOf(begun, { client: rests(4), shells: [shell({ command: "other" })] })).toBe(orAsks);
    expect(
      standOf(begun, { client: rests(4), shells: [shell({ command: "other", endedAtMs: at(1) })] }),
    ).toBe(orAsks);
    const serve = { type: "tool_use", id: "t0", name: "Bash", input: { command: "npm start" } };
    const result = { ...BASH_RESULT, tool_use_id: "t0" };
    const serving = [userLine(90, "a"), answerLine(80, [serve]), userLine(79, [result]), ...begun.slice(1)];
    const server = shell({ command: "npm start", seenAtMs: at(80), afterMs: at(81) });
    expect(standOf(serving, { client: rests(4), shells: [server] })).toBe(asks);
  });

  it("is that nobody is asked while it draws and a command runs, also of several", () => {
    const other = { ...BASH_CALL, id: "toolu_2", input: { command: "npm start" } };
    const two = [userLine(9, "a"), answerLine(5, [BASH_CALL, other])];
    expect(standOf(two, { client: client(), shells: [shell()] })).toMatch(/or asks$/);
    expect(standOf(two, { client: works, shells: [shell()] })).toBe("running, tool Bash npm start");
    expect(standOf(two, { client: works, shells: [shell({ endedAtMs: at(0.1) })] })).toMatch(/or asks$/);
  });

  it("is that an agent asks, in the foreground or the background", () => {
    const task = { type: "tool_use", id: "t1", name: "Task", input: { description: "look" } };
    const out = [userLine(20, "a"), answerLine(10, [task])];
    const soon = { askingAgo: 5, soonOver: true, client: rests(4) };
    expect(standOf(out, soon)).toBe("waiting, permission Task look");
    expect(standOf(out, { ...soon, soonOver: false })).toMatch(/^running.*or asks$/);
    expect(standOf(out, { ...soon, client: rests(6) })).toMatch(/^running.*or asks$/);
    expect(standOf(out, { ...soon, client: works, shells: [shell()] })).toBe("running, tool Task look");
    const launched = {
      ...userLine(9, [{ ...BASH_RESULT, tool_use_id: "t1" }]),
      toolUseResult: { status: "async_launched", agentId: "a1" },
    };
    const inBackground = [...out, launched, answerLine(8, [answerText("b")], "end_turn")];
    expect(standOf(inBackground, soon)).toBe("waiting, permission for an agent");
  });

  it("is nothing where the client speaks for itself", () => {
    const entry = registryEntry({ status: "busy", statusUpdatedAt: at(4) });
    expect(standOf(begun, { entry, lives: true })).toBe("running, tool Bash npm test");
  });
});
