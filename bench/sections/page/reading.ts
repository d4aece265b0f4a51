import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { writeLargeCalls } from "@/lib/testing/generate/choose-calls";
import { openSession, withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatCount, formatMs } from "../../harness/format";
import { limitRow } from "../../harness/judge";
import type { Row, Section } from "../../harness/section";
import { untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { traceFrames } from "../../harness/trace-frames";

const MAX_TASK_MS = 50;
const FRAME_WORK_MS = 8;
const SETTLE_MS = 2_500;

/** The browser's cost of reading: opening large content and scrolling long threads. */
export const reading: Section = {
  name: "reading",
  async run(bench) {
    const large = join(bench.cache, "large-calls");
    rmSync(large, { recursive: true, force: true });
    mkdirSync(large, { recursive: true });
    const calls = writeLargeCalls(large);
    const { dir, truth } = sessionCorpus(bench, { records: bench.quick ? 3_000 : 16_000, textScale: 0.1 });
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [large, dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser(async (browser): Promise<Row[]> => {
          const opened = await withPage(browser, async (page, cdp) => {
            await openSession(page, cdp, server, calls);
            return [
              await openingRow(page, "table.ts", "a diff of 2,000 lines"),
              await openingRow(page, "print-table", "an output of 1 MB"),
            ].flat();
          });
          const scrolled = await withPage(browser, async (page, cdp) => {
            await openSession(page, cdp, server, truth);
            await page.keyboard.press("4");
            await page.waitForTimeout(1_000);
            const total = Number(
              await page.locator("article[aria-setsize]").first().getAttribute("aria-setsize"),
            );
            const work = await frameWork(page, () => page.evaluate(scrollDown, bench.quick ? 120 : 400));
            bench.say(
              `${formatCount(total)} rows, ${work.length} frames, median ${formatMs(percentile(work, 0.5))}, most ${formatMs(Math.max(...work))}`,
            );
            return [
              {
                ...limitRow(
                  `work a frame, scrolling ${formatCount(total)} rows, p95`,
                  [percentile(work, 0.95)],
                  FRAME_WORK_MS,
                  formatMs,
                ),
                note: `${work.length} frames, most ${formatMs(Math.max(...work))}`,
              },
            ];
          });
          return [...opened, ...scrolled];
        });
      }),
    );
  },
};

/** Opens the row that mentions `subject`, then shows all of it, and reports the longest task of each. */
async function openingRow(page: Page, subject: string, what: string): Promise<Row[]> {
  await page.evaluate(watchTasks);
  const row = page.locator("article", { hasText: subject }).first();
  await row
    .getByRole("button", { name: /^Open /, expanded: false })
    .first()
    .click();
  const showAll = row.getByRole("button", { name: /^Show all/ }).first();
  await showAll.waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const opening = await page.evaluate(takeTasks);
  await showAll.click();
  await page.waitForTimeout(SETTLE_MS * 3);
  const all = await page.evaluate(takeTasks);
  await row
    .getByRole("button", { name: /^Close /, expanded: true })
    .first()
    .click();
  const longest = (tasks: readonly number[]) => [Math.max(0, ...tasks)];
  return [
    limitRow(`longest task, opening ${what}`, longest(opening), MAX_TASK_MS, formatMs),
    {
      ...limitRow(`longest task, showing all of ${what}`, longest(all), MAX_TASK_MS, formatMs),
      note: `${all.length} over 50 ms`,
    },
  ];
}

declare global {
  interface Window {
    backscrollTasksMs?: number[];
  }
}

/** Main-thread work in each frame while `drive` runs, in milliseconds. The browser must show no other page. */
async function frameWork(page: Page, drive: () => Promise<unknown>): Promise<number[]> {
  const cdp = await page.context().newCDPSession(page);
  const { framesMs } = await traceFrames(cdp, drive);
  await cdp.detach();
  return framesMs;
}

/** Runs in the page. Only tasks over 50 ms are reported by the browser. */
function watchTasks(): void {
  const tasks: number[] = [];
  window.backscrollTasksMs = tasks;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: "longtask" });
}

/** Runs in the page. */
function takeTasks(): number[] {
  return window.backscrollTasksMs?.splice(0) ?? [];
}

/** Runs in the page: half a screen per frame, like a fast wheel. */
async function scrollDown(steps: number): Promise<void> {
  const main = document.querySelector("main");
  for (let step = 0; step < steps; step++) {
    main?.scrollBy(0, 120);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
