import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { compiledFolder } from "../cli/compile-cache.mjs";
import { undoneWhenInterrupted } from "../cli/interrupted.mjs";
import { ROOT } from "./run.mjs";

const READY = /^Backscroll is ready at (http:\/\/\S+)\/#t=(\S+)$/m;

/** What hangs is ended: a start can do without. */
const MAX_MS = 60_000;
/** Threads write what they have compiled so long after their start (bin/cli/code-cache.cjs), and then some. */
const THREADS_WRITE_MS = 2_500;

/**
 * Begins what the starts of a built server find compiled (bin/cli/compile-cache.mjs): runs it once on the samples, asks
 * for each of its pages and routes, and ends it. Where that fails there is less, or nothing, and starts take longer.
 *
 * @param {string} server its folder
 */
export async function precompile(server) {
  mkdirSync(compiledFolder(server), { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-precompile-"));
  const child = spawn(
    process.execPath,
    [join(ROOT, "bin", "backscroll.mjs"), "--demo", "--no-open", "--port", "0", "--data-dir", dataDir],
    {
      env: { ...process.env, BACKSCROLL_SERVER: join(server, "server.js") },
      stdio: ["ignore", "pipe", "ignore"],
      timeout: MAX_MS,
    },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    await undoneWhenInterrupted(
      () => void child.kill(),
      async () => {
        const address = await Promise.race([readyLine(child), ended]);
        if (Array.isArray(address)) await askForAll(server, address[0], address[1]);
        child.kill();
        await ended;
      },
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<[url: string, token: string]>} stays open where it never gets ready
 */
function readyLine(child) {
  return new Promise((resolve) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
      const [, url, token] = READY.exec(output) ?? [];
      if (url && token) resolve([url, token]);
    });
  });
}

/**
 * @param {string} server
 * @param {string} url
 * @param {string} token
 */
async function askForAll(server, url, token) {
  /** @param {string} path */
  const ask = async (path) => {
    try {
      const signal = AbortSignal.timeout(MAX_MS);
      return await fetch(url + path, { headers: { authorization: `Bearer ${token}` }, signal });
    } catch {
      return null; // It has ended.
    }
  };
  const answer = await ask("/api/sessions?limit=1");
  const [session] =
    /** @type {{ sessions?: { id: string }[] }} */ ((await answer?.json()) ?? {}).sessions ?? [];
  const id = session?.id ?? "none";
  const manifest = readFileSync(join(server, ".next", "app-path-routes-manifest.json"), "utf8");
  /** @type {string[]} */
  const routes = Object.values(JSON.parse(manifest));
  // What they need most, and with it the threads that they start.
  const usual = [`/api/sessions/${id}/rows?detail=tools&runs=folded&count=80`, "/api/search?q=the"];
  const all = routes.map((route) => route.replace("[id]", id).replaceAll(/\[+[^\]]*\]+/g, "none"));
  for (const path of [...usual, ...all]) await (await ask(path))?.body?.cancel();
  await wait(THREADS_WRITE_MS);
}
