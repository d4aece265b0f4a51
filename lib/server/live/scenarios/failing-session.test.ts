import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { LogWriter } from "@/lib/testing/log-writer";
import { configFor, idOf, openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const FAILING = "fa110000-0000-4000-8000-000000000000";
const SOUND = "50000000-0000-4000-8000-000000000000";
const logOf = (name: string) => join(dir, "projects", "-home-dev-shop", `${name}.jsonl`);

let dir: string;
let live: Live;
let logs: Map<string, LogWriter>;
/** The sessions that were told of, with what. */
let told: string[];
/** Set while the disk gives nothing of the one log. */
let isBroken: boolean;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  isBroken = false;
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-failing-")));
  logs = new Map();
  for (const name of [FAILING, SOUND]) {
    mkdirSync(dirname(logOf(name)), { recursive: true });
    const log = new LogWriter(logOf(name), "root");
    log.prompt("Go on");
    logs.set(name, log);
  }
  const folder = await openFolder(dir);
  const latest = async (id: SessionId) => {
    if (isBroken && id === idOf(folder, FAILING))
      throw Object.assign(new Error("i/o error"), { code: "EIO" });
    return folder.sessions.latest(id);
  };
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  live = new Live(folder.catalog, { ...folder.sessions, latest }, scanner, configFor(dir));
  told = [];
  for (const name of [FAILING, SOUND]) void follow(idOf(folder, name), name);
  await vi.waitUntil(() => [FAILING, SOUND].every((name) => told.includes(`session-changed ${name}`)));
});
afterEach(() => {
  live.stop();
  rmSync(dir, { recursive: true, force: true });
  vi.restoreAllMocks();
});

async function follow(session: SessionId, name: string): Promise<void> {
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const { signal } = new AbortController();
  const body = live.open({
    session,
    since: null,
    view,
    folding: { fold: [], runs: null },
    beside: [],
    signal,
  });
  const decoder = new TextDecoder();
  for await (const piece of body)
    for (const [, kind] of decoder
      .decode(piece, { stream: true })
      .matchAll(/"kind":"(session-changed|rows)"/g))
      told.push(`${kind} ${name}`);
}

function write(): void {
  for (const name of [FAILING, SOUND]) logs.get(name)?.say("One more line.");
  // The first is read at once, and those that come meanwhile together.
  for (const name of [FAILING, FAILING, SOUND]) live.touch(logOf(name));
}

it("tells of every session that was written, whatever becomes of the one that cannot be read", async () => {
  isBroken = true;
  write();
  await expect.poll(() => told, { timeout: 5_000 }).toContain(`rows ${SOUND}`);
  isBroken = false;
  write();
  await expect.poll(() => told, { timeout: 5_000 }).toContain(`rows ${FAILING}`);
});
