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

/** What a page asks some routes for: they answer nothing else, or less. */
const QUERIES = new Map(
  Object.entries({
    "/api/annotations": "kinds=search",
    "/api/search": "zone=UTC&q=the",
    "/api/sessions": "zone=UTC&sort=active&limit=100",
    "/api/sessions/[id]/errors": "detail=tools&runs=folded",
    "/api/sessions/[id]/graph": "detail=tools&runs=folded&rows=1",
    "/api/sessions/[id]/outline": "detail=tools&runs=folded&from=0&count=80",
    "/api/sessions/[id]/rows": "detail=tools&runs=folded&count=80&beginning=1",
    "/api/usage": "zone=UTC&by=day&agents=1",
    "/api/why": "text=export%20function",
  }),
);

/**
 * Begins what the starts of a built server find compiled (bin/cli/compile-cache.mjs): runs it once on the samples, asks
 * for each of its pages and routes, and ends it. What it could not ask for is compiled by starts. Rejects with the
 * system's errors, such as of a full disk.
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
      env: { ...withoutOwnFlags(process.env), BACKSCROLL_SERVER: join(server, "server.js") },
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
      },
    );
  } finally {
    child.kill();
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * The environment without Backscroll's flags: those of whoever starts it are for their sessions, and an archive of theirs
 * would keep the samples.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function withoutOwnFlags(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^BACKSCROLL_/i.test(name)));
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
  for (const route of routes) {
    const path = route.replace("[id]", id).replaceAll(/\[+[^\]]*\]+/g, "none");
    await (await ask(`${path}?${QUERIES.get(route) ?? ""}`))?.body?.cancel();
  }
  await wait(THREADS_WRITE_MS);
}
