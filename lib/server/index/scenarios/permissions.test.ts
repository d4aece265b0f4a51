import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { LibraryReport } from "@/lib/testing/programs/read-library";
import { bundleProgram, REPO } from "@/lib/testing/programs/run-program";
import { fixtureFolder } from "@/lib/testing/recorded";

const codes = ({ warnings }: LibraryReport) => warnings.map(({ code }) => code);

/** A folder that every user may enter, gone with the test whatever its modes are then. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-modes-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => {
    const open = (path: string) => {
      chmodSync(path, 0o755);
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (entry.isDirectory()) open(join(path, entry.name));
    };
    open(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The program on a library: its lines, one for each time that it is asked. */
async function library(tree: string, dataDir: string, ...modes: string[]) {
  const program = await bundleProgram("read-library", dirname(tree));
  const child = spawn(process.execPath, [program, tree, dataDir, ...modes, "again"], {
    env: { ...process.env, BACKSCROLL_PACKAGE_ROOT: REPO },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string) as LibraryReport;
  return {
    first: await next(),
    again: async () => {
      child.stdin.write("again\n");
      return next();
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

describe.skipIf(process.platform === "win32")("a cache folder that may only be read", () => {
  it("leaves everything in memory, and says so", async () => {
    const folder = scratch();
    const [tree, writable, readOnly] = ["claude", "data", "read-only"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    cpSync(fixtureFolder("2.1.42"), tree, { recursive: true });
    for (const dir of [writable, readOnly]) mkdirSync(dir);
    const normal = await library(tree, writable);
    expect(normal.first).toMatchObject({ warnings: [], mode: "writer" });
    await normal.end();

    chmodSync(readOnly, 0o555);
    const without = await library(tree, readOnly, "as-nobody");
    expect(without.first).toMatchObject({ shown: normal.first.shown, hits: normal.first.hits, mode: "none" });
    expect(codes(without.first)).toEqual(["index-unusable"]);
    expect(readdirSync(readOnly)).toEqual([]);

    // With an index from when it could be written.
    const before = readdirSync(writable).map((name) => `${name} ${statSync(join(writable, name)).mtimeMs}`);
    for (const name of readdirSync(writable)) chmodSync(join(writable, name), 0o444);
    chmodSync(writable, 0o555);
    const old = await library(tree, writable, "as-nobody");
    expect(old.first).toMatchObject({ shown: normal.first.shown, hits: normal.first.hits });
    expect(codes(old.first)).toEqual(["index-unusable"]);
    expect(readdirSync(writable).map((name) => `${name} ${statSync(join(writable, name)).mtimeMs}`)).toEqual(
      before,
    );
  });
});

describe.skipIf(process.platform === "win32")("logs and folders that may not be read", () => {
  it("are named with the reason, keep nothing else from being read, and are read when they may be", async () => {
    const folder = scratch();
    const [tree, data] = [join(folder, "claude"), join(folder, "data")];
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), toText([prompt(text, { uuid: "u" })]));
      return join(tree, path);
    };
    write(`projects/-open/${uuid(1)}.jsonl`, "the open one");
    const closedLog = write(`projects/-open/${uuid(2)}.jsonl`, "the closed log");
    write(`projects/-open/${uuid(3)}.jsonl`, "the one with a closed agent");
    const closedAgent = write(`projects/-open/${uuid(3)}/subagents/agent-a1.jsonl`, "the closed agent");
    write(`projects/-closed/${uuid(4)}.jsonl`, "the one in a closed folder");
    const closedFolder = join(tree, "projects/-closed");
    mkdirSync(data);
    chmodSync(data, 0o777);
    for (const path of [closedLog, closedAgent, closedFolder]) chmodSync(path, 0);

    const { first, again } = await library(tree, data, "as-nobody");
    const titled = ({ shown }: LibraryReport) =>
      shown.map(({ title, problem }) => `${title}: ${problem?.code}`);
    expect(titled(first)).toEqual([
      "the open one: undefined",
      "Untitled session: file-unreadable",
      "the one with a closed agent: undefined",
    ]);
    expect(codes(first)).toEqual(["folder-unreadable"]);
    expect(first.hits).toBe(2);

    for (const path of [closedLog, closedAgent]) chmodSync(path, 0o644);
    chmodSync(closedFolder, 0o755);
    const then = await again();
    expect(titled(then)).toEqual([
      "the open one: undefined",
      "the closed log: undefined",
      "the one with a closed agent: undefined",
      "the one in a closed folder: undefined",
    ]);
    expect(then.warnings).toEqual([]);
    expect(then.hits).toBe(5);
  });

  it("ends where links lead round, and reads each log once", async () => {
    const folder = scratch();
    const [tree, data] = [join(folder, "claude"), join(folder, "data")];
    const project = join(tree, "projects/-a");
    mkdirSync(join(project, uuid(1), "subagents"), { recursive: true });
    writeFileSync(join(project, `${uuid(1)}.jsonl`), toText([prompt("the one", { uuid: "u" })]));
    writeFileSync(
      join(project, uuid(1), "subagents/agent-a1.jsonl"),
      toText([prompt("the agent", { uuid: "u" })]),
    );
    symlinkSync(join(tree, "projects"), join(tree, "projects/-round"));
    symlinkSync(project, join(project, uuid(1), "subagents/round"));
    symlinkSync(join(project, "self.jsonl"), join(project, "self.jsonl"));
    symlinkSync(project, join(tree, "projects/-twice"));
    mkdirSync(data);
    const { first } = await library(tree, data);
    expect(first.shown.map(({ title }) => title)).toEqual(["the one"]);
    expect(first).toMatchObject({ hits: 2, warnings: [], mode: "writer" });
  });
});
