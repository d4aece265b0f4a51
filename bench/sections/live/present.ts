import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { LogWriter } from "@/lib/testing/log-writer";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent } from "@/lib/wire/live";
import type { Position } from "@/lib/wire/presence";
import type { CreatedShare } from "@/lib/wire/shares";
import { formatMegabytes, formatMs } from "../../harness/format";
import { memoryOf } from "../../harness/process-figures";
import type { Bench, Row, Section } from "../../harness/section";
import { type BenchServer, untilAnswer, untilListed, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";

const FOLLOWERS = 200;
/** A presenter who scrolls without a rest. */
const POSITION_EVERY_MS = 100;
const LINES_A_SECOND = 10;
const BUDGET_MS = 250;
const BUDGET_BYTES = 350e6;
const OWNER = "0123456789abcdef";

/** 200 guests of a link follow the owner through a session that is written to. */
export const present: Section = {
  name: "present",
  run: async (bench) => {
    const dir = mkdtempSync(join(tmpdir(), "backscroll-bench-present-"));
    try {
      const project = join(dir, "projects", "-home-dev-bench");
      mkdirSync(project, { recursive: true });
      const id = randomUUID();
      const writer = new LogWriter(join(project, `${id}.jsonl`));
      writer.prompt("Say many things");
      for (let n = 0; n < 500; n++) writer.say(`line ${n}`);
      return await withDataDir((dataDir) =>
        withServer({ claudeDirs: [dir], dataDir }, (server) => measure(bench, server, id, writer)),
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

async function measure(bench: Bench, server: BenchServer, uuid: string, writer: LogWriter): Promise<Row[]> {
  await untilAnswer(server);
  await untilListed(server, 1);
  const sessions = (await ask(server, server.token, "GET", "sessions")) as { sessions: { id: SessionId }[] };
  const sessionId = sessions.sessions.find(({ id }) => id.startsWith(uuid))?.id as SessionId;
  const link = (await ask(server, server.token, "POST", "shares", { sessionId })) as CreatedShare;
  const sharedId = decodeURIComponent(link.path.split("/")[2] ?? "");
  const sentAtMs = new Map<number, number>();
  const positionLags: number[] = [];
  const lineLags: number[] = [];
  let followers = 0;
  const follow = (event: LiveEvent) => {
    const nowMs = Date.now();
    if (event.kind === "presence" && event.presenting) {
      const at = sentAtMs.get(event.presenting.position.shown.turn ?? -1);
      if (at !== undefined) positionLags.push(nowMs - at);
    }
    if (event.kind !== "rows") return;
    for (const [index, row] of event.rows) {
      const at = row.kind === "text" ? Number(/at (\d+)/.exec(row.text.text)?.[1]) : Number.NaN;
      if (index >= event.stable && at > 0) lineLags.push(nowMs - at);
    }
  };
  const streams = [
    await openStream(server, server.token, sessionId, OWNER, (event) => {
      if (event.kind === "presence") followers = event.presenting?.followers?.count ?? 0;
    }),
  ];
  for (let n = 0; n < FOLLOWERS; n++)
    streams.push(await openStream(server, link.token, sharedId, `follower-${n}`, follow));
  await tell(server, server.token, { kind: "present", window: OWNER, position: positionAt(sessionId, 0) });
  await wait(1_000);
  for (let n = 0; n < FOLLOWERS; n++)
    await tell(server, link.token, {
      ...{ kind: "follow", window: `follower-${n}`, follows: true, name: `Reader ${n}` },
    });
  await wait(1_000);
  const overMs = bench.quick ? 3_000 : 20_000;
  const startedAtMs = performance.now();
  for (let n = 1; performance.now() - startedAtMs < overMs; n++) {
    const dueMs = startedAtMs + n * POSITION_EVERY_MS;
    if (n % (1_000 / POSITION_EVERY_MS / LINES_A_SECOND) === 0) writer.say(`line ${n} at ${Date.now()}`);
    sentAtMs.set(n, Date.now());
    await tell(server, server.token, { kind: "present", window: OWNER, position: positionAt(sessionId, n) });
    await wait(Math.max(0, dueMs - performance.now()));
  }
  await wait(1_000);
  const memory = memoryOf(server.pid);
  for (const stream of streams) stream.destroy();
  const label = `${FOLLOWERS} followers, ${1_000 / POSITION_EVERY_MS} positions and ${LINES_A_SECOND} lines/s`;
  const row = (what: string, budget: string, measured: string, samples: number, ok: boolean): Row => ({
    ...{ label: `${label}: ${what}`, budget, measured, samples, ratio: null, ok },
  });
  const p95 = percentile(positionLags, 0.95);
  const p99 = percentile(lineLags, 0.99);
  const words = (most: number, lags: number[]) =>
    `${formatMs(most)} (median ${formatMs(percentile(lags, 0.5))})`;
  return [
    row(
      ...(["owner → follower, p95", `≤ ${BUDGET_MS} ms`, words(p95, positionLags)] as const),
      ...([positionLags.length, positionLags.length > 0 && p95 <= BUDGET_MS] as const),
    ),
    row(
      ...(["line → follower, p99", `≤ ${BUDGET_MS} ms`, words(p99, lineLags)] as const),
      ...([lineLags.length, lineLags.length > 0 && p99 <= BUDGET_MS] as const),
    ),
    row("followers that the owner sees", String(FOLLOWERS), String(followers), 1, followers === FOLLOWERS),
    row(
      ...(["server memory, peak", `≤ ${formatMegabytes(BUDGET_BYTES)}`] as const),
      ...([formatMegabytes(memory?.peak ?? Number.NaN), 1, (memory?.peak ?? 0) <= BUDGET_BYTES] as const),
    ),
  ];
}

function positionAt(sessionId: SessionId, turn: number): Position {
  const recordId = "m~0" as RecordId;
  const none = { fold: null, runs: null, panes: null, view: null, at: null };
  return {
    sessionId,
    shown: {
      ...{ branch: null, agent: null, detail: "tools", turn, ...none },
      ...{ file: null, version: null, against: null, line: null },
      ...{ left: null, right: null, step: null, look: null, range: null },
    },
    thread: {
      ...{ at: { key: "m~0.0", recordId, block: 0 }, above: 0 },
      ...{ atEnd: true, open: [], selected: null, showsSelected: false },
    },
    scrolled: null,
    beside: [],
  };
}

async function ask(
  server: BenchServer,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/${path}`, {
    ...{ method, headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function tell(server: BenchServer, token: string, body: object): Promise<void> {
  await ask(server, token, "PUT", "presence", body);
}

function openStream(
  server: BenchServer,
  token: string,
  session: string,
  window: string,
  take: (event: LiveEvent) => void,
): Promise<IncomingMessage> {
  let rest = "";
  const onPiece = (piece: string) => {
    const parts = (rest + piece).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) take(JSON.parse(data.slice(6)) as LiveEvent);
    }
  };
  return new Promise((resolve, reject) => {
    const query = new URLSearchParams({ session, window });
    const request = get(
      `${server.url}/api/events?${query.toString()}`,
      { headers: { authorization: `Bearer ${token}` }, agent: false },
      (answer) => {
        answer.on("error", () => undefined); // closed by us at the end
        answer.setEncoding("utf8").on("data", onPiece);
        if (answer.statusCode === 200) resolve(answer);
        else reject(new Error(`A stream is refused: ${answer.statusCode}`));
      },
    );
    request.once("error", reject);
  });
}
