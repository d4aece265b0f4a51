import { withBrowser, withPage } from "../../harness/browser";
import { treeCorpus } from "../../harness/corpus";
import { formatCount, formatMs } from "../../harness/format";
import { limitRow } from "../../harness/judge";
import type { Row, Section } from "../../harness/section";
import { untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { traceFrames } from "../../harness/trace-frames";

/** What a screen of 60 Hz leaves for a frame. */
const FRAME_MS = 16;
const FRAMES = 300;
const STEP_PX = 60;

const LISTS = [
  { label: "library", path: "/", row: '[role="row"][aria-rowindex="3"]' },
  { label: "results of a search", path: "/search?q=the", row: '[role="listitem"]' },
] as const;

/** The lists of the library and of a search, scrolled two rows a frame. */
export const lists: Section = {
  name: "lists",
  async run(bench) {
    const { dir, truth } = treeCorpus(bench, bench.quick ? 16 << 20 : 256 << 20);
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser(async (browser) => {
          const rows: Row[] = [];
          for (const { label, path, row } of LISTS)
            await withPage(browser, async (page, cdp) => {
              await page.goto(`${server.url}${path}#t=${server.token}`);
              await page.locator(row).first().waitFor();
              await page.waitForTimeout(2000);
              const { framesMs } = await traceFrames(cdp, () =>
                page.evaluate(scrollList, { row, frames: FRAMES, stepPx: STEP_PX }),
              );
              const p95Ms = percentile(framesMs, 0.95);
              rows.push({
                ...limitRow(`${label}, scrolled: work a frame, p95`, [p95Ms], FRAME_MS, formatMs),
                samples: framesMs.length,
                note: `${formatCount(truth.sessions.length)} sessions`,
              });
            });
          return rows;
        });
      }),
    );
  },
};

/** Runs in the page. */
async function scrollList({
  row,
  frames,
  stepPx,
}: {
  row: string;
  frames: number;
  stepPx: number;
}): Promise<void> {
  let box: Element | null = document.querySelector(row);
  while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
  if (!box) throw new Error("nothing to scroll");
  for (let done = 0; done < frames; done++) {
    box.scrollTop += stepPx;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
