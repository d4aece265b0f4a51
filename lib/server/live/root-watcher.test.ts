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
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchedRoots } from "./log-paths";
import { FolderPoll, RootWatcher } from "./root-watcher";

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
  await expect.poll(() => [...touched]).toContain(path);
  touched.clear();
}

/** Writes to a file again and again, since a folder that has just come may not be watched yet. */
async function toldOnceWritten(path: string): Promise<void> {
  await expect
    .poll(() => {
      appendFileSync(path, "{}\n");
      return [...touched];
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

  it("sees a folder that is made while the folders are being walked", async () => {
    const config = await watchedRoots([{ path: dir, kind: "config" }]);
    for (let nth = 0; nth < 20; nth++) {
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
    for (let nth = 0; nth < 24; nth++) {
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

describe("polling a folder that cannot be watched", () => {
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
});
