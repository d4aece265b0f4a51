import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, type Page } from "@playwright/test";
import type { SessionTruth } from "@/lib/testing/generate/truth";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { withBrowser, withPage } from "../../harness/browser";
import { type Corpus, sessionCorpus } from "../../harness/corpus";
import { formatMegabytes, formatMs } from "../../harness/format";
import type { Bench, Row, Section } from "../../harness/section";
import {
  type BenchServer,
  untilAnswer,
  untilListed,
  untilScanned,
  withDataDir,
  withServer,
} from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { liveLoad } from "./live-load";

const BUDGET_MS = 80;
/** While agents write 250 lines a second into the same session. */
const CROWDED_BUDGET_MS = 150;
/** Claude Code flushes its log every 100 ms. */
const FLUSH_MS = 100;
const GAP_MS = 220;
const FIRST_ROW_MS = 60_000;
const AGENTS = 50;
const AGENT_PAUSE_MS = 200;

/** What else is being written: nothing, the client's own records between messages, or agents' lines. */
type Load = "alone" | "interleaved" | "with agents";

const LABELS: Record<Load, string> = {
  alone: "",
  interleaved: ", other records between",
  "with agents": `, ${AGENTS} agents writing`,
};

/** How soon an appended line is readable in Chromium, and how other lines and clients affect that. */
export const live: Section = {
  name: "live",
  async run(bench) {
    const sizes = bench.quick ? [1_000_000] : [1_000_000, 200_000_000];
    const rows: Row[] = [];
    await withBrowser(async (browser) => {
      const run = async (bytes: number, load: Load) =>
        void rows.push(await appendToVisible(bench, browser, sessionCorpus(bench, { bytes }), bytes, load));
      for (const bytes of sizes) await run(bytes, "alone");
      for (const bytes of sizes) await run(bytes, "interleaved");
      await run(sizes[0] as number, "with agents");
    });
    return [...rows, ...(await liveLoad(bench))];
  },
};

async function appendToVisible(
  bench: Bench,
  browser: Browser,
  corpus: Corpus<SessionTruth>,
  bytes: number,
  load: Load,
): Promise<Row> {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-bench-live-"));
  // Cached corpora must not change.
  cpSync(corpus.dir, dir, { recursive: true });
  try {
    const samplesMs = await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilListed(server, 1);
        await untilScanned(server);
        const stop = writeAsAgents(logOf(dir, corpus.truth.id), load === "with agents" ? AGENTS : 0);
        try {
          return await withPage(browser, (page) =>
            measure(page, server, logOf(dir, corpus.truth.id), load, bench.quick ? 10 : 60),
          );
        } finally {
          stop();
        }
      }),
    );
    const p95 = percentile(samplesMs, 0.95);
    const budgetMs = load === "with agents" ? CROWDED_BUDGET_MS : BUDGET_MS;
    return {
      label: `append → visible, ${formatMegabytes(bytes)}${LABELS[load]}, p95`,
      budget: `≤ ${budgetMs} ms`,
      measured: `${formatMs(p95)} (median ${formatMs(percentile(samplesMs, 0.5))})`,
      samples: samplesMs.length,
      ratio: null,
      ok: p95 <= budgetMs,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Agents that write one line each, five times a second, until stopped. */
function writeAsAgents(mainLog: string, agents: number): () => void {
  const main = new LogWriter(mainLog);
  const writers = Array.from({ length: agents }, (_, n) =>
    main.startAgent(`abe${n.toString(16).padStart(14, "0")}`, `Look at part ${n}`),
  );
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    for (const writer of writers) writer.say(`Agent's line ${turn}`);
  }, AGENT_PAUSE_MS);
  return () => clearInterval(timer);
}

async function measure(
  page: Page,
  server: BenchServer,
  log: string,
  load: Load,
  samples: number,
): Promise<number[]> {
  await page.addInitScript(watchForMarks);
  await page.goto(`${server.url}/sessions/${basename(log, ".jsonl")}?follow=1#t=${server.token}`);
  await page.locator("main article[data-record-id]").first().waitFor({ timeout: FIRST_ROW_MS });
  await page.waitForTimeout(3000);
  const writer = new LogWriter(log);
  const samplesMs: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const mark = `seen-${sample}-mark`;
    if (load === "interleaved") {
      writer.request();
      await wait((sample * 37) % FLUSH_MS);
    }
    const writtenAtMs = performance.timeOrigin + performance.now();
    writer.say(`The bench says ${mark}`);
    if (load === "interleaved") setTimeout(() => writer.bookkeeping(), (sample * 23) % FLUSH_MS);
    const seenAtMs = await whenMarked(page, mark);
    samplesMs.push(seenAtMs - writtenAtMs);
    await page.waitForTimeout(GAP_MS + (sample % 7) * 13);
  }
  return samplesMs;
}

async function whenMarked(page: Page, mark: string): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const seen = await page.evaluate((wanted) => window.backscrollMarks?.[wanted] ?? 0, mark);
    if (seen > 0) return seen;
    await page.waitForTimeout(20);
  }
  throw new Error(`${mark} has not come within ten seconds`);
}

declare global {
  interface Window {
    backscrollMarks?: Record<string, number>;
  }
}

/** Runs in the page, before its own scripts: notes the frame in which each marker is first shown. */
function watchForMarks(): void {
  const marks: Record<string, number> = {};
  window.backscrollMarks = marks;
  const look = (records: MutationRecord[]) => {
    for (const record of records) {
      const found = /seen-\d+-mark/.exec(record.target.textContent?.slice(-4000) ?? "")?.[0];
      const all = found ? (record.target.textContent?.match(/seen-\d+-mark/g) ?? []) : [];
      for (const mark of all) {
        if (marks[mark] !== undefined) continue;
        marks[mark] = 0; // painted with the next frame
        requestAnimationFrame(() => {
          marks[mark] = performance.timeOrigin + performance.now();
        });
      }
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}
