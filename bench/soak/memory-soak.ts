import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "@/lib/testing/generate/random";
import type { SessionsResponse } from "@/lib/wire/library";
import { treeCorpus } from "../harness/corpus";
import { formatMegabytes } from "../harness/format";
import { memoryOf } from "../harness/process-figures";
import { type BenchServer, untilAnswer, untilScanned, withDataDir, withServer } from "../harness/server";
import { median } from "../harness/statistics";
import { MixedRequests } from "./mixed-requests";

/** Concurrent requests. */
const READERS = 4;
const LOGS_BYTES = 256 << 20;
const SAMPLE_EVERY_MS = 1_000;
/** The pause without requests at the end. */
const REST_MS = 20_000;
/** How much larger the last quarter of a run may be than the second; the first is a warm-up. */
const MAX_GROWTH = 1.1;
const MAX_BYTES = 400_000_000;
const MAX_BYTES_AFTER_REST = 300_000_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    cache: { type: "string", default: join(tmpdir(), "backscroll-bench") },
  },
});

const seed = Number(values.seed);
const durationMs = Number(values.minutes) * 60_000;
const corpus = treeCorpus(
  { quick: false, cache: values.cache, say: (text) => console.log(text) },
  LOGS_BYTES,
);
console.log(`${values.minutes} minutes of mixed requests over ${formatMegabytes(LOGS_BYTES)}, seed ${seed}`);
await withDataDir((dataDir) => withServer({ claudeDirs: [corpus.dir], dataDir }, soak));

async function soak(server: BenchServer): Promise<void> {
  await untilAnswer(server);
  await untilScanned(server);
  await wait(3_000);
  const list = await server.get<SessionsResponse>("/api/sessions?limit=1000");
  const sessions = list?.sessions ?? [];
  const projects = [...new Set(sessions.map(({ projectId }) => projectId))];
  const mixed = new MixedRequests(
    server,
    createRandom(seed),
    sessions.map(({ id }) => id),
    projects,
  );
  console.log(`after indexing ${show(rss(server))}`);
  const samples: number[] = [];
  const endsAtMs = performance.now() + durationMs;
  const readers = Array.from({ length: READERS }, async () => {
    while (performance.now() < endsAtMs) await mixed.one();
  });
  const lineEvery = Math.max(1, Math.round(durationMs / SAMPLE_EVERY_MS / 20));
  while (performance.now() < endsAtMs) {
    await wait(SAMPLE_EVERY_MS);
    samples.push(rss(server));
    if (samples.length % lineEvery === 0)
      console.log(`${String(samples.length).padStart(6)} s  ${show(median(samples.slice(-lineEvery)))}`);
  }
  await Promise.all(readers);
  await wait(REST_MS);
  report(mixed, samples, rss(server));
}

function report(mixed: MixedRequests, samples: readonly number[], rested: number): void {
  const quarter = Math.floor(samples.length / 4);
  const second = median(samples.slice(quarter, 2 * quarter));
  const last = median(samples.slice(-quarter));
  const peak = Math.max(...samples);
  for (const [route, { requests, failed }] of [...mixed.counts].sort(([a], [b]) => a.localeCompare(b)))
    console.log(
      `${route.padEnd(14)} ${String(requests).padStart(6)}${failed > 0 ? `  ${failed} failed` : ""}`,
    );
  const requests = [...mixed.counts.values()].reduce((sum, one) => sum + one.requests, 0);
  const failed = [...mixed.counts.values()].reduce((sum, one) => sum + one.failed, 0);
  console.log(`${requests} requests, ${failed} failed`);
  check("last quarter against the second", last / second <= MAX_GROWTH, `${show(second)} → ${show(last)}`);
  check(`peak ≤ ${show(MAX_BYTES)}`, peak <= MAX_BYTES, show(peak));
  check(
    `${REST_MS / 1000} s after the last request ≤ ${show(MAX_BYTES_AFTER_REST)}`,
    rested <= MAX_BYTES_AFTER_REST,
    show(rested),
  );
  check("no request failed", failed === 0, String(failed));
}

function check(what: string, holds: boolean, measured: string): void {
  console.log(`${holds ? "✓" : "✗"} ${what}: ${measured}`);
  if (!holds) process.exitCode = 1;
}

function rss({ pid }: BenchServer): number {
  const used = memoryOf(pid);
  if (used === null) throw new Error("The memory of a process can only be read on Linux");
  return used.now;
}

function show(bytes: number): string {
  return formatMegabytes(bytes);
}
