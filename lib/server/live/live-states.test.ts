import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import type { RootFolder } from "@/lib/server/runtime/config";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveCall, LiveState } from "@/lib/wire/live";
import { LiveStates } from "./live-states";
import { LogTail } from "./told/log-tail";

const SESSION = "11111111-2222-4333-8444-555555555555";
/** A namespace that is not this process's. */
const ELSEWHERE = "linux:0:pid:[1]";

let folder: string;
let logs: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-states-"));
  logs = join(folder, "projects", "-home-dev-shop");
  mkdirSync(logs, { recursive: true });
  mkdirSync(join(folder, "sessions"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

function line(minutesAgo: number, role: "user" | "assistant", content: unknown, more: object = {}): string {
  const message =
    role === "user" ? { role, content } : { role, id: "msg_1", model: "claude-opus-4-5", content };
  const base = {
    type: role,
    uuid: crypto.randomUUID(),
    parentUuid: null,
    isSidechain: false,
    sessionId: SESSION,
  };
  return `${JSON.stringify({ ...base, cwd: "/home/dev/shop", timestamp: ago(minutesAgo), message, ...more })}\n`;
}

function register(status: string, minutesAgo: number, more: object = {}): void {
  const ms = ago(minutesAgo).getTime();
  const entry = { pid: 4_194_000, sessionId: SESSION, startedAt: ms, status, statusUpdatedAt: ms, ...more };
  writeFileSync(join(folder, "sessions", "4194000.json"), JSON.stringify(entry));
}

/** The sessions of the folder, with what is told of them. */
async function openStates(
  onState: (state: LiveState) => unknown,
  onCalls: (id: SessionId, calls: LiveCall[]) => void = () => undefined,
): Promise<{ catalog: Catalog; states: LiveStates }> {
  const roots: RootFolder[] = [{ path: folder, kind: "config" }];
  const catalog = new Catalog(roots);
  await catalog.list();
  return { catalog, states: new LiveStates(catalog, roots, onState, onCalls) };
}

/** The same, with the calls that are told, each as `format` tells it. */
async function openCalls(format: (call: LiveCall) => string) {
  const told: string[] = [];
  const opened = await openStates(
    () => undefined,
    (_, calls) => void told.push(...calls.map(format)),
  );
  return { ...opened, told };
}

async function stands(): Promise<string> {
  let told: LiveState | null = null;
  const { states } = await openStates((state) => {
    if (state.sessionId.startsWith(SESSION)) told = state;
  });
  await states.start();
  const { state, doing, gone, checked } = told as unknown as LiveState;
  return [state, doing?.kind, gone ? "gone" : null, checked ? "checked" : null].filter(Boolean).join(", ");
}

it("looks at every session at the start, whatever becomes of one whose log the disk does not give", async () => {
  const other = SESSION.replaceAll("1", "6");
  for (const name of [SESSION, other]) writeFileSync(join(logs, `${name}.jsonl`), line(1, "user", "test it"));
  const { read } = LogTail.prototype;
  vi.spyOn(LogTail.prototype, "read").mockImplementation(function (this: LogTail, root, path) {
    const isBroken = path.includes(SESSION);
    return isBroken
      ? Promise.reject(Object.assign(new Error("i/o error"), { code: "EIO" }))
      : read.call(this, root, path);
  });
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { states } = await openStates(() => undefined);
  await states.start();
  expect(states.recent().map(({ sessionId }) => sessionId.slice(0, 36))).toEqual([other]);
  expect(reported).toHaveBeenCalledOnce();
});

it("knows nothing of a session any longer whose logs have been removed", async () => {
  const log = join(logs, `${SESSION}.jsonl`);
  writeFileSync(log, line(1, "user", "test it"));
  const { catalog, states } = await openStates(() => undefined);
  await states.start();
  const ids = states.recent().map(({ sessionId }) => sessionId);
  expect(ids).toHaveLength(1);
  rmSync(log);
  await catalog.list();
  await states.check(ids[0] as SessionId);
  expect([states.recent(), ids.map((id) => states.get(id))]).toEqual([[], [null]]);
});

it("tells of calls that a session begins after it was first looked at, and of those that fail, each once", async () => {
  const log = join(logs, `${SESSION}.jsonl`);
  const use = (id: string, command: string) =>
    line(1, "assistant", [{ type: "tool_use", id, name: "Bash", input: { command } }]);
  const result = (id: string, failed: boolean) =>
    line(1, "user", [{ type: "tool_result", tool_use_id: id, content: "", is_error: failed }]);
  writeFileSync(log, line(2, "user", "test it") + use("t1", "cat .env"));
  const { catalog, states, told } = await openCalls((call) => `${call.text} ${call.isNew} ${call.failed}`);
  const id = catalog.summaries()[0]?.id as SessionId;
  await states.check(id);
  expect(told).toEqual([]);
  appendFileSync(log, result("t1", false) + use("t2", "npm test"));
  await states.check(id);
  await states.check(id);
  appendFileSync(log, result("t2", true) + use("t3", "exit 1") + result("t3", true));
  await states.check(id);
  expect(told).toEqual(["npm test true false", "npm test false true", "exit 1 true true"]);
  // A log that was cut tells nothing of what is old.
  writeFileSync(log, line(2, "user", "test it") + use("t1", "cat .env"));
  await states.check(id);
  expect(told).toHaveLength(3);
});

it("tells of a call once, though two look at the session at the same time", async () => {
  const log = join(logs, `${SESSION}.jsonl`);
  writeFileSync(log, line(2, "user", "test it"));
  const { catalog, states, told } = await openCalls(({ text }) => text);
  const id = catalog.summaries()[0]?.id as SessionId;
  await states.check(id);
  appendFileSync(
    log,
    line(1, "assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }]),
  );
  await Promise.all([states.check(id), states.check(id), states.check(id)]);
  expect(told).toEqual(["npm test"]);
});

describe("many sessions that ended long ago", () => {
  const idOf = (n: number) => `11fe0000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const call = (n: number, nth: number, more = "", minutesAgo = 600) => {
    const input = { command: `run ${n} ${nth} ${more}` };
    return line(minutesAgo, "assistant", [{ type: "tool_use", id: `t${n}-${nth}`, name: "Bash", input }]);
  };

  async function check(count: number, text: (n: number) => string) {
    for (let n = 0; n < count; n++) writeFileSync(join(logs, `${idOf(n)}.jsonl`), text(n));
    const { catalog, states, told } = await openCalls((one) => one.text);
    const checkAll = async () => {
      for (const { id } of catalog.summaries()) await states.check(id);
    };
    return { states, told, checkAll };
  }

  it("all have their states, and of each is told what it calls when it goes on", async () => {
    const { states, told, checkAll } = await check(40, (n) => line(601, "user", "go") + call(n, 1));
    await checkAll();
    await checkAll();
    expect(states.recent().map(({ state }) => state)).toEqual(Array(40).fill("interrupted"));
    expect(told).toEqual([]);
    for (const n of [0, 20, 39]) {
      appendFileSync(join(logs, `${idOf(n)}.jsonl`), line(0, "user", "go on") + call(n, 2, "", 0));
      await states.check(idOf(n) as SessionId);
    }
    expect(told).toEqual([0, 20, 39].map((n) => `run ${n} 2 `));
    expect(states.active().map(({ sessionId }) => sessionId)).toEqual([0, 20, 39].map(idOf));
    expect(states.runningCalls(idOf(0) as SessionId)?.ids).toEqual(new Set(["t0-2"]));
  });

  it("take little memory", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { checkAll } = await check(200, (n) => {
      const calls = Array.from({ length: 40 }, (_, nth) => call(n, nth, `${n} ${nth} `.repeat(200)));
      return line(601, "user", "go") + calls.join("");
    });
    collect();
    const before = process.memoryUsage().heapUsed;
    await checkAll();
    collect();
    // With the ends of their logs it was 70 KB each.
    expect((process.memoryUsage().heapUsed - before) / 200).toBeLessThan(20_000);
  });
});

it("tells of calls of its agents, at any depth, each once, and of none that were there before", async () => {
  const log = join(logs, `${SESSION}.jsonl`);
  const agents = join(logs, SESSION, "subagents");
  mkdirSync(agents, { recursive: true });
  const of = { isSidechain: true };
  const use = (id: string, command: string) =>
    line(0, "assistant", [{ type: "tool_use", id, name: "Bash", input: { command } }], of);
  const result = (id: string, failed: boolean) =>
    line(0, "user", [{ type: "tool_result", tool_use_id: id, content: "", is_error: failed }], of);
  const [first, second] = [join(agents, "agent-a1.jsonl"), join(agents, "agent-a2.jsonl")];
  writeFileSync(log, line(2, "user", "test it"));
  writeFileSync(first, line(1, "user", "look", of) + use("t1", "cat .env"));
  const { catalog, states, told } = await openCalls(
    (call) => `${call.agentId} ${call.text} ${call.isNew} ${call.failed}`,
  );
  const id = catalog.summaries()[0]?.id as SessionId;
  const check = async () => {
    await states.check(id);
    return told.splice(0);
  };
  expect(await check()).toEqual([]);
  const half = use("t2", "npm test");
  appendFileSync(first, result("t1", true) + half.slice(0, 40));
  // What was begun before is not known here; half a line is none.
  expect(await check()).toEqual([]);
  appendFileSync(first, half.slice(40));
  expect(await check()).toEqual(["a1 npm test true false"]);
  expect(await check()).toEqual([]);
  appendFileSync(first, result("t2", true));
  // An agent that turns up later began later.
  writeFileSync(second, line(0, "user", "look", of) + use("t3", "git push"));
  await catalog.refresh(id);
  // Their logs are read side by side.
  expect((await check()).sort()).toEqual(["a1 npm test false true", "a2 git push true false"]);
  // Not so a copy of an old one, a log that was cut, and one that is gone.
  const old = join(agents, "agent-a3.jsonl");
  writeFileSync(old, use("t4", "rm -r /"));
  utimesSync(old, ago(60), ago(60));
  writeFileSync(first, use("t5", "ls"));
  rmSync(second);
  await catalog.refresh(id);
  expect(await check()).toEqual([]);
  appendFileSync(first, use("t6", "pwd"));
  expect(await check()).toEqual(["a1 pwd true false"]);
});

it("may be asking while an agent has a call open, be it from before it was looked at (2.0.76)", async () => {
  const agents = join(logs, SESSION, "subagents");
  mkdirSync(agents, { recursive: true });
  const of = { isSidechain: true };
  const use = (id: string, name: string) => [{ type: "tool_use", id, name, input: {} }];
  const result = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "" }];
  const task = line(0, "assistant", use("t1", "Task"));
  writeFileSync(join(logs, `${SESSION}.jsonl`), line(1, "user", "look around") + task);
  const agent = join(agents, "agent-a1.jsonl");
  writeFileSync(agent, line(0, "user", "look", of) + line(0, "assistant", use("t2", "Bash"), of));
  const { catalog, states } = await openStates(() => undefined);
  const id = catalog.summaries()[0]?.id as SessionId;
  const mayAsk = async () => {
    await states.check(id);
    return states.get(id)?.doing?.mayAsk;
  };
  expect(await mayAsk()).toBe(true);
  appendFileSync(agent, line(0, "user", result("t2"), of) + line(0, "assistant", use("t3", "Grep"), of));
  expect(await mayAsk()).toBe(false);
  appendFileSync(agent, line(0, "user", result("t3"), of) + line(0, "assistant", use("t4", "Bash"), of));
  expect(await mayAsk()).toBe(true);
});

describe("a session whose client cannot be looked at", () => {
  it("runs as long as there are signs of it, and then is what was last seen of it", async () => {
    const log = join(logs, `${SESSION}.jsonl`);
    writeFileSync(log, line(2, "user", "test it"));
    register("busy", 2, { pidDomain: ELSEWHERE });
    expect(await stands()).toBe("running, thinking");
    writeFileSync(log, line(240, "user", "test it"));
    register("busy", 240, { pidDomain: ELSEWHERE });
    expect(await stands()).toBe("interrupted, thinking, gone");
  });

  it("is not brought back to life by a copy of its files", async () => {
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(240, "user", "look around"));
    const agents = join(logs, SESSION, "subagents");
    mkdirSync(agents, { recursive: true });
    const of = { isSidechain: true, agentId: "a1" };
    writeFileSync(join(agents, "agent-a1.jsonl"), line(239, "user", "look", of));
    register("busy", 240, { pidDomain: ELSEWHERE });
    expect(await stands()).toBe("interrupted, thinking, gone");
  });

  it("runs while an agent of it writes", async () => {
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(60, "user", "look around"));
    const agents = join(logs, SESSION, "subagents");
    mkdirSync(agents, { recursive: true });
    const of = { isSidechain: true, agentId: "a1" };
    writeFileSync(join(agents, "agent-a1.jsonl"), line(1, "user", "look", of));
    register("busy", 60, { pidDomain: ELSEWHERE });
    expect(await stands()).toBe("running, thinking");
  });

  it("is gone for sure where its process could be looked at", async () => {
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(1, "user", "test it"));
    register("busy", 1, { pidDomain: "here" });
    expect(await stands()).toBe("interrupted, thinking, gone, checked");
  });
});

it("has no call open that an earlier client left, though another one goes on with the session", async () => {
  const call = [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "npm test" } }];
  const log = join(logs, `${SESSION}.jsonl`);
  writeFileSync(log, line(10, "user", "test it") + line(9, "assistant", call));
  const { catalog, states } = await openStates(() => undefined);
  const [id] = catalog.summaries().map((summary) => summary.id);
  const open = () => [...(states.runningCalls(id as SessionId)?.ids ?? [])];
  register("busy", 12, { pidDomain: ELSEWHERE });
  await states.start();
  expect(open()).toEqual(["toolu_1"]);
  register("busy", 1, { pidDomain: ELSEWHERE });
  await states.registryChanged().checked;
  expect([states.get(id as SessionId)?.state, open()]).toEqual(["running", []]);
});

it("compacts as soon as its person has asked for it, and rests when the log has it (2.0.76)", async () => {
  const log = join(logs, `${SESSION}.jsonl`);
  writeFileSync(log, line(2, "user", "test it") + line(1, "assistant", [{ type: "text", text: "Done" }]));
  const told: string[] = [];
  const { catalog, states } = await openStates(({ state, doing }) => told.push(`${state} ${doing?.kind}`));
  await states.start();
  const typed = { display: "/compact", timestamp: Date.now() - 100, sessionId: SESSION };
  writeFileSync(join(folder, "history.jsonl"), `${JSON.stringify(typed)}\n`);
  await states.promptsTyped();
  appendFileSync(log, line(0, "user", "<command-name>/compact</command-name>"));
  await states.check(catalog.summaries()[0]?.id as SessionId);
  expect(told).toEqual(["idle undefined", "running thinking", "idle undefined"]);
});

describe("a session whose client leaves", () => {
  async function watch() {
    const told: string[] = [];
    const { states } = await openStates(({ state, doing, gone, pid }) =>
      told.push([state, doing?.kind, gone ? "gone" : null, pid && "pid"].filter(Boolean).join(", ")),
    );
    await states.start();
    return { states, told };
  }
  const file = () => join(folder, "sessions", "4194000.json");
  const asks = { pidDomain: ELSEWHERE, waitingFor: "permission prompt" };

  it("has ended as soon as its entry has gone, though a call of it was asked about", async () => {
    const call = [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "npm test" } }];
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(1, "user", "test it") + line(1, "assistant", call));
    register("waiting", 1, asks);
    const { states, told } = await watch();
    expect(told).toEqual(["waiting, permission, pid"]);
    rmSync(file());
    await states.registryChanged().checked;
    expect(told.at(-1)).toBe("interrupted, tool, gone");
  });

  it("does not seem to have left while its entry is being written", async () => {
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(1, "user", "test it"));
    register("waiting", 1, asks);
    const { states, told } = await watch();
    const whole = readFileSync(file(), "utf8");
    for (const torn of ["", whole.slice(0, 40), whole.slice(0, -1)]) {
      writeFileSync(file(), torn);
      expect(states.registryChanged().torn).toBe(true);
    }
    writeFileSync(file(), whole);
    expect(states.registryChanged().torn).toBe(false);
    expect(told).toEqual(["waiting, permission, pid"]);
  });

  it("has ended when its client went on to another session (/clear)", async () => {
    const ended = [{ type: "text", text: "Done" }];
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(1, "user", "hi") + line(1, "assistant", ended));
    register("idle", 1, asks);
    const { states, told } = await watch();
    register("idle", 1, { ...asks, sessionId: "99999999-2222-4333-8444-555555555555" });
    await states.registryChanged().checked;
    expect(told).toEqual(["idle, pid", "ended"]);
  });

  it("is known from the start, however long ago it was written and however many were written since", async () => {
    for (let n = 0; n < 220; n++) {
      const other = `${String(n).padStart(8, "0")}-2222-4333-8444-555555555555`;
      writeFileSync(join(logs, `${other}.jsonl`), line(5, "user", "hi", { sessionId: other }));
    }
    writeFileSync(join(logs, `${SESSION}.jsonl`), line(60, "user", "test it"));
    register("waiting", 1, asks);
    const { states, told } = await watch();
    expect(told).toContain("waiting, permission, pid");
    expect(states.recent().length).toBe(201);
  });
});
