import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Scans } from "@/lib/server/index/scan-pool";
import { Catalog } from "@/lib/server/library/catalog";
import { scan } from "@/lib/server/scan/scanned-session";
import { settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { createSessions, type SessionQueries } from "./sessions";

const SESSION = "be610000-0000-4000-8000-000000000000";
const ID = SESSION as SessionId;
const FIRST: RowsQuery = {
  branch: null,
  agent: null,
  detail: "tools",
  fold: [],
  from: 0,
  count: 80,
  around: null,
  beginning: true,
};

/** More than is read of a beginning. */
const LARGE = "x".repeat(9 << 20);

let dir: string;
let lines: object[];
/** Ends the wait of all scans. */
let letScan: () => void;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "backscroll-beginning-"));
  lines = [];
});
afterEach(() => {
  letScan();
  rmSync(dir, { recursive: true, force: true });
});

test("a large session's first rows are known before it has been read", async () => {
  turn("Begin", "first.ts", "1");
  turn("Go on", "second.ts", LARGE);
  turn("End", "third.ts", "3");
  const sessions = await openHeld();
  const begun = await beginningOf(sessions, FIRST);
  expect(begun.rows.map(tell)).toEqual(["1 Begin: 1 call", "Read first.ts", "2 Go on: not known yet"]);
  expect(begun.total).toBe(3);

  letScan();
  const whole = await settled(() => sessions.rows(ID, FIRST));
  expect(whole.rows.map(tell)).toEqual([
    "1 Begin: 1 call",
    "Read first.ts",
    "2 Go on: 1 call",
    "Read second.ts",
    "3 End: 1 call",
    "Read third.ts",
  ]);
  expect(whole.rows.slice(0, 3).map(({ key }) => key)).toEqual(begun.rows.map(({ key }) => key));
  expect(whole.revision).toBeGreaterThanOrEqual(begun.revision);
});

test("a beginning is only given on request, and for no other view", async () => {
  turn("Begin", "first.ts", LARGE);
  const sessions = await openHeld();
  const begun = await beginningOf(sessions, FIRST);
  const later = begun.rows[0]?.recordId ?? null;
  const others: Partial<RowsQuery>[] = [
    { beginning: false },
    { from: 1 },
    { around: later },
    { branch: later as RowsQuery["branch"] },
    { fold: [1] },
    { agent: "a1" as RowsQuery["agent"] },
  ];
  for (const other of others) {
    const answer = await sessions.rows(ID, { ...FIRST, ...other });
    expect(Object.keys(answer), JSON.stringify(other)).toEqual(["scanning"]);
  }
  const minimap = await sessions.minimap(ID, { ...FIRST, find: [] });
  expect(Object.keys(minimap)).toEqual(["scanning"]);
});

test("a beginning without a prompt is not used, and a small session is read completely", async () => {
  lines.push({ type: "summary", summary: LARGE });
  turn("Begin", "first.ts", "1");
  const large = await openHeld();
  expect(Object.keys(await large.rows(ID, FIRST))).toEqual(["scanning"]);
  letScan();
  lines = [];
  turn("Begin", "first.ts", "1");
  const small = await openHeld();
  expect(Object.keys(await small.rows(ID, FIRST))).toEqual(["scanning"]);
});

/** A prompt, a call, and what it gave. */
function turn(prompt: string, file: string, content: string): void {
  const id = `toolu_${lines.length}`;
  message("user", prompt);
  message("assistant", [{ type: "tool_use", id, name: "Read", input: { file_path: file } }]);
  message("user", [{ type: "tool_result", tool_use_id: id, content }]);
}

function message(role: "user" | "assistant", content: unknown): void {
  const at = lines.length;
  const message = { role, content, ...(role === "assistant" && { id: `msg_${at}` }) };
  lines.push({ type: role, uuid: uuid(at), parentUuid: at > 0 ? uuid(at - 1) : null, message });
}

function uuid(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
}

/** Opens what has been written; scans wait for `letScan`. */
async function openHeld(): Promise<SessionQueries> {
  const log = join(dir, "projects", "-home-dev-shop", `${SESSION}.jsonl`);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const held = new Promise<void>((resolve) => {
    letScan = resolve;
  });
  const scans: Scans = {
    scan: async (request, onProgress) => {
      await held;
      return scan(request, onProgress);
    },
  };
  const catalog = new Catalog([{ path: dir, kind: "config" }]);
  await catalog.list();
  return createSessions(catalog, scans);
}

async function beginningOf(sessions: SessionQueries, query: RowsQuery): Promise<RowsResponse> {
  const answer = await sessions.rows(ID, query);
  if (!("scanning" in answer) || !answer.beginning) throw new Error("There is no beginning");
  return answer.beginning;
}

function tell(row: Row): string {
  if (row.kind === "tool") return `${row.name} ${row.subject}`;
  if (row.kind !== "turn") return row.kind;
  const calls = row.partial ? "not known yet" : `${row.toolCalls} call`;
  return `${row.turn} ${row.prompt.text}: ${calls}`;
}
