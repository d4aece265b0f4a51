import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { FSWatcher } from "chokidar";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { runs } from "@/lib/testing/runs";
import { FolderPoll } from "./folder-poll";
import { RootWatcher } from "./root-watcher";
import { watchedRoots } from "./watched-roots";

/** How long after the walk has begun a folder comes: in `npm test` every third of these times, all in a soak. */
const NTH_DELAY = runs(3, 1);

let dir: string;
const touched = new Set<string>();
const touch = (path: string) => void touched.add(path);

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-watch-")));
  mkdirSync(join(dir, "projects", "-home-dev-shop"), { recursive: true });
  touched.clear();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const log = (name: string) => join(dir, "projects", "-home-dev-shop", name);

async function told(path: string): Promise<void> {
  await expect.poll(toldNow).toContain(path);
  touched.clear();
}

/** What has been told, with the next look of what is polled where the time is the test's. */
function toldNow(): string[] {
  if (vi.isFakeTimers()) vi.advanceTimersToNextTimer();
  return [...touched];
}

/** Writes to a file again and again, since a folder that has just come may not be watched yet. */
async function toldOnceWritten(path: string): Promise<void> {
  await expect
    .poll(() => {
      appendFileSync(path, "{}\n");
      return toldNow();
    })
    .toContain(path);
  touched.clear();
}

describe("watching the logs", () => {
  it("names what was written, made, renamed and removed, old logs included", async () => {
    writeFileSync(log("old.jsonl"), "{}\n");
    utimesSync(log("old.jsonl"), new Date(0), new Date(0));
    const watcher = new RootWatcher(touch);
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    appendFileSync(log("old.jsonl"), "{}\n");
    await told(log("old.jsonl"));
    writeFileSync(log("new.jsonl"), "{}\n");
    await told(log("new.jsonl"));
    renameSync(log("new.jsonl"), log("renamed.jsonl"));
    await told(log("renamed.jsonl"));
    rmSync(log("renamed.jsonl"));
    await told(log("renamed.jsonl"));
    await watcher.stop();
  });

  it("finds what was written where the system names no file, as Windows does when it was much at once", async () => {
    for (const name of ["one.jsonl", "other.jsonl", "old.jsonl"]) writeFileSync(log(name), "{}\n");
    utimesSync(log("old.jsonl"), new Date(0), new Date(0));
    const watchers: FSWatcher[] = [];
    const add = vi.spyOn(FSWatcher.prototype, "add").mockImplementation(function (this: FSWatcher) {
      watchers.push(this);
      queueMicrotask(() => this.emit("ready"));
      return this;
    });
    onTestFinished(() => add.mockRestore());
    const watcher = new RootWatcher(touch);
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    expect(toldNow()).toEqual([]);
    watchers[0]?.emit("raw", "change", null as never, {
      watchedPath: join(dir, "projects", "-home-dev-shop"),
    });
    await expect.poll(() => toldNow().sort()).toEqual([log("one.jsonl"), log("other.jsonl")]);
    await watcher.stop();
  });

  it("finds folders that come later: a project, a session's agents, the registry", async () => {
    const watcher = new RootWatcher(touch);
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    const agents = join(
      dir,
      "projects",
      "-home-dev-new",
      "5e551011-0000-4000-8000-000000000000",
      "subagents",
    );
    mkdirSync(agents, { recursive: true });
    mkdirSync(join(dir, "sessions"));
    await toldOnceWritten(join(agents, "agent-a1.jsonl"));
    await toldOnceWritten(join(dir, "sessions", "123.json"));
    await watcher.stop();
  });

  it("sees a folder again that went and came back, or was moved here with its logs", async () => {
    const watcher = new RootWatcher(touch);
    const project = join(dir, "projects", "-home-dev-shop");
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    writeFileSync(log("a.jsonl"), "{}\n");
    await told(log("a.jsonl"));
    renameSync(project, join(dir, "aside"));
    await told(project);
    appendFileSync(join(dir, "aside", "a.jsonl"), "{}\n");
    renameSync(join(dir, "aside"), project);
    await told(log("a.jsonl"));
    await toldOnceWritten(log("a.jsonl"));
    rmSync(project, { recursive: true });
    mkdirSync(project);
    await toldOnceWritten(log("b.jsonl"));
    rmSync(join(dir, "projects"), { recursive: true });
    mkdirSync(project, { recursive: true });
    await toldOnceWritten(log("c.jsonl"));
    await watcher.stop();
  });

  it("polls a folder no longer that was removed", async () => {
    const watcher = new RootWatcher(touch);
    onTestFinished(() => watcher.stop());
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    const folder = join(dir, "projects", "-home-dev-shop");
    watcher.pollInstead(folder);
    expect(watcher.coverage.polled).toBe(1);
    rmSync(folder, { recursive: true });
    await expect.poll(() => watcher.coverage.polled).toBe(0);
  });

  it("sees a folder that is made while the folders are being walked", async () => {
    const config = await watchedRoots([{ path: dir, kind: "config" }]);
    for (let nth = 0; nth < 20; nth += NTH_DELAY) {
      const watcher = new RootWatcher(touch);
      const started = watcher.start(config);
      await wait(nth / 2);
      mkdirSync(join(dir, "sessions"));
      mkdirSync(join(dir, "projects", `-home-dev-${nth}`));
      await started;
      await toldOnceWritten(join(dir, "sessions", "123.json"));
      await toldOnceWritten(join(dir, "projects", `-home-dev-${nth}`, "a.jsonl"));
      await watcher.stop();
      rmSync(join(dir, "sessions"), { recursive: true });
    }
  });

  it("names the logs of agents that begin while the folders are being walked", async () => {
    const config = await watchedRoots([{ path: dir, kind: "config" }]);
    for (let nth = 0; nth < 60; nth++) writeFileSync(log(`${nth}.jsonl`), "{}\n");
    for (let nth = 0; nth < 24; nth += NTH_DELAY) {
      const watcher = new RootWatcher(touch);
      const started = watcher.start(config);
      await wait(nth / 2);
      const agents = log(`5e551011-0000-4000-8000-${String(nth).padStart(12, "0")}/subagents`);
      mkdirSync(agents, { recursive: true });
      writeFileSync(join(agents, "agent-a1.jsonl"), "{}\n");
      await started;
      appendFileSync(join(agents, "agent-a1.jsonl"), "{}\n");
      await told(join(agents, "agent-a1.jsonl"));
      await watcher.stop();
    }
  });

  it("does not look at what is no log", async () => {
    const watcher = new RootWatcher(touch);
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    writeFileSync(join(dir, "history.jsonl.tmp"), "x");
    mkdirSync(join(dir, "file-history"));
    await wait(200);
    writeFileSync(join(dir, "file-history", "a.jsonl"), "x");
    await wait(200);
    expect([...touched].filter((path) => path.includes("file-history/"))).toEqual([]);
    await watcher.stop();
  });
});

describe("a folder that cannot be listed when watching starts", () => {
  const projects = () => join(dir, "projects");

  /** Does this with the stream of a folder's entries in place of listing it, until what is returned is called. */
  function insteadOfListing(folder: string, act: (entries: Readable) => void): () => void {
    // oxlint-disable no-underscore-dangle -- no folder fails like that for everybody who runs this
    const list = FSWatcher.prototype._readdirp;
    const spy = vi.spyOn(FSWatcher.prototype, "_readdirp");
    // oxlint-enable no-underscore-dangle
    onTestFinished(() => spy.mockRestore());
    let isOver = false;
    spy.mockImplementation(function (this: FSWatcher, path, options) {
      if (path !== folder || isOver) return list.call(this, path, options);
      const entries = new Readable({ objectMode: true, read: () => undefined });
      act(entries);
      return entries as ReturnType<typeof list>;
    });
    return () => {
      isOver = true;
    };
  }

  it("is polled, with all below it, and watched again when it can be listed", async () => {
    const failed = { code: "EMFILE", path: projects() };
    const endFault = insteadOfListing(projects(), (entries) => {
      entries.destroy(Object.assign(new Error("EMFILE: too many open files"), failed));
    });
    writeFileSync(log("a.jsonl"), "{}\n");
    const watcher = new RootWatcher(touch);
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    expect(watcher.coverage.polled).toBe(2);
    appendFileSync(log("a.jsonl"), "{}\n");
    await told(log("a.jsonl"));
    // What else there is, is watched.
    mkdirSync(join(dir, "sessions"));
    await toldOnceWritten(join(dir, "sessions", "123.json"));
    endFault();
    mkdirSync(join(projects(), "-home-dev-new"));
    await toldOnceWritten(join(projects(), "-home-dev-new", "a.jsonl"));
    await expect.poll(() => watcher.coverage.polled).toBe(0);
    await toldOnceWritten(log("a.jsonl"));
    await watcher.stop();
  });

  it.each([
    ["listed", 0],
    ["come to, as behind another slow disk,", 200],
  ])("keeps nothing waiting though it is not %s in time, and is polled", async (_, beginsAfterMs) => {
    insteadOfListing(projects(), () => undefined);
    const add = FSWatcher.prototype.add;
    const spy = vi.spyOn(FSWatcher.prototype, "add").mockImplementation(function (this: FSWatcher, paths) {
      if (beginsAfterMs === 0) return add.call(this, paths);
      setTimeout(() => add.call(this, paths), beginsAfterMs);
      return this;
    });
    onTestFinished(() => spy.mockRestore());
    writeFileSync(log("a.jsonl"), "{}\n");
    const watcher = new RootWatcher(touch, 100);
    onTestFinished(() => watcher.stop());
    await watcher.start(await watchedRoots([{ path: dir, kind: "config" }]));
    await expect.poll(() => watcher.coverage.polled, { timeout: 20_000 }).toBe(2);
    await toldOnceWritten(log("a.jsonl"));
    mkdirSync(join(dir, "sessions"));
    await toldOnceWritten(join(dir, "sessions", "123.json"));
  });
});

describe("polling a folder that cannot be watched", () => {
  // A look is due whenever the test waits for one.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
  afterEach(() => void vi.useRealTimers());

  it("finds a folder that comes with a log in it, and what comes into that", async () => {
    const poll = new FolderPoll(touch);
    poll.add(join(dir, "projects"));
    await poll.looked();
    const added = join(dir, "projects", "-home-dev-new");
    const session = join(added, "5e551011-0000-4000-8000-000000000000");
    mkdirSync(session, { recursive: true });
    writeFileSync(join(added, "a.jsonl"), "{}\n");
    writeFileSync(join(session, "agent-a1.jsonl"), "{}\n");
    await expect
      .poll(() => toldNow().sort())
      .toEqual([added, session, join(session, "agent-a1.jsonl"), join(added, "a.jsonl")]);
    await toldOnceWritten(join(session, "agent-a1.jsonl"));
    poll.stop();
  });

  it("leaves folders alone in which there are no logs", async () => {
    const names = ["memory", "x/tool-results", "node_modules/a", "node_modules/b", ".git/objects/00"];
    for (const name of names) mkdirSync(log(name), { recursive: true });
    const poll = new FolderPoll(touch);
    poll.add(join(dir, "projects"));
    await poll.looked();
    expect(poll.size).toBe(3);
    poll.stop();
  });

  it("finds what grew, came and went", async () => {
    writeFileSync(log("a.jsonl"), "{}\n");
    const poll = new FolderPoll(touch);
    poll.add(join(dir, "projects", "-home-dev-shop"));
    writeFileSync(log("b.jsonl"), "{}\n");
    await toldOnceWritten(log("a.jsonl"));
    rmSync(log("b.jsonl"));
    await told(log("b.jsonl"));
    poll.stop();
  });

  it("finds a client's entry that was written in place and is as long as before", async () => {
    const entry = join(dir, "sessions", "4194000.json");
    mkdirSync(join(dir, "sessions"));
    writeFileSync(entry, '{"status":"busy"}');
    const poll = new FolderPoll(touch);
    poll.add(join(dir, "sessions"));
    await poll.looked();
    await wait(20); // a time of its own
    writeFileSync(entry, '{"status":"idle"}');
    await told(entry);
    poll.stop();
  });
});
