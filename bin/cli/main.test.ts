import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

const CLI = join(import.meta.dirname, "../backscroll.mjs");
/** Only this machine has it, and nothing here takes it for one of its own: it stands for an address of the network. */
const NETWORK = "::ffff:127.0.0.2";

/** In place of the built server, as strict about where the owner's token is taken, and proving that it knows it. */
const SERVER = `
import { createHmac } from "node:crypto";
import http from "node:http";
http
  .createServer(({ url, headers }, response) => {
    const proven = headers["x-backscroll-challenge"] + " " + headers.host;
    const proof = createHmac("sha256", process.env.BACKSCROLL_TOKEN).update(proven).digest("hex");
    response.setHeader("x-backscroll-proof", proof);
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

const ownFlags = () => [
  "--no-open",
  "--no-archive",
  "--claude-dir",
  join(folder, "claude"),
  "--data-dir",
  join(folder, "data"),
];

function cli(args: string[], env: Record<string, string> = {}, cwd = folder) {
  const child = spawn(process.execPath, [CLI, ...args, ...ownFlags()], {
    cwd,
    env: { ...process.env, BACKSCROLL_SERVER: join(folder, "server.mjs"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return followed(child);
}

function followed(child: ChildProcessByStdio<null, Readable, Readable>) {
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

/** Has the server answer with something else. */
function serverAnswers(expression: string) {
  writeFileSync(
    join(folder, "server.mjs"),
    SERVER.replace('"asked " + url + " of " + process.env.BACKSCROLL_HOST', expression),
  );
}

test("what a command reads and writes is where its caller is, not where the server that it starts puts itself", async () => {
  serverAnswers(
    "(process.chdir(import.meta.dirname), JSON.stringify({ total: 0, indexing: { done: true }, warnings: [] }))",
  );
  const caller = join(folder, "caller");
  mkdirSync(caller);
  writeFileSync(join(caller, "cart.ts"), "let a;\n");
  const marks = cli(["annotations", "export", "--output", "marks.json"], {}, caller);
  expect([await marks.exit, marks.errors()]).toEqual([0, ""]);
  expect(existsSync(join(caller, "marks.json"))).toBe(true);
  const why = cli(["why", "cart.ts:1", "--json"], {}, caller);
  expect([await why.exit, why.errors()]).toEqual([0, ""]);
});

test("npm start takes paths from where it was typed, not from the clone to which npm moves", async () => {
  serverAnswers("JSON.stringify({ total: 0, indexing: { done: true }, warnings: [] })");
  const typedIn = join(folder, "typed-in");
  mkdirSync(typedIn);
  const npm = { npm_lifecycle_event: "start", npm_package_name: "backscroll", INIT_CWD: typedIn };
  const marks = cli(["annotations", "export", "--output", "marks.json"], npm);
  expect([await marks.exit, marks.errors()]).toEqual([0, ""]);
  expect(existsSync(join(typedIn, "marks.json"))).toBe(true);
});

test("a report that is longer than a pipe holds is printed whole", async () => {
  serverAnswers('"x".repeat(2_000_000)');
  const doctor = cli(["doctor"]);
  expect(await doctor.exit).toBe(0);
  expect(doctor.printed().length).toBe(2_000_001);
});

test("a command asks the server that runs only if that has the prices which it was given", async () => {
  serverAnswers("String(process.pid)");
  const first = cli(["--port", "0"]);
  await first.ready;
  const prices = join(folder, "prices.json");
  writeFileSync(prices, "{}");
  const [same, other] = [cli(["doctor"]), cli(["doctor", "--prices", prices])];
  expect([await same.exit, same.printed()]).toEqual([0, `${first.child.pid}\n`]);
  expect([await other.exit, other.printed()]).toEqual([0, `${other.child.pid}\n`]);
  const second = cli(["--prices", prices]);
  expect([await second.exit, second.errors()]).toEqual([0, otherwise("--prices", first.child.pid)]);
});

test("prices that cannot be used are told with what to do", async () => {
  const words = join(folder, "prices.txt");
  writeFileSync(words, "four dollars");
  const large = join(folder, "large.json");
  writeFileSync(large, "");
  truncateSync(large, 17 << 20);
  const refused: [string, string][] = [
    [large, `${large} is too large for a table of prices. README shows their form.`],
    [folder, `${folder} is a folder. Give the file of prices in it as --prices.`],
    [`${words}.json`, `there is no file ${words}.json. Check the path given as --prices.`],
    [words, `the prices in ${words} are no JSON: `],
  ];
  if (process.platform !== "win32") refused.push(["/dev/null", "/dev/null is a pipe or a device. Save"]);
  for (const [path, told] of refused) {
    const start = cli(["--prices", path]);
    expect([await start.exit, start.errors().slice(0, 12 + told.length)]).toEqual([2, `backscroll: ${told}`]);
    expect(start.errors()).not.toContain("EISDIR");
  }
});

const otherwise = (flags: string, pid: number | undefined) =>
  `backscroll: already running otherwise than with this ${flags}; stop it first (process ${pid}).\n`;

test.skipIf(process.platform === "win32")("a start says whose port it is that does not answer", async () => {
  const first = cli(["--port", "0"]);
  const port = /:(\d+)\/#t=/.exec(await first.ready)?.[1] ?? "";
  first.child.kill("SIGSTOP");
  const second = cli(["--port", port]);
  expect([await second.exit, second.errors()]).toEqual([
    2,
    `backscroll: port ${port} is in use by the server of this data folder (process ${first.child.pid}), which does not answer. Try again, or stop it first.\n`,
  ]);
});

test("a second start says which of its flags the server that runs does not have", async () => {
  const first = cli(["--port", "0", "--allow-host", "a.test"]);
  await first.ready;
  const same = cli(["--allow-host", "a.test", "--host", "127.0.0.1", "--no-archive"]);
  expect([await same.exit, same.errors()]).toEqual([0, ""]);
  const others = ["--port", "65000", "--host", "0.0.0.0", "--base-path", "/logs", "--allow-host", "b.test"];
  const other = cli(others);
  expect([await other.exit, other.errors()]).toEqual([
    0,
    otherwise("--port and --host and --base-path and --allow-host", first.child.pid),
  ]);
});

test("a command whose running server is stopped meanwhile says so in one line", async () => {
  serverAnswers('url.includes("doctor") ? process.exit() : ""');
  const first = cli(["--port", "0"]);
  await first.ready;
  const doctor = cli(["doctor"]);
  expect([await doctor.exit, doctor.errors()]).toEqual([
    2,
    `backscroll: the running Backscroll that was asked (process ${first.child.pid}) has ended. Run the command again.\n`,
  ]);
});

test("a restore that is interrupted leaves no half of a log behind, for which the next one would be refused", async () => {
  writeFileSync(
    join(folder, "server.mjs"),
    `
import http from "node:http";
http
  .createServer(({ url }, response) => {
    if (url.includes("path=")) return void response.write("half");
    if (url.includes("originals")) return response.end('{"files":[{"path":"projects/a/abc.jsonl","bytes":8}]}');
    if (url.includes("health")) return response.end('{"indexing":{"phase":"done"}}');
    response.end('{"sessions":[{"id":"abc"}],"nextCursor":null}');
  })
  .listen(Number(process.env.PORT), process.env.HOSTNAME);
`,
  );
  const target = join(folder, "to/projects/a/abc.jsonl");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const restore = cli(["restore", "abc", "--to", join(folder, "to")]);
    await vi.waitFor(() => expect(readFileSync(target, "utf8")).toBe("half"), 20_000);
    restore.child.kill(signal);
    await restore.exit;
    expect([signal, restore.child.signalCode, existsSync(target)]).toEqual([signal, signal, false]);
  }
});

test("whoever has taken the port of a server that was killed is not sent the token", async () => {
  const asked: (string | undefined)[] = [];
  const other = createHttpServer(({ headers }, response) => {
    asked.push(headers.authorization);
    response.end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const first = cli(["--port", "0"]);
  await first.ready;
  first.child.kill("SIGKILL");
  await first.exit;
  const note = join(folder, "data", "server.json");
  // Its number may have gone to another process of this account, as this one is.
  for (const pid of [first.child.pid, process.pid]) {
    writeFileSync(note, JSON.stringify({ ...JSON.parse(readFileSync(note, "utf8")), port, pid }));
    const doctor = cli(["doctor"]);
    expect([await doctor.exit, doctor.errors()]).toEqual([0, ""]);
  }
  expect(asked).toEqual([undefined]);
});

test("what cannot be read in the data folder is told in one line, whether to serve or for a command", async () => {
  for (const name of ["token", "server.json"]) {
    mkdirSync(join(folder, "data"), { recursive: true });
    // In place of a file of another account, which root could read all the same.
    symlinkSync(name, join(folder, "data", name));
    for (const args of [["--port", "0"], ["doctor"]]) {
      const start = cli(args);
      expect([args, await start.exit, start.errors()]).toEqual([
        args,
        2,
        `backscroll: cannot use the data folder ${join(folder, "data")} (ELOOP). Give another with --data-dir DIR.\n`,
      ]);
    }
    rmSync(join(folder, "data"), { recursive: true });
  }
});

test.skipIf(process.platform === "win32")(
  "it serves on a full disk, where nothing can be written down",
  async () => {
    const args = [CLI, "--port", "0", "--token", "0123456789abcdef", ...ownFlags()];
    const start = followed(
      spawn("sh", ["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh", process.execPath, ...args], {
        env: { ...process.env, BACKSCROLL_SERVER: join(folder, "server.mjs") },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    expect(await start.ready).toMatch(/^Backscroll is ready at /);
    expect(start.errors()).toContain(
      "cannot be written (EFBIG), so other starts and commands do not find this one.",
    );
  },
);

test.skipIf(process.platform === "win32")(
  "annotations that do not fit on a disk leave no file, for which the next attempt would be refused",
  async () => {
    serverAnswers(
      'JSON.stringify({ total: 1, items: ["x".repeat(10_000)], indexing: { done: true }, warnings: [] })',
    );
    const file = join(folder, "marks.json");
    const args = [CLI, "annotations", "export", "--output", file, ...ownFlags()];
    const start = followed(
      spawn("sh", ["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh", process.execPath, ...args], {
        env: { ...process.env, BACKSCROLL_SERVER: join(folder, "server.mjs") },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    expect([await start.exit, start.errors()]).toEqual([
      2,
      `backscroll: cannot write ${file} (EFBIG). Give another file.\n`,
    ]);
    expect(existsSync(file)).toBe(false);
  },
);

test.skipIf(process.platform === "win32")(
  "a server that npm start began ends with the shell between them, to which alone npm hands a signal",
  async () => {
    const args = [CLI, "--port", "0", ...ownFlags()];
    const shell = spawn("sh", ["-c", '"$@"; true', "sh", process.execPath, ...args], {
      env: {
        ...process.env,
        ...{ BACKSCROLL_SERVER: join(folder, "server.mjs"), npm_lifecycle_event: "start" },
        npm_package_name: "backscroll",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { ready, exit } = followed(shell);
    const [url = ""] = /http:\/\/[^/]+/.exec(await ready) ?? [];
    const { pid } = JSON.parse(readFileSync(join(folder, "data", "server.json"), "utf8"));
    onTestFinished(() => {
      if (existsSync(join(folder, "data", "server.json"))) process.kill(pid, "SIGKILL");
    });
    expect(pid).not.toBe(shell.pid);
    shell.kill("SIGTERM");
    // Its output is closed when the server has ended too.
    await exit;
    await expect(status(url)).rejects.toThrow("fetch failed");
  },
);

test("a package takes the place of a running one of another version", async () => {
  const first = cli(["--port", "0"]);
  await first.ready;
  const note = join(folder, "data", "server.json");
  const noted = JSON.parse(readFileSync(note, "utf8"));
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  // A package has no fingerprint of its sources, nor has the server of this test.
  expect(noted.build).toBe(version);
  writeFileSync(note, JSON.stringify({ ...noted, build: "0.0.1" }));
  const second = cli(["--port", "0"]);
  expect(await second.ready).toMatch(/^Backscroll is ready at /);
  expect(second.errors()).toContain(`ended process ${first.child.pid}, which ran another build of it.`);
  expect(await first.exit).toBe(0);
});
