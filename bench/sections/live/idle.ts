import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { withBrowser, withPage } from "../../harness/browser";
import { missingRow } from "../../harness/judge";
import { cpuMsOf } from "../../harness/process-figures";
import type { Bench, Row, Section } from "../../harness/section";
import { type BenchServer, untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";

/** Until what a page caused is over. */
const SETTLE_MS = 25_000;
/** Until what the start caused is over: V8 collects garbage up to three more times, the last after 15 to 40 s. */
const SETTLE_AFTER_START_MS = 50_000;
const BUDGET_PERCENT = 0.5;
const FILES = [2000, 5000];
const QUICK_FILES = [200];
const FILES_A_PROJECT = 50;

/**
 * The share of a core that the server uses while nothing changes among thousands of logs: alone, with a tab in the
 * background that tells of what is new, and with a page open.
 */
export const idle: Section = {
  name: "idle",
  async run(bench) {
    const rows: Row[] = [];
    for (const files of bench.quick ? QUICK_FILES : FILES) rows.push(...(await idleWith(bench, files)));
    return rows;
  },
};

async function idleWith(bench: Bench, wanted: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-idle-"));
  try {
    const files = writeLogs(folder, wanted);
    return await withDataDir((dataDir) =>
      withServer({ claudeDirs: [folder], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        const alone = await measure(bench, server, `idle CPU with ${files} files`, SETTLE_AFTER_START_MS);
        const told = await whileTold(server, () => measure(bench, server, "  and a tab that waits for news"));
        return withBrowser((browser) =>
          withPage(browser, async (page) => {
            await page.goto(`${server.url}/#t=${server.token}`);
            return [alone, told, await measure(bench, server, "  and a page open")];
          }),
        );
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Holds the stream by which a browser with rules for notifications hears of what is new. */
async function whileTold<Result>({ url, token }: BenchServer, run: () => Promise<Result>): Promise<Result> {
  const end = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/events?news=1`, { headers, signal: end.signal });
  if (!answer.ok) throw new Error(`No news: ${answer.status}`);
  // Read to its end, which comes with the abort.
  const read = answer.text().catch(() => undefined);
  const result = await run();
  end.abort();
  await read;
  return result;
}

async function measure(bench: Bench, server: BenchServer, label: string, settleMs = SETTLE_MS): Promise<Row> {
  const overMs = bench.quick ? 3000 : 40_000;
  await wait(bench.quick ? 5000 : settleMs);
  const before = cpuMsOf(server.pid);
  await wait(overMs);
  const after = cpuMsOf(server.pid);
  if (before === null || after === null) return missingRow(label, `≤ ${BUDGET_PERCENT} %`, "needs /proc");
  const percent = ((after - before) / overMs) * 100;
  return {
    label,
    budget: `≤ ${BUDGET_PERCENT} %`,
    measured: `${percent.toFixed(2)} %`,
    samples: 1,
    ratio: null,
    ok: percent <= BUDGET_PERCENT,
    note: `over ${overMs / 1000} s`,
  };
}

/** Short sessions in many projects, as after years of use. Returns the number of logs. */
function writeLogs(folder: string, files: number): number {
  for (let file = 0; file < files; file++) {
    const project = join(folder, "projects", `-home-dev-project-${Math.floor(file / FILES_A_PROJECT)}`);
    mkdirSync(project, { recursive: true });
    const id = `00000000-0000-4000-8000-${String(file).padStart(12, "0")}`;
    const base = { cwd: project, sessionId: id, timestamp: new Date(1.7e12 + file * 1e6).toISOString() };
    const lines = [
      { ...base, type: "user", uuid: `${id}u`, message: { role: "user", content: `the prompt of ${file}` } },
      {
        ...base,
        type: "assistant",
        uuid: `${id}a`,
        parentUuid: `${id}u`,
        message: { id: `m${file}`, role: "assistant", content: [{ type: "text", text: "the answer" }] },
      },
    ];
    writeFileSync(join(project, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"))
    .length;
}
