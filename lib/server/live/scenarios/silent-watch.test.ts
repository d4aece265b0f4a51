import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import { Live } from "@/lib/server/live/live";
import { LogPaths } from "@/lib/server/live/log-paths";
import { FolderPoll } from "@/lib/server/live/watch/folder-poll";
import { UnseenGrowth } from "@/lib/server/live/watch/unseen-growth";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, openFolder } from "@/lib/testing/transcript";

const RESCAN_MS = 30_000;

let dir: string;
let live: Live;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-silent-")));
  // Half a minute is over when the test says so, and what waits for less with it.
  const toFake = ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] as const;
  vi.useFakeTimers({ toFake: [...toFake], shouldAdvanceTime: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  live.stop();
  rmSync(dir, { recursive: true, force: true });
});

const now = () =>
  toText([prompt("go on", { uuid: crypto.randomUUID(), timestamp: new Date().toISOString() })]);

async function watch(...logs: string[]): Promise<Catalog> {
  for (const log of logs) {
    mkdirSync(dirname(join(dir, log)), { recursive: true });
    writeFileSync(join(dir, log), now());
  }
  const folder = await openFolder(dir);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
  await live.start(Promise.resolve());
  return folder.catalog;
}

it("a folder whose watch works is not polled, though a session in it is written all the time", async () => {
  const looks = vi.spyOn(LogPaths.prototype, "sizesNow");
  const log = `projects/-home-dev-shop/${uuid(1)}.jsonl`;
  const events = vi.spyOn(UnseenGrowth.prototype, "told");
  await watch(log);
  for (let look = 0; look < 5; look++) {
    events.mockClear();
    await expect
      .poll(() => {
        appendFileSync(join(dir, log), now());
        return events.mock.calls.length;
      })
      .toBeGreaterThan(0);
    vi.advanceTimersByTime(RESCAN_MS);
    await expect.poll(() => looks.mock.calls.length).toBeGreaterThan(look);
  }
  expect(live.coverage.polled).toBe(0);
});

it("a folder is polled in which a log grows and grows and no watch says so", async () => {
  // Nobody watches folders of this name, as if they lay on a disk that says nothing.
  const agent = `projects/-home-dev-shop/${uuid(1)}/memory/agent-a1.jsonl`;
  await watch(`projects/-home-dev-shop/${uuid(1)}.jsonl`, agent);
  await expect
    .poll(() => {
      appendFileSync(join(dir, agent), now());
      vi.advanceTimersByTime(RESCAN_MS);
      return live.coverage.polled;
    })
    .toBe(1);
});

it("a session that begins on such a disk is found, and how it stands", async () => {
  const agent = `projects/-home-dev-shop/${uuid(1)}/memory/agent-a1.jsonl`;
  const catalog = await watch(`projects/-home-dev-shop/${uuid(1)}.jsonl`, agent);
  // Nothing says that its log, or a folder with it, has come.
  const touch = live.touch.bind(live);
  vi.spyOn(live, "touch").mockImplementation((path) => {
    if (path.endsWith("agent-a1.jsonl")) touch(path);
  });
  mkdirSync(join(dir, "projects", "-home-dev-till"));
  writeFileSync(join(dir, `projects/-home-dev-till/${uuid(2)}.jsonl`), now());
  await expect
    .poll(() => {
      appendFileSync(join(dir, agent), now());
      vi.advanceTimersByTime(RESCAN_MS);
      return live.recent().map(({ sessionId }) => catalog.summary(sessionId).title);
    })
    .toHaveLength(2);
});

it("so is the registry of its clients, of which no watch would say anything either", async () => {
  new ClientRegistry(dir, uuid(1)).tell("busy");
  const agent = `projects/-home-dev-shop/${uuid(1)}/memory/agent-a1.jsonl`;
  await watch(`projects/-home-dev-shop/${uuid(1)}.jsonl`, agent);
  const polled = vi.spyOn(FolderPoll.prototype, "add");
  await expect
    .poll(() => {
      appendFileSync(join(dir, agent), now());
      vi.advanceTimersByTime(RESCAN_MS);
      return [...new Set(polled.mock.calls.map(([folder]) => folder))];
    })
    .toEqual([dirname(join(dir, agent)), join(dir, "sessions")]);
});
