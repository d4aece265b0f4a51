import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";
import { ViewFeed } from "../live/view-feed";
import { agentEntries } from "./answers/agent-entries";
import { detailOf } from "./answers/session-detail";
import { rowsOf } from "./answers/session-rows";
import { fileAt } from "./files/session-files";
import { SessionCache } from "./session-cache";

const SESSION = "5e551011-0000-4000-8000-000000000000";
const ID = SESSION as SessionId;
const ALL = {
  branch: null,
  detail: "tools",
  fold: [],
  runs: null,
  from: 0,
  count: 1_000,
  around: null,
} as const;

let dir: string;
let log: string;
let catalog: Catalog;
let cache: SessionCache;
let scans: number;
let lines: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "backscroll-growing-"));
  log = join(dir, "projects", "-home-dev-shop", `${SESSION}.jsonl`);
  mkdirSync(dirname(log), { recursive: true });
  lines = 0;
  scans = 0;
  write(log, { type: "user", message: { content: "begin" } });
  catalog = new Catalog([{ path: dir, kind: "config" }]);
  await catalog.list();
  cache = new SessionCache(catalog, {
    scan(request, onProgress) {
      scans += 1;
      return scan(request, onProgress);
    },
  });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(path: string, record: object, more: object = {}): string {
  lines += 1;
  const uuid = `u${lines}`;
  const parentUuid = lines > 1 && path === log ? `u${lines - 1}` : null;
  const timestamp = new Date(1_760_000_000_000 + lines * 1000).toISOString();
  const base = { uuid, parentUuid, timestamp, sessionId: SESSION, cwd: "/home/dev/shop", ...more };
  appendFileSync(path, `${JSON.stringify({ ...base, ...record })}\n`);
  return uuid;
}

const say = (text: string) => ({
  type: "assistant",
  message: {
    id: `m${lines}`,
    model: "claude-x",
    content: [{ type: "text", text }],
    usage: { output_tokens: 1 },
  },
});
const call = (id: string, name = "Bash") => ({
  type: "assistant",
  message: {
    id: `m${lines}`,
    content: [{ type: "tool_use", id, name, input: { command: "ls", prompt: "look" } }],
  },
});
const result = (id: string) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, content: "done" }] },
});

async function rows(agent: AgentId | null = null): Promise<string[]> {
  const answer = await rowsOf(await cache.latest(ID), { ...ALL, fold: [], agent });
  return answer.rows.map((row) =>
    row.kind === "text" ? row.text.text : row.kind === "tool" ? `${row.name} ${row.state}` : row.kind,
  );
}

test("appended lines are read, and nothing is scanned again", async () => {
  expect(await rows()).toEqual(["turn"]);
  write(log, say("one"));
  appendFileSync(log, '{"type":"assistant",');
  expect(await rows()).toEqual(["turn", "one"]);
  appendFileSync(
    log,
    '"uuid":"h","parentUuid":"u2","message":{"id":"h","content":[{"type":"text","text":"half"}]}}\n',
  );
  write(log, say("two"), { parentUuid: "h" });
  expect(await rows()).toEqual(["turn", "one", "half", "two"]);
  expect(scans).toBe(1);
});

test("many megabytes are read in steps, or scanned if that costs no more", async () => {
  const long = "x".repeat(400 << 10);
  for (let n = 0; n < 12; n++) write(log, say(`${n} ${long}`));
  expect((await rows()).length).toBe(13);
  expect(scans).toBe(1);
  for (let n = 12; n < 22; n++) write(log, say(`${n} ${long}`));
  const numbers = (await rows()).flatMap((row) => /^\d+/.exec(row)?.[0] ?? []);
  expect(numbers).toEqual(Array.from({ length: 22 }, (_, n) => String(n)));
  expect(scans).toBe(1);
  for (let n = 22; n < 42; n++) write(log, say(`${n} ${long}`));
  expect((await rows()).length).toBe(43);
  expect(scans).toBe(1);
  for (let n = 42; n < 100; n++) write(log, say(`${n} ${long}`));
  expect((await rows()).length).toBe(101);
  expect(scans).toBe(2);
});

test("a line longer than a step is scanned, and reading continues after it", async () => {
  const long = "x".repeat(400 << 10);
  for (let n = 0; n < 12; n++) write(log, say(`${n} ${long}`));
  expect((await rows()).length).toBe(13);
  write(log, say("x".repeat(2 << 20)));
  for (let n = 0; n < 4; n++) write(log, say(`${n} ${long}`));
  expect((await rows()).length).toBe(18);
  expect(scans).toBe(2);
  write(log, say("last"));
  expect((await rows()).at(-1)).toBe("last");
  expect(scans).toBe(2);
});

test("a log that was cut or replaced is scanned again", async () => {
  write(log, say("one"));
  expect(await rows()).toEqual(["turn", "one"]);
  truncateSync(log, 0);
  lines = 0;
  write(log, { type: "user", message: { content: "again, and with other words" } });
  expect(await rows()).toEqual(["turn"]);
  renameSync(log, `${log}.old`);
  writeFileSync(log, "");
  lines = 0;
  write(log, { type: "user", message: { content: "begin" } });
  write(log, say("other"));
  expect(await rows()).toEqual(["turn", "other"]);
  expect(scans).toBe(3);
});

test("a later agent is joined to its call, before or after its meta file exists", async () => {
  write(log, call("toolu_1", "Agent"));
  expect(await rows()).toEqual(["turn", "Agent no-result"]);
  const path = join(dirname(log), SESSION, "subagents", "agent-a11a11a.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  const more = { isSidechain: true, agentId: "a11a11a" };
  write(path, { type: "user", message: { content: "another prompt than the call's" } }, more);
  await catalog.list();
  expect(agentEntries(await cache.latest(ID)).map(({ parentToolUseId }) => parentToolUseId)).toEqual([null]);
  writeFileSync(
    path.replace(".jsonl", ".meta.json"),
    JSON.stringify({ toolUseId: "toolu_1", description: "look" }),
  );
  write(path, say("found"), more);
  await catalog.list();
  const session = await cache.latest(ID);
  expect(agentEntries(session)).toHaveLength(1);
  expect(session.graph.threads[1]?.call).toBe(0);
  expect(await rows("a11a11a" as AgentId)).toEqual(["turn", "found"]);
  expect(scans).toBe(1);
});

test("an agent's report is its return, also as the first line that is read on", async () => {
  const path = join(dirname(log), SESSION, "subagents", "agent-a11a11a.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  write(log, call("toolu_1", "Agent"));
  const launched = { status: "async_launched", isAsync: true, agentId: "a11a11a", prompt: "look" };
  const launch = write(log, { ...result("toolu_1"), toolUseResult: launched });
  write(path, { type: "user", message: { content: "look" } }, { isSidechain: true, agentId: "a11a11a" });
  await catalog.list();
  const states = async () => agentEntries(await cache.latest(ID)).map(({ state }) => state);
  expect(await states()).toEqual(["unknown"]);
  const report =
    "<task-notification>\n<task-id>a11a11a</task-id>\n<status>completed</status>\n<result>found</result>\n</task-notification>";
  const origin = { kind: "task-notification" };
  write(log, { type: "user", origin, message: { content: report } }, { parentUuid: launch });
  expect(await states()).toEqual(["done"]);
  expect(await rows()).toEqual(["turn", "Agent ok", "agent-return"]);
  expect(scans).toBe(1);
});

test("readers are notified of a result far below its call", async () => {
  write(log, call("toolu_1"));
  for (let n = 0; n < 60; n++) write(log, say(`text ${n}`));
  const feed = new ViewFeed(
    { branch: null, agent: null, detail: "tools", fold: "", runs: null },
    { fold: [], runs: null },
  );
  await feed.advance(ID, await cache.latest(ID), null);
  write(log, say("the last"));
  await feed.advance(ID, await cache.latest(ID), null);
  write(log, result("toolu_1"));
  const told = await feed.advance(ID, await cache.latest(ID), null);
  expect(told.map(summary)).toEqual([
    [
      ["turn", 0],
      ["tool ok", 1],
    ],
  ]);
  expect(scans).toBe(1);
});

test("a line without a time is as late as the one before it in its log, whatever an agent wrote between them", async () => {
  const path = join(dirname(log), SESSION, "subagents", "agent-a11a11a.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  const more = { isSidechain: true, agentId: "a11a11a" };
  write(path, { type: "user", message: { content: "look" } }, more);
  const input = { file_path: "/home/dev/shop/cart.ts" };
  write(log, {
    type: "assistant",
    message: { id: "m", content: [{ type: "tool_use", id: "toolu_1", name: "Read", input }] },
  });
  write(log, {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "1\ta" }] },
  });
  await catalog.list();
  await cache.latest(ID);
  write(path, say("found"), more);
  await cache.latest(ID);
  const note = write(log, { type: "system", subtype: "informational", content: "x", timestamp: undefined });
  const session = await cache.latest(ID);
  const at = session.recordId(session.findUuid(note));
  const file = await fileAt(session, catalog.surroundings(ID), input.file_path, at);
  expect([file.content, scans]).toEqual(["a", 1]);
});

function summary(event: LiveEvent): [string, number][] {
  if (event.kind !== "rows") return [];
  return event.rows.map(([index, row]) => [row.kind === "tool" ? `tool ${row.state}` : row.kind, index]);
}

test("its logs match the listing, even if the last bytes are no record", async () => {
  await cache.latest(ID);
  write(log, say("one"));
  const session = await cache.latest(ID);
  appendFileSync(log, "a line that is not done");
  await catalog.refresh(ID);
  const { logs } = await detailOf(catalog, session, null);
  expect(logs).toEqual([{ path: expect.stringContaining(SESSION), bytes: statSync(log).size, records: 2 }]);
});
