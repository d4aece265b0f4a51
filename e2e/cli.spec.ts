import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, type Page } from "@playwright/test";
import { compiledFolder } from "../bin/cli/compile-cache.mjs";
import { EXPORT_FORMAT_IDS, type ExportFormat } from "../lib/wire/export-formats.mjs";
import { builtServer, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

const CLI = join(import.meta.dirname, "../bin/backscroll.mjs");
/** Characters that control a terminal or reorder its text. */
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
let folder = "";

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-cli-"));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line that should exit on its own. */
function cli(args: string[], env: Record<string, string> = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [CLI, "--no-open", ...args], {
    encoding: "utf8",
    timeout: 60_000,
    maxBuffer: 1 << 26, // an exported page carries its program and its pages' styles
    env: { ...process.env, BACKSCROLL_SERVER: builtServer(), ...env },
  });
}

/** Expects one line on stderr, nothing on stdout and exit code 2; returns the line. */
function refusal(args: string[], env?: Record<string, string>): string {
  const { status, stdout, stderr } = cli(["--data-dir", join(folder, "data"), ...args], env);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^backscroll: [^\n]+\n$/);
  return stderr.trim();
}

// What else is refused: options.test, roots.test and data-dir.test, by the same words.
test("says in one line what is wrong with a command line, and what to do", () => {
  mkdirSync(join(folder, "claude/projects"), { recursive: true });
  writeFileSync(join(folder, "file"), "");
  const claude = join(folder, "claude");
  expect(refusal(["--port"])).toContain("See backscroll --help.");
  expect(refusal([], { BACKSCROLL_PORT: "-1" })).toContain('"-1" is not a port');
  expect(refusal(["--claude-dir", join(folder, "none")])).toContain(
    `there is no folder ${join(folder, "none")}`,
  );
  expect(refusal(["--claude-dir", claude, "--data-dir", join(claude, "x")])).toContain("lies among the logs");
  expect(existsSync(join(claude, "x"))).toBe(false);
  expect(refusal(["--demo", "--data-dir", join(folder, "file")])).toContain(
    "Give another with --data-dir DIR.",
  );
  expect(refusal(["export", "x", "--format", "pdf"])).toContain("give --format one of");
  expect(refusal(["export", "nothing", "--format", "md", "--demo"])).toContain(
    "no session's id begins with that",
  );
});

test("reports a port that another program uses", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  expect(refusal(["--demo", "--port", String(port)])).toBe(
    `backscroll: port ${port} is in use by another program. Give another with --port N (0 takes any free one).`,
  );
  other.close();
});

/** How a title with control characters is spelled where it is read, by the format of the export. */
const SPELLED: Partial<Record<ExportFormat, string>> = {
  md: "say␛]0;title␇\\x9b2J\\u202e",
  html: "<title>say␛]0;title␇\\x9b2J[U+202E]</title>",
};

test("escapes control characters on a terminal, in exports, reports and errors, and writes logs to files unchanged", async () => {
  const project = join(folder, "claude/projects/-home-dev-x");
  mkdirSync(project, { recursive: true });
  const id = "00000000-0000-4000-8000-000000000001";
  const hostile = "say\u001b]0;title\u0007\u009b2J\u202e";
  const line = JSON.stringify({
    type: "user",
    uuid: "u1",
    parentUuid: null,
    sessionId: id,
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: "/home/dev/x",
    version: `2.1.330${hostile}`,
    message: { role: "user", content: hostile },
  });
  writeFileSync(join(project, `${id}.jsonl`), `${line}\n`);
  const NODE_OPTIONS = "--import data:text/javascript,process.stdout.isTTY=process.stderr.isTTY=true";
  const run = (...args: string[]) =>
    cli(["--claude-dir", join(folder, "claude"), "--data-dir", join(folder, "data"), ...args], {
      NODE_OPTIONS,
    });
  // Every command would start one of its own.
  const server = await startServer({
    claudeDirs: [join(folder, "claude")],
    dataDir: join(folder, "data"),
  });
  for (const format of EXPORT_FORMAT_IDS) {
    const { stdout, stderr, status } = run("export", id, "--format", format);
    expect({ format, status, obeyed: `${stdout}${stderr}`.match(OBEYED) }).toEqual({
      format,
      status: 0,
      obeyed: null,
    });
    expect(stdout).toContain(SPELLED[format] ?? "title");
  }
  for (const args of [
    ["doctor"],
    ["doctor", "--json"],
    ["export", hostile, "--format", "md"],
    [`--port=${hostile}`],
  ]) {
    const { stdout, stderr } = run(...args);
    expect({ args, obeyed: `${stdout}${stderr}`.match(OBEYED) }).toEqual({ args, obeyed: null });
    expect(`${stdout}${stderr}`).toContain("title");
  }
  const output = join(folder, "copy.jsonl");
  run("export", id, "--format", "log", "--output", output);
  expect(readFileSync(output, "utf8")).toBe(`${line}\n`);
  await server.stop();
});

test("prints its help and its version", () => {
  const help = cli(["--help"]);
  expect(help.status).toBe(0);
  for (const flag of [
    "--port",
    "--host",
    "--allow-host",
    "--claude-dir",
    "--data-dir",
    "--token",
    "--new-token",
  ]) {
    expect(help.stdout).toContain(flag);
  }
  expect(cli(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("keeps one token, readable by its owner only, until asked for a new one; stops cleanly; a second start opens the running server, which assistants ask, and an update replaces; takes flags from the environment", async ({
  page,
}) => {
  const dataDir = join(folder, "data");
  const note = join(dataDir, "server.json");
  const start = (...args: string[]) => startServer({ dataDir, args: ["--demo", ...args] });
  const first = await start();
  expect(Buffer.from(first.token, "base64url")).toHaveLength(32);
  if (process.platform !== "win32") {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const file of ["token", "server.json"])
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
  }

  const second = await test.step("a note left by a killed server is ignored", async () => {
    first.process.kill("SIGKILL");
    await new Promise((resolve) => first.process.once("exit", resolve));
    expect(existsSync(note)).toBe(true);
    return start();
  });
  expect(second.token).toBe(first.token);

  await test.step("it stops cleanly on a signal, even with an open connection", async () => {
    const open = connect(Number(new URL(second.url).port), "127.0.0.1"); // and never sends a request
    await new Promise((resolve) => open.once("connect", resolve));
    // What answers has taken the connection that came before: one that is not taken yet is reset by the system.
    await (await fetch(second.url)).text();
    const ended = new Promise((resolve) => second.process.once("exit", resolve));
    second.process.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(second.errors()).toBe("");
    open.destroy();
    expect(existsSync(note)).toBe(false);
  });

  const status = ({ url }: TestServer, token: string) =>
    fetch(`${url}/api/health`, { headers: { authorization: `Bearer ${token}` } }).then((r) => r.status);
  const rotated = await start("--new-token");
  expect(rotated.token).not.toBe(first.token);
  expect([await status(rotated, first.token), await status(rotated, rotated.token)]).toEqual([401, 200]);

  await test.step("a second start on the same data folder opens the running server", () =>
    startAgain(dataDir, rotated));

  const updated =
    await test.step("a start after an update replaces the server of the older build", async () => {
      const ended = new Promise((resolve) => rotated.process.once("exit", resolve));
      writeFileSync(
        note,
        JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), build: "an older one" }),
      );
      const next = await start();
      expect(await ended).toBe(0);
      expect(next.errors()).toContain(`ended process ${rotated.process.pid}, which ran another build`);
      expect(next.token).toBe(rotated.token);
      return next;
    });

  await test.step("an assistant finds, reads and links to what was said, also when the server that it asks has ended", () =>
    askAsAssistant(page, dataDir, updated));

  await test.step("flags are taken from the environment too; a token that is given is not kept", async () => {
    const claude = join(folder, "claude");
    mkdirSync(join(claude, "projects"), { recursive: true });
    const given = await startServer({
      dataDir,
      env: { BACKSCROLL_CLAUDE_DIR: claude, BACKSCROLL_TOKEN: "from-the.environment~16" },
      args: ["--allow-host", "box.example"],
    });
    expect(given.token).toBe("from-the.environment~16");
    expect(await status(given, given.token)).toBe(200);
    await given.stop();
    expect(readFileSync(join(dataDir, "token"), "utf8").trim()).toBe(rotated.token);
  });
});

/** Other starts on the data folder of a server that runs: what they print, and what a search there finds. */
function startAgain(dataDir: string, first: TestServer): void {
  const ready = `Backscroll is ready at ${first.url}/#t=${first.token}\n`;
  const again = (...args: string[]) => cli(["--data-dir", dataDir, ...args]);

  expect(again("--demo")).toMatchObject({ status: 0, stdout: ready, stderr: "" });
  expect(again("--demo", "--port", new URL(first.url).port)).toMatchObject({ status: 0, stdout: ready });
  const other = join(folder, "claude");
  mkdirSync(other);
  const elsewhere = again("--claude-dir", other);
  expect(elsewhere).toMatchObject({ status: 0, stdout: ready });
  expect(elsewhere.stderr).toContain("already running and showing");
  const { stdout } = again("search", "in:prompt", '"double charge"', "--demo");
  expect(stdout).toMatch(/^Charged twice: order 1042 {2}charge-once\n {2}.*claude --resume /);
  expect(stdout).toContain(`    ${first.url}/sessions/74c3ddfa-`);
  const opened = `${first.url}/sessions/74c3ddfa-b2e4-4739-b11f-ae4eab43e618?at=m~9#t=${first.token}`;
  expect(again("open", "74c3", "--at", "m~9", "--demo")).toMatchObject({
    status: 0,
    stdout: `Backscroll is ready at ${opened}\n`,
  });
  expect(again("open", "ffff", "--demo")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: 'backscroll: "ffff": no session\'s id begins with that. backscroll sessions lists them.\n',
  });
  expect(again("--demo", "--new-token")).toMatchObject({ status: 2, stdout: "" });
  expect(again("--demo", "--token", "0123456789abcdef")).toMatchObject({ status: 2, stdout: "" });
}

/** Asks by the protocol while the server runs, ends that, and asks again. */
async function askAsAssistant(page: Page, dataDir: string, server: TestServer): Promise<void> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", "--demo", "--data-dir", dataDir],
    env: { ...(process.env as Record<string, string>), BACKSCROLL_SERVER: builtServer() },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const told = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  };
  try {
    const hits = await told("search", { query: 'in:prompt "whole grams"', limit: 1 });
    const [, session, link = ""] = /session (\S+)\n(http\S+)/.exec(hits) ?? [];
    expect(link).toContain(`${server.url}/sessions/${session}?at=`);
    await page.goto(`${link}#t=${server.token}`);
    const record = new URL(link).searchParams.get("at")?.split(".")[0];
    await expect(page.locator(`main [data-record-id="${record}"]`).first()).toBeInViewport();
    // What is in the address bar is as good as what it was given.
    expect(await told("read_session", { session: page.url() })).toContain(`[${record}.`);
    await server.stop();
    expect(await told("get_session", { session })).toContain("Turns:");
    expect(await told("search", { query: 'in:prompt "whole grams"', limit: 1 })).not.toContain("http:");
  } finally {
    await client.close();
    await server.stop();
  }
}

test("a start finds what it needs compiled by the build", () => {
  const compiled = compiledFolder(dirname(builtServer()));
  expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(300);
});
