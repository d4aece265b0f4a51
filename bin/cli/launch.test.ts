import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";

const CLI = join(import.meta.dirname, "../backscroll.mjs");
/** Answers everything with what its process is. */
const SERVER = `
  import { readFileSync } from "node:fs";
  import http from "node:http";
  http.createServer((_request, response) => {
    const given = readFileSync("/proc/self/environ", "utf8").split("\\0");
    const settings = given.filter((one) => one.startsWith("MALLOC_")).sort();
    const passedOn = Object.keys(process.env).filter((name) => /^MALLOC_|LAUNCHED/.test(name));
    response.end(JSON.stringify({ pid: process.pid, settings, passedOn }));
  }).listen();
`;
const isGlibc =
  process.platform === "linux" && /\/libc(?:-[\d.]+)?\.so/.test(readFileSync("/proc/self/maps", "latin1"));

type Told = { pid: number; settings: string[]; passedOn: string[] };

/** Starts the program on a server of ours, and waits until it is ready. */
async function start(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-launch-"));
  const server = join(folder, "server.mjs");
  writeFileSync(server, SERVER);
  const args = ["--demo", "--no-open", "--port", "0", "--data-dir", join(folder, "data")];
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...withoutSettings(), BACKSCROLL_SERVER: server, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const url = await vi.waitUntil(() => /http:[^#]+(?=#)/.exec(printed)?.[0], { timeout: 30_000 });
  const ask = async () => (await (await fetch(url)).json()) as Told;
  return { child, ended, note: join(folder, "data", "server.json"), told: await ask(), ask };
}

/** Settings that the machine of these tests may have. */
function withoutSettings(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) => name.startsWith("MALLOC_"));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

async function untilSilent(ask: () => Promise<unknown>): Promise<void> {
  await vi.waitUntil(
    () =>
      ask().then(
        () => false,
        () => true,
      ),
    { timeout: 10_000 },
  );
}

describe.runIf(isGlibc)("with glibc", () => {
  it("serves with one heap, which what it starts itself is not told", async () => {
    const { told } = await start();
    expect(told.settings).toEqual([
      "MALLOC_ARENA_MAX=1",
      "MALLOC_MMAP_THRESHOLD_=131072",
      "MALLOC_TRIM_THRESHOLD_=131072",
    ]);
    expect(told.passedOn).toEqual([]);
  });

  it("is known by the process that was started, and ends with it at a signal", async () => {
    const { child, ended, note, ask } = await start();
    expect(JSON.parse(readFileSync(note, "utf8")).pid).toBe(child.pid);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    await untilSilent(ask);
    expect(existsSync(note)).toBe(false);
  });

  it("ends once where a terminal sends Ctrl+C to all of its processes", async () => {
    const { child, ended, note, told } = await start();
    for (const pid of new Set([told.pid, child.pid ?? 0])) process.kill(pid, "SIGINT");
    expect(await ended).toBe(0);
    expect(existsSync(note)).toBe(false);
  });

  it("does not go on when the process that was started is killed", async () => {
    const { child, ended, ask } = await start();
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    await untilSilent(ask);
  });

  it("leaves settings of the environment as they are", async () => {
    const { child, told } = await start({ MALLOC_ARENA_MAX: "3" });
    expect(told).toMatchObject({ pid: child.pid, settings: ["MALLOC_ARENA_MAX=3"] });
  });
});

it("passes the exit code on", async () => {
  const child: ChildProcess = spawn(process.execPath, [CLI, "--no-such-option"], { stdio: "ignore" });
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(2);
});
