import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { findNpm, ROOT, run, StepFailure } from "../run.mjs";

const READY = /^Backscroll is ready at (http:\/\/\S+)\/#t=(\S+)$/m;
const SAMPLES = join(ROOT, "bin", "demo", "claude");
const MAX_START_MS = 15 * 60_000;
const MAX_READ_MS = 60_000;

/** @typedef {{ version: string, bin: string }} InstalledNode `bin` is the folder of its command */

/**
 * Runs `npm start` with each Node in a new clone of the last commit, requests its health, a page, a session's rows and
 * what its archive keeps, and prints a line about each. Resolves to the number of failures.
 *
 * @param {string} scratch
 * @param {InstalledNode[]} nodes
 */
export async function startOnNodes(scratch, nodes) {
  let faults = 0;
  for (const { version, bin } of nodes) {
    const folder = mkdtempSync(join(scratch, "clone-"));
    const clone = join(folder, "backscroll");
    try {
      await run("git", ["clone", "--quiet", "--no-hardlinks", ROOT, clone]);
      cpSync(SAMPLES, join(folder, "claude"), { recursive: true });
      process.stdout.write(`✓ npm start with Node ${version}: ${await startAndAsk(folder, clone, bin)}\n`);
    } catch (cause) {
      if (!(cause instanceof StepFailure)) throw cause;
      faults += 1;
      process.stdout.write(`✗ npm start with Node ${version}: ${cause.message}\n${cause.output.trimEnd()}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return faults;
}

/**
 * @param {string} folder holds the logs and the server's data
 * @param {string} clone
 * @param {string} bin
 * @returns {Promise<string>} a summary of what was checked
 */
async function startAndAsk(folder, clone, bin) {
  const flags = ["--claude-dir", join(folder, "claude"), "--data-dir", join(folder, "data")];
  const npm = findNpm();
  if (npm === null) throw new StepFailure("there is no npm beside this Node; use npm run platforms", "");
  const child = spawn(
    join(bin, process.platform === "win32" ? "node.exe" : "node"),
    [npm, "start", "--", "--port", "0", "--no-open", ...flags],
    {
      cwd: clone,
      env: {
        ...process.env,
        HOME: folder,
        npm_config_cache: join(dirname(folder), "npm-cache"), // one download for all of them
        PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  try {
    const [url, token, seconds] = await readyLine(child);
    return `ready after ${seconds} s, ${await ask(url, token)}`;
  } finally {
    // npm runs the server in a shell, so the whole process group is killed.
    if (child.pid !== undefined && child.exitCode === null)
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGTERM");
  }
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} child
 * @returns {Promise<[url: string, token: string, seconds: number]>}
 */
function readyLine(child) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => reject(new StepFailure("did not get ready", output)), MAX_START_MS);
    child.once("exit", (code) => reject(new StepFailure(`ended with ${code}`, output)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        const [, url, token] = READY.exec(output) ?? [];
        if (!url || !token) return;
        clearTimeout(timer);
        resolve([url, token, Math.round((performance.now() - startedAt) / 1_000)]);
      });
    }
  });
}

/**
 * @param {string} url
 * @param {string} token
 */
async function ask(url, token) {
  const get = async (/** @type {string} */ path) => {
    for (const endsAt = Date.now() + MAX_READ_MS; ; ) {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      if (answer.status === 200) return answer;
      if (answer.status !== 202 || Date.now() > endsAt)
        throw new StepFailure(`${path} answered ${answer.status}`, "");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const page = await (await get("/")).text();
  if (!page.includes("<html")) throw new StepFailure("the page is no HTML", page.slice(0, 500));
  let health = await (await get("/api/health")).json();
  for (
    const endsAt = Date.now() + MAX_READ_MS;
    !health.indexing.done;
    health = await (await get("/api/health")).json()
  ) {
    if (Date.now() > endsAt) throw new StepFailure("did not finish reading", JSON.stringify(health));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { sessions } = await (await get("/api/sessions?limit=1000")).json();
  if (sessions.length === 0) throw new StepFailure("found no sessions", "");
  let rows = 0;
  for (const { id } of sessions)
    rows += (await (await get(`/api/sessions/${encodeURIComponent(id)}/rows`)).json()).rows.length;
  if (rows === 0) throw new StepFailure("showed no rows", "");
  const { hits } = await (await get("/api/search?q=the")).json();
  const { filesTotal } = health.indexing;
  const files = await keptFiles(get, filesTotal);
  return `page, ${filesTotal} logs read, ${sessions.length} sessions with ${rows} rows, ${hits.length} hits of a search, ${files} files kept`;
}

/**
 * How many files the archive keeps, when every log is among them.
 *
 * @param {(path: string) => Promise<Response>} get
 * @param {number} logs
 * @returns {Promise<number>}
 */
async function keptFiles(get, logs) {
  for (const endsAt = Date.now() + MAX_READ_MS; ; ) {
    const kept = await (await get("/api/archive")).json();
    if (kept.files >= logs && kept.problems.length === 0) return kept.files;
    if (Date.now() > endsAt) throw new StepFailure("did not keep every log", JSON.stringify(kept));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
