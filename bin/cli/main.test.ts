import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const CLI = join(import.meta.dirname, "../backscroll.mjs");
/** Only this machine has it, and nothing here takes it for one of its own: it stands for an address of the network. */
const NETWORK = "::ffff:127.0.0.2";

/** In place of the built server, as strict about where the owner's token is taken. */
const SERVER = `
import http from "node:http";
http
  .createServer(({ url, headers }, response) => {
    const isOwners = headers.host === "127.0.0.1:" + process.env.BACKSCROLL_PORT;
    const isKnown = headers.authorization === "Bearer " + process.env.BACKSCROLL_TOKEN;
    response.statusCode = isOwners && isKnown ? 200 : 401;
    const error = { message: "This server needs its token", hint: "" };
    response.end(response.statusCode === 200 ? "asked " + url + " of " + process.env.BACKSCROLL_HOST : JSON.stringify({ error }));
  })
  .listen(Number(process.env.PORT), process.env.HOSTNAME);
`;

let folder: string;
let running: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-main-"));
  mkdirSync(join(folder, "claude"));
  writeFileSync(join(folder, "server.mjs"), SERVER);
  running = [];
});

afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function cli(args: string[], env: Record<string, string> = {}) {
  const own = [
    "--no-open",
    "--no-archive",
    "--claude-dir",
    join(folder, "claude"),
    "--data-dir",
    join(folder, "data"),
  ];
  const child = spawn(process.execPath, [CLI, ...args, ...own], {
    env: { ...process.env, BACKSCROLL_SERVER: join(folder, "server.mjs"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let [printed, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => printed.endsWith("\n") && resolve(printed));
    child.once("close", () => reject(new Error(errors)));
  });
  ready.catch(() => undefined);
  return { child, exit, ready, printed: () => printed, errors: () => errors };
}

async function hasAddress(host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(0, host, () => server.close(() => resolve(true)));
  });
}

const status = (url: string, headers = {}) => fetch(url, { headers }).then((response) => response.status);

test("with --host of the network the owner's address is printed, opens, is found by a second start, and ends", async (context) => {
  if (!(await hasAddress(NETWORK))) context.skip();
  const first = cli(["--host", NETWORK, "--port", "0"]);
  const ready = await first.ready;
  const [, url = "", token = ""] =
    /^Backscroll is ready at (http:\/\/127\.0\.0\.1:\d+)\/#t=(\S+)\n$/.exec(ready) ?? [];
  expect(ready).toContain(url);
  const bearer = { authorization: `Bearer ${token}` };
  expect(await status(`${url}/api/health`, bearer)).toBe(200);
  expect(first.errors()).toContain(`listening on ${NETWORK} without encryption`);
  const elsewhere = `http://[${NETWORK}]:${new URL(url).port}`;
  expect(await status(`${elsewhere}/api/health`, bearer)).toBe(401);

  const second = cli(["--host", NETWORK, "--port", new URL(url).port]);
  expect([await second.exit, second.printed(), second.errors()]).toEqual([0, ready, ""]);
  const doctor = cli(["doctor"], { BACKSCROLL_HOST: NETWORK });
  expect([await doctor.exit, doctor.printed()]).toEqual([0, `asked /api/doctor?format=text of ${NETWORK}\n`]);

  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  for (const gone of [url, elsewhere]) await expect(status(gone)).rejects.toThrow("fetch failed");
});

test("a command that starts a server of its own asks it on this machine, whatever BACKSCROLL_HOST says", async () => {
  for (const host of ["203.0.113.1", "no-such-name.invalid", "0.0.0.0"]) {
    const doctor = cli(["doctor"], { BACKSCROLL_HOST: host });
    expect([host, await doctor.exit, doctor.printed(), doctor.errors()]).toEqual([
      host,
      0,
      "asked /api/doctor?format=text of 127.0.0.1\n",
      "",
    ]);
  }
});

test("an address that this machine does not have is named, with port 0 too", async () => {
  for (const port of ["0", "24747"]) {
    const start = cli(["--host", "203.0.113.1", "--port", port]);
    expect([await start.exit, start.errors()]).toEqual([
      2,
      "backscroll: 203.0.113.1 is not an address of this machine. Give --host another, such as 127.0.0.1.\n",
    ]);
  }
});
