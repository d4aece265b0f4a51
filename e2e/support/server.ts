import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stopProcess } from "@/lib/testing/stop-process";
import { newestServer } from "../../bin/tasks/built-servers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const READY = /^Backscroll is ready at (http:\/\/\S+)\/#t=(\S+)$/m;

/** A server under test. `url` has no trailing slash; `stop` ends the server and removes its data folder. */
export type TestServer = {
  url: string;
  token: string;
  dataDir: string;
  process: ChildProcess;
  /** What it has written to stderr so far. */
  errors: () => string;
  stop: () => Promise<void>;
};

export type ServerOptions = {
  /** Claude configuration folders. Without these, `paths` and `args`, the samples are served. */
  claudeDirs?: string[];
  /** Loose logs or folders of logs. */
  paths?: string[];
  args?: string[];
  env?: Record<string, string>;
  /** Kept if given; otherwise created and removed. */
  dataDir?: string;
  /** Another command than this repository's, such as that of an installed package. */
  cli?: string;
};

/** Starts `backscroll` on a free port with the existing production build, and resolves once it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { claudeDirs = [], paths = [], args = [], env = {} } = options;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "backscroll-test-"));
  const source = claudeDirs.length + paths.length + args.length === 0 ? ["--demo"] : [];
  const command = [
    options.cli ?? join(ROOT, "bin", "backscroll.mjs"),
    "--port",
    "0",
    "--no-open",
    "--data-dir",
    dataDir,
    ...claudeDirs.flatMap((folder) => ["--claude-dir", folder]),
    ...source,
    ...args,
    ...paths,
  ];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...(options.cli ? {} : { BACKSCROLL_SERVER: builtServer() }), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [url, token] = await readyLine(child, () => errors);
  const stop = async () => {
    await stopProcess(child);
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, token, dataDir, process: child, errors: () => errors, stop };
}

/**
 * Each request has a connection of its own: the server closes one that was idle for five seconds, and a test that was
 * busy for as long would send its next request on it.
 */
export const ALONE = { connection: "close" };

/**
 * Asks the API, as its owner unless `token` is another's, and resolves to the answer's body. Rejects where that is an
 * error, with its code.
 */
export async function ask<Body>(
  server: TestServer,
  path: string,
  { method = "GET", body, token = server.token }: { method?: string; body?: object; token?: string } = {},
): Promise<Body> {
  const answer = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: { ...ALONE, authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const json = (await answer.json()) as Body & { error?: { code: string } };
  if (json.error) throw new Error(`${answer.status} ${json.error.code}`);
  return json;
}

/** The server that `npm run build` produced. Without it, each test would start a build. */
export function builtServer(): string {
  const server = newestServer();
  if (server === null) throw new Error("There is no build. Run npm run build first.");
  return join(server.folder, "server.js");
}

function readyLine(child: ChildProcess, errors: () => string): Promise<[url: string, token: string]> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, url, token] = READY.exec(output) ?? [];
      if (url && token) resolve([url, token]);
    });
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${errors()}`)));
  });
}
