import type { CDPSession, Page } from "@playwright/test";
import { openSession, withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatCount, formatMegabytes, formatMs } from "../../harness/format";
import { limitRow } from "../../harness/judge";
import type { Section } from "../../harness/section";
import { untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";

const FRAMES_A_STEP = 3;

type Scrolled = { steps: number; maxElements: number; longestTaskMs: number; tasksOver50Ms: number };

/** What remains in the browser after scrolling a long session from end to end and back. */
export const scroll: Section = {
  name: "scroll",
  async run(bench) {
    const bytes = bench.quick ? 4_000_000 : 41_000_000;
    const { dir, truth } = sessionCorpus(bench, { bytes });
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser((browser) =>
          withPage(browser, async (page, cdp) => {
            await openSession(page, cdp, server, truth);
            const scrolled = await page.evaluate(scrollEndToEnd, FRAMES_A_STEP);
            const { heap, nodes } = await browserFigures(page, cdp);
            bench.say(`${scrolled.steps} steps, ${nodes} nodes in all, ${formatMegabytes(heap)} heap`);
            const size = formatMegabytes(bytes);
            return [
              {
                ...limitRow(
                  `DOM elements, ${size} session, most while scrolling`,
                  [scrolled.maxElements],
                  4000,
                  formatCount,
                ),
                note: `${formatCount(nodes)} nodes after`,
              },
              limitRow(`browser heap after scrolling ${size}`, [heap], 100_000_000, formatMegabytes),
              {
                ...limitRow("longest task while scrolling", [scrolled.longestTaskMs], 50, formatMs),
                note: `${scrolled.tasksOver50Ms} tasks over 50 ms`,
              },
            ];
          }),
        );
      }),
    );
  },
};

async function browserFigures(page: Page, cdp: CDPSession): Promise<{ heap: number; nodes: number }> {
  await page.waitForTimeout(1000);
  await cdp.send("HeapProfiler.enable");
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("Performance.enable");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: of("JSHeapUsedSize"), nodes: of("Nodes") };
}

/** Runs in the page: to the end in about 400 steps, then back to the start in 40. */
async function scrollEndToEnd(framesAStep: number): Promise<Scrolled> {
  const found: Scrolled = { steps: 0, maxElements: 0, longestTaskMs: 0, tasksOver50Ms: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      found.longestTaskMs = Math.max(found.longestTaskMs, duration);
      found.tasksOver50Ms++;
    }
  }).observe({ type: "longtask" });

  let scroller = document.querySelector("main [data-record-id]")?.parentElement ?? null;
  while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
  const target = scroller ?? document.scrollingElement;
  if (!target) throw new Error("nothing to scroll");

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const step = async (by: number) => {
    target.scrollTop += by;
    for (let waited = 0; waited < framesAStep; waited++) await frame();
    found.steps++;
    found.maxElements = Math.max(found.maxElements, document.getElementsByTagName("*").length);
  };
  const down = Math.max(600, target.scrollHeight / 400);
  // Row heights are estimates until rows are rendered, so the end moves, but only a limited number of times.
  while (target.scrollTop + target.clientHeight < target.scrollHeight - 2 && found.steps < 3000)
    await step(down);
  while (target.scrollTop > 0 && found.steps < 6000) await step(-down * 10);
  return found;
}
