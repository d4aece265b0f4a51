import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LogWriter } from "@/lib/testing/log-writer";
import type { LiveEvent } from "@/lib/wire/live";
import type { RowsResponse } from "@/lib/wire/rows";
import { formatMegabytes, formatMs } from "../../harness/format";
import { cpuMsOf, memoryOf } from "../../harness/process-figures";
import type { Bench, Row } from "../../harness/section";
import {
  type BenchServer,
  untilAnswer,
  untilListed,
  whenScanned,
  withDataDir,
  withServer,
} from "../../harness/server";
import { percentile } from "../../harness/statistics";

const FILES = 20;
const CLIENTS = 100;
const STALLED = 10;
const LINES_A_SECOND = 10_000;
const TICK_MS = 20;
const BUDGET_MS = 250;
const BUDGET_BYTES = 350e6;

/** A client of a session's stream, with the number of rows it knows of and the latency of each. */
class Client {
  readonly latenciesMs: number[] = [];
  total = 0;
  #rest = "";

  take(piece: string): void {
    const parts = (this.#rest + piece).split("\n\n");
    this.#rest = parts.pop() ?? "";
    const nowMs = Date.now();
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) this.#event(JSON.parse(data.slice(6)) as LiveEvent, nowMs);
    }
  }

  #event(event: LiveEvent, nowMs: number): void {
    if (event.kind !== "rows") return;
    this.total = event.total;
    for (const [index, row] of event.rows) {
      if (index < event.stable || row.kind !== "text") continue;
      const atMs = Number(/at (\d+)/.exec(row.text.text)?.[1]);
      if (atMs > 0) this.latenciesMs.push(nowMs - atMs);
    }
  }
}

/** 10,000 lines a second into 20 files, with 100 clients of which 10 never read. */
export async function liveLoad(bench: Bench): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-bench-load-"));
  try {
    const project = join(dir, "projects", "-home-dev-bench");
    mkdirSync(project, { recursive: true });
    const ids = Array.from({ length: FILES }, () => randomUUID());
    const writers = ids.map((id) => new LogWriter(join(project, `${id}.jsonl`)));
    for (const writer of writers) writer.prompt("Say many things");
    return await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, (server) => load(bench, server, ids, writers)),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function load(bench: Bench, server: BenchServer, ids: string[], writers: LogWriter[]): Promise<Row[]> {
  await untilAnswer(server);
  await untilListed(server, FILES);
  const clients: Client[] = [];
  const answers: IncomingMessage[] = [];
  for (let n = 0; n < CLIENTS; n++) {
    const client = new Client();
    const stalled = n < STALLED;
    if (!stalled) clients.push(client);
    answers.push(await openStream(server, ids[n % FILES]!, stalled ? null : (piece) => client.take(piece)));
  }
  await wait(1000);
  const overMs = bench.quick ? 5_000 : 30_000;
  const lines = await writeFor(overMs, writers);
  bench.say(`${lines} lines written`);
  await wait(2000);
  const lost = await countLost(server, ids, clients, lines / FILES);
  await wait(3000);
  const cpu = cpuMsOf(server.pid);
  await wait(3000);
  const idle = ((cpuMsOf(server.pid) ?? Number.NaN) - (cpu ?? 0)) / 30;
  const memory = memoryOf(server.pid);
  for (const answer of answers) answer.destroy();
  const latencies = clients.flatMap((client) => client.latenciesMs);
  const p99 = percentile(latencies, 0.99);
  const label = `${LINES_A_SECOND.toLocaleString("en-US")} lines/s for ${overMs / 1000} s, ${CLIENTS} clients, ${STALLED} stalled`;
  const row = (what: string, budget: string, measured: string, ok: boolean): Row => {
    return { label: `${label}: ${what}`, budget, measured, samples: latencies.length, ratio: null, ok };
  };
  return [
    row(
      "line → client, p99",
      `≤ ${BUDGET_MS} ms`,
      `${formatMs(p99)} (median ${formatMs(percentile(latencies, 0.5))})`,
      p99 <= BUDGET_MS,
    ),
    row("rows lost", "0", String(lost), lost === 0),
    row(
      "server memory, peak",
      `≤ ${formatMegabytes(BUDGET_BYTES)}`,
      formatMegabytes(memory?.peak ?? Number.NaN),
      (memory?.peak ?? 0) <= BUDGET_BYTES,
    ),
    row("CPU 5 s after", "< 0.5 %", `${idle.toFixed(2)} %`, idle < 0.5),
  ];
}

/** Without `take` the response is never read, like that of a suspended client. */
function openStream(
  server: BenchServer,
  id: string,
  take: ((piece: string) => void) | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const request = get(`${server.url}/api/events?session=${id}`, { headers, agent: false }, (answer) => {
      answer.on("error", () => undefined); // closed by the server, or by us at the end
      if (take) answer.setEncoding("utf8").on("data", take);
      else answer.pause();
      resolve(answer);
    });
    request.once("error", reject);
  });
}

async function writeFor(overMs: number, writers: LogWriter[]): Promise<number> {
  const startedAtMs = performance.now();
  let written = 0;
  for (let elapsedMs = 0; elapsedMs < overMs; elapsedMs = performance.now() - startedAtMs) {
    const due = Math.floor((elapsedMs / 1000) * (LINES_A_SECOND / FILES)) - written;
    if (due > 0) {
      for (const writer of writers)
        writer.say(...Array.from({ length: due }, (_, n) => `line ${written + n} at ${Date.now()}`));
      written += due;
    }
    await wait(TICK_MS);
  }
  return written * FILES;
}

/** Rows missing from a thread or a client, which should have a prompt and every line. */
async function countLost(
  server: BenchServer,
  ids: string[],
  clients: Client[],
  linesPerFile: number,
): Promise<number> {
  let lost = 0;
  for (const id of ids) {
    const answer = await whenScanned<RowsResponse>(server, `/api/sessions/${id}/rows?count=1`);
    lost += Math.abs(linesPerFile + 1 - answer.total);
  }
  for (const { total } of clients) lost += Math.abs(linesPerFile + 1 - total);
  return lost;
}
