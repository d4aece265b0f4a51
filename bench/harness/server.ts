import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stopProcess } from "@/lib/testing/stop-process";
import type { ArchiveResponse } from "@/lib/wire/archive";
import type { Health, SessionsResponse } from "@/lib/wire/library";
import { newestServer } from "../../bin/tasks/built-servers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TOKEN = "bench-bench-bench-bench";
/** Each poll takes some milliseconds from what is measured, and CPU time that scanning could use. */
const POLL_MS = 25;
/** The interval for polling what takes seconds. */
const LONG_POLL_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

/** A server under measurement: the production build, started as a user would start it. */
export type BenchServer = {
  url: string;
  token: string;
  pid: number;
  /** The value of `performance.now()` at its start. */
  startedAtMs: number;
  /** Calls the API; `null` until it answers with 200. */
  get<T>(path: string): Promise<T | null>;
  stop(): Promise<void>;
};

/** A temporary data folder, removed when `work` returns. */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-bench-data-"));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Starts a server on these folders, passes it to `work`, and stops it in any case. Does not wait until it answers. */
export async function withServer<T>(
  options: { claudeDirs: readonly string[]; dataDir: string; flags?: readonly string[] },
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const args = ["--port", String(port), "--no-open", "--data-dir", options.dataDir, "--token", TOKEN];
  const startedAtMs = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(ROOT, "bin", "backscroll.mjs"),
      ...args,
      ...(options.flags ?? []),
      ...options.claudeDirs.flatMap((dir) => ["--claude-dir", dir]),
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: serverEnv() },
  );
  const url = `http://127.0.0.1:${port}`;
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const get = async <Body>(path: string): Promise<Body | null> => {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${errors}`);
    try {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
      if (response.status === 200) return (await response.json()) as Body;
      await response.body?.cancel();
      return null;
    } catch (cause) {
      if (cause instanceof TypeError) return null; // Nothing is listening yet.
      throw cause;
    }
  };
  const stop = () => stopProcess(child);
  try {
    return await work({ url, token: TOKEN, pid: child.pid!, startedAtMs, get, stop });
  } finally {
    await stop();
  }
}

/** Milliseconds from the start until `/api/health` first answers with 200. */
export async function untilAnswer(server: BenchServer): Promise<number> {
  await until(async () => (await server.get<Health>("/api/health")) !== null);
  return performance.now() - server.startedAtMs;
}

/** Milliseconds from the start until every session is listed. */
export async function untilListed(server: BenchServer, sessions: number): Promise<number> {
  await until(async () => {
    const health = await server.get<Health>("/api/health");
    if (!health || health.indexing.phase === "listing") return false;
    const list = await server.get<SessionsResponse>("/api/sessions?limit=1");
    return list !== null && list.total >= sessions;
  });
  return performance.now() - server.startedAtMs;
}

/** Milliseconds from the start until every record has been read. */
export async function untilScanned(server: BenchServer): Promise<number> {
  await until(async () => (await server.get<Health>("/api/health"))?.indexing.done === true, LONG_POLL_MS);
  return performance.now() - server.startedAtMs;
}

/** Milliseconds from the start until all that has been read is kept in the archive, and how much that is. */
export async function untilKept(
  server: BenchServer,
): Promise<Pick<ArchiveResponse, "bytes" | "storedBytes"> & { keptMs: number }> {
  const logBytes = (await server.get<Health>("/api/health"))?.indexing.bytesTotal ?? 0;
  let kept: ArchiveResponse | null = null;
  await until(async () => {
    kept = await server.get<ArchiveResponse>("/api/archive");
    return kept !== null && kept.filling === null && kept.bytes >= logBytes;
  }, LONG_POLL_MS);
  const { bytes, storedBytes } = kept!;
  return { bytes, storedBytes, keptMs: performance.now() - server.startedAtMs };
}

/** Polls a path that answers 202 while its session is being scanned. */
export async function whenScanned<Body>(server: BenchServer, path: string): Promise<Body> {
  let body: Body | null = null;
  await until(async () => {
    body = await server.get<Body>(path);
    return body !== null;
  }, 50);
  return body!;
}

async function until(condition: () => Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  const giveUpAtMs = performance.now() + GIVE_UP_AFTER_MS;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) throw new Error("waited two minutes for the server in vain");
    await wait(pollMs);
  }
}

/** Chooses the port in advance, so that the first request can be sent before the ready line. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Uses the existing build, however old: the sources may be edited while it is measured. */
function serverEnv(): NodeJS.ProcessEnv {
  const built = newestServer();
  const server = process.env.BACKSCROLL_SERVER ?? (built ? join(built.folder, "server.js") : undefined);
  return { ...process.env, BACKSCROLL_SERVER: server };
}
