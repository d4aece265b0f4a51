import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FSWatcher } from "chokidar";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FolderPoll } from "./folder-poll";
import { LogWatch } from "./log-watch";
import { ReplacedRoots } from "./replaced-roots";
import { RootWatcher } from "./root-watcher";
import { watchedRoots } from "./watched-roots";

const ROOTS_EVERY_MS = 2_000;

let above: string;
let config: string;
let log: string;

beforeEach(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-log-watch-")));
  config = join(above, "config");
  log = join(config, "projects", "-home-dev-shop", "a.jsonl");
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, "{}\n");
  // The roots are looked at when the test says so.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  rmSync(above, { recursive: true, force: true });
});

function newWatch() {
  const written: string[] = [];
  const rewatched = vi.fn<() => void>();
  const watch = new LogWatch(
    [{ path: config, kind: "config" }],
    (path) => void written.push(path),
    rewatched,
  );
  onTestFinished(() => watch.stop());
  return { watch, written, rewatched };
}

/** Which watchers were set, and which of them were closed. */
function watchers() {
  const added = vi.spyOn(FSWatcher.prototype, "add").mock.contexts;
  const closed = vi.spyOn(FSWatcher.prototype, "close").mock.contexts;
  return { open: () => added.filter((one) => !closed.includes(one)).length, set: () => added.length };
}

describe("a watch of all roots", () => {
  it("tells what was written, and knows a history of prompts from a log", async () => {
    const { watch, written } = newWatch();
    await watch.start();
    appendFileSync(log, "{}\n");
    await expect.poll(() => written).toContain(log);
    expect(watch.isHistory(join(config, "history.jsonl"))).toBe(true);
    expect(watch.isHistory(log)).toBe(false);
  });

  it("is set again where another folder took a root's place, and not while the root stays", async () => {
    const { open, set } = watchers();
    const ended = vi.spyOn(RootWatcher.prototype, "stop");
    const { watch, written, rewatched } = newWatch();
    await watch.start();
    renameSync(config, join(above, "away"));
    mkdirSync(dirname(log), { recursive: true });
    await expect
      .poll(() => {
        vi.advanceTimersByTime(ROOTS_EVERY_MS);
        return rewatched.mock.calls.length;
      })
      .toBe(1);
    vi.advanceTimersByTime(5 * ROOTS_EVERY_MS);
    appendFileSync(log, "{}\n");
    await expect.poll(() => written).toContain(log);
    expect({ open: open(), set: set(), ended: ended.mock.calls.length }).toEqual({
      open: 1,
      set: 2,
      ended: 1,
    });
    watch.stop();
    expect({ open: open(), timers: vi.getTimerCount() }).toEqual({ open: 0, timers: 0 });
  });

  it("leaves nothing open that was being set when it was stopped", async () => {
    const { open, set } = watchers();
    const { watch } = newWatch();
    const started = watch.start();
    watch.stop();
    await started;
    expect(open()).toBe(0);
    vi.advanceTimersByTime(ROOTS_EVERY_MS);
    expect(vi.getTimerCount()).toBe(0);
    expect(set()).toBe(0);
  });

  it("nor what was being set again", async () => {
    const { open } = watchers();
    const { watch, rewatched } = newWatch();
    await watch.start();
    const looks = vi.spyOn(ReplacedRoots.prototype, "look");
    const close = vi.spyOn(RootWatcher.prototype, "stop");
    close.mockImplementationOnce(async () => watch.stop());
    renameSync(config, join(above, "away"));
    mkdirSync(dirname(log), { recursive: true });
    vi.advanceTimersByTime(ROOTS_EVERY_MS);
    await expect
      .poll(() => looks.mock.settledResults.map(({ type }) => type))
      .toEqual(Array(2).fill("fulfilled"));
    // The disk answers in the order in which it was asked.
    await watchedRoots([{ path: config, kind: "config" }]);
    await new Promise(setImmediate);
    expect(open()).toBe(0);
    expect(rewatched).not.toHaveBeenCalled();
  });
});

describe("a log that grows with no event", () => {
  const sizes = (bytes: number) => new Map([[log, bytes]]);

  it("has its folder polled when that was seen twice, and not when an event told of it", async () => {
    const polled = vi.spyOn(FolderPoll.prototype, "add");
    const { watch, written } = newWatch();
    await watch.start();
    expect(watch.compareSizes(sizes(1))).toEqual({ doubted: [], untold: [] });
    expect(watch.compareSizes(sizes(2))).toEqual({ doubted: [log], untold: [] });
    appendFileSync(log, "{}\n");
    await expect.poll(() => written).toContain(log);
    expect(watch.compareSizes(sizes(3))).toEqual({ doubted: [], untold: [] });
    expect([watch.isSilent, polled.mock.calls]).toEqual([false, []]);
    expect(watch.compareSizes(sizes(4))).toEqual({ doubted: [log], untold: [] });
    expect(watch.compareSizes(sizes(5))).toEqual({ doubted: [], untold: [log] });
    expect(polled.mock.calls).toEqual([[dirname(log), { isInstead: true }]]);
    expect([watch.isSilent, watch.coverage.polled]).toEqual([true, 1]);
  });

  it("stays in mind when all is quiet again", async () => {
    const { watch } = newWatch();
    await watch.start();
    for (const bytes of [1, 2, 3, 3, 3]) watch.compareSizes(sizes(bytes));
    expect(watch.isSilent).toBe(true);
  });
});
