import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { keepFolder } from "@/lib/testing/library/keep-folder";
import { configFor, idOf, type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";

const SESSION = "11fe0000-0000-4000-8000-000000000000";
const LINE = { type: "user", uuid: crypto.randomUUID(), parentUuid: null, message: { content: "begin" } };

let dir: string;
let log: string;
let folder: OpenFolder;
let live: Live;
let told: string[];
/** How often the session has been read for its readers, with or without success. */
let reads: number;

/** Tells of a session by hand: nothing is watched. */
beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-return-")));
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  log = join(project, `${SESSION}.jsonl`);
  writeFileSync(log, `${JSON.stringify(LINE)}\n`);
  folder = await openFolder(dir);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  const latest = (id: SessionId) => folder.sessions.latest(id).finally(() => (reads += 1));
  live = new Live(folder.catalog, { ...folder.sessions, latest }, scanner, configFor(dir));
  told = [];
  reads = 0;
});
afterEach(() => {
  live.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function read(): Promise<void> {
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const session = idOf(folder, SESSION);
  const folding = { fold: [], runs: null };
  const { signal } = new AbortController();
  const body = live.open({ session, since: null, view, folding, beside: [], signal });
  void (async () => {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const piece of body) {
      const parts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const data = part.split("\n").find((one) => one.startsWith("data: "));
        const event = data ? (JSON.parse(data.slice(6)) as LiveEvent) : null;
        if (event) told.push(event.kind === "reset" ? `reset: ${event.reason}` : event.kind);
      }
    }
  })();
  await expect.poll(() => told).toContain("session-changed");
}

it("tells of a log that was put back while its reader's own question had the folders listed", async () => {
  await read();
  const lines = readFileSync(log);
  live.touch(log);
  // The next look at what was written to is a pause away.
  await expect.poll(() => told.filter((one) => one === "session-changed")).toHaveLength(2);
  rmSync(log);
  live.touch(log);
  await expect.poll(() => told).toContain("reset: gone");
  writeFileSync(log, lines);
  const before = reads;
  live.touch(log);
  await expect.poll(() => reads).toBeGreaterThan(before);
  await folder.catalog.list();
  await expect.poll(() => told).toContain("reset: files-replaced");
});

it("goes on as before when a log is deleted that is kept, and is read anew when another comes in its place", async () => {
  using _ = await keepFolder(dir);
  await folder.catalog.list();
  await read();
  rmSync(log);
  const before = reads;
  live.touch(log);
  await expect.poll(() => reads).toBeGreaterThan(before);
  await expect.poll(() => folder.catalog.summary(idOf(folder, SESSION)).storage).toBe("archive");
  expect(told.filter((one) => one.startsWith("reset"))).toEqual([]);
  writeFileSync(log, `${JSON.stringify({ ...LINE, uuid: crypto.randomUUID() })}\n`);
  live.touch(log);
  await expect.poll(() => told).toContain("reset: files-replaced");
  await expect.poll(() => folder.catalog.summary(idOf(folder, SESSION)).storage).toBe("both");
});
