import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { Registry } from "@/lib/server/live/told/registry";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { configFor, idOf, openFolder } from "@/lib/testing/transcript";

const SESSION = "70770000-0000-4000-8000-000000000000";
/** Of another machine, so that whether the process runs is not known. */
const ENTRY = {
  ...{ pid: 4_194_000, sessionId: SESSION, pidDomain: "linux:0:pid:[1]" },
  ...{ status: "waiting", waitingFor: "permission prompt" },
};

let entryPath: string;
let live: Live;
let state: () => string | undefined;

beforeEach(async () => {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-torn-registry-"));
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(dir, "sessions"));
  entryPath = join(dir, "sessions", "4194000.json");
  const log = join(project, `${SESSION}.jsonl`);
  const message = { role: "user", content: "test it" };
  const timestamp = new Date().toISOString();
  writeFileSync(
    log,
    `${JSON.stringify({ type: "user", uuid: crypto.randomUUID(), parentUuid: null, timestamp, message })}\n`,
  );
  const folder = await openFolder(dir);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  // Nothing is watched: only what the test touches is looked at.
  live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
  state = () => live.state(idOf(folder, SESSION))?.state;
  onTestFinished(() => {
    live.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  live.touch(log);
});

const entry = () => JSON.stringify({ ...ENTRY, statusUpdatedAt: Date.now() });

it("an entry that was read while it was written is read again, though no event tells of the rest", async () => {
  await expect.poll(state).toBe("running");
  writeFileSync(entryPath, entry().slice(0, 40));
  live.touch(entryPath);
  await sleep(120);
  expect(state()).toBe("running");
  writeFileSync(entryPath, entry());
  await expect.poll(state).toBe("waiting");
});

it("an entry that stays torn is not read for ever, and is once it is written", async () => {
  const reads = vi.spyOn(Registry.prototype, "read");
  onTestFinished(() => reads.mockRestore());
  writeFileSync(entryPath, "{");
  live.touch(entryPath);
  await expect.poll(() => reads.mock.calls.length, { timeout: 30_000 }).toBe(20);
  await sleep(300);
  expect(reads).toHaveBeenCalledTimes(20);
  writeFileSync(entryPath, entry());
  live.touch(entryPath);
  await expect.poll(state).toBe("waiting");
  // After a whole one the next is waited for as the first was.
  writeFileSync(entryPath, "{");
  live.touch(entryPath);
  await expect.poll(() => reads.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(22);
});
