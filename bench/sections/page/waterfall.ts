import { join } from "node:path";
import { timeAxis } from "@/components/session/waterfall/time-axis";
import { busyTimes, readSpans, waterfallRows } from "@/components/session/waterfall/waterfall-model";
import { layOutChart } from "@/components/session/waterfall/waterfall-store";
import { scan } from "@/lib/server/scan/scanned-session";
import { spansOfBranch } from "@/lib/server/session/answers/session-spans";
import { OpenSession } from "@/lib/server/session/open-session";
import type { Span } from "@/lib/wire/spans";
import { openSession, withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatCount, formatMs } from "../../harness/format";
import { limitRow, timeRow } from "../../harness/judge";
import type { Row, Section } from "../../harness/section";
import { untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { type TracedFrames, traceFrames } from "../../harness/trace-frames";

const SMALL_TEXTS = 0.1;
/** Some 10,000 calls. */
const RECORDS = 32_000;
const READY_MS = 200;
const FRAME_MS = 8;
const FRAMES = 150;

/** Where the time of 10,000 calls went: asked for and laid out, and the chart zoomed, moved along and scrolled. */
export const waterfall: Section = {
  name: "waterfall",
  async run(bench) {
    const records = bench.quick ? 3_000 : RECORDS;
    const { dir, truth } = sessionCorpus(bench, { records, textScale: SMALL_TEXTS, agents: 0 });
    const ready = await timeSpans(dir, truth.path, bench.quick ? 2 : 9);
    const frames = await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser((browser) =>
          withPage(browser, async (page, cdp): Promise<Row[]> => {
            await openSession(page, cdp, server, truth);
            await page.keyboard.press("w");
            await page.getByRole("listbox", { name: "Steps by time" }).waitFor();
            await page.waitForTimeout(1500);
            const ways = ["zoomed", "moved along", "scrolled"] as const;
            const rows: Row[] = [];
            for (const way of ways) {
              const traced = await traceFrames(cdp, () =>
                page.evaluate(wheelOverChart, { way, frames: FRAMES }),
              );
              rows.push(frameRow(`waterfall of ${formatCount(ready.calls)} calls, ${way}`, traced));
            }
            return rows;
          }),
        );
      }),
    );
    return [
      {
        ...timeRow(`spans of ${formatCount(ready.calls)} calls, told and laid out`, ready.samples, READY_MS),
        note: `${formatCount(ready.spans)} spans`,
      },
      ...frames,
    ];
  },
};

function frameRow(label: string, { framesMs }: TracedFrames): Row {
  return {
    ...limitRow(`${label}: work a frame, p95`, [percentile(framesMs, 0.95)], FRAME_MS, formatMs),
    samples: framesMs.length,
  };
}

/** From the open session to what the page draws, in this process. */
async function timeSpans(
  dir: string,
  path: string,
  rounds: number,
): Promise<{ samples: number[]; calls: number; spans: number }> {
  const logs = [{ key: "m", agentId: null, meta: null }];
  const file = { path: join(dir, path), key: "m" };
  const scanned = await scan({ root: dir, files: [{ ...file, agentId: null }], logs }, () => undefined);
  const main = { ...file, name: path, bytes: 0 };
  const files = { id: "s", projectId: "p", root: dir, main, agents: [] } as unknown as OpenSession["files"];
  const samples: number[] = [];
  let answer = "[]";
  let calls = 0;
  for (let round = 0; round < rounds; round++) {
    // What is kept with a graph is not there for another one.
    const session = new OpenSession(files, logs, { ...scanned, graph: { ...scanned.graph } }, 1);
    calls = session.table.calls.size;
    const startedAtMs = performance.now();
    answer = JSON.stringify(await spansOfBranch(session, { branch: null, turn: null, only: null }));
    const model = readSpans(JSON.parse(answer) as Span[]);
    const rows = waterfallRows(model, { model: true, waiting: true });
    layOutChart(rows, timeAxis("active", busyTimes(model)), true);
    samples.push(performance.now() - startedAtMs);
  }
  return { samples, calls, spans: (JSON.parse(answer) as Span[]).length };
}

/** Runs in the page: one wheel event, or one step of scrolling, a frame, there and back. */
async function wheelOverChart({
  way,
  frames,
}: {
  way: "zoomed" | "moved along" | "scrolled";
  frames: number;
}): Promise<void> {
  const canvas = document.querySelector<HTMLCanvasElement>("[data-waterfall] canvas");
  const scroller = canvas?.closest(".overflow-y-auto");
  if (!canvas || !scroller) throw new Error("no waterfall");
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const center = {
    clientX: left + width * 0.7,
    clientY: top + height / 2,
    bubbles: true,
    cancelable: true,
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < frames; i++) {
    const sign = i < frames / 2 ? 1 : -1;
    if (way === "scrolled") scroller.scrollTop += sign * 48;
    else {
      const turned = way === "zoomed" ? { deltaY: sign * 30, ctrlKey: true } : { deltaX: sign * 37 };
      canvas.dispatchEvent(new WheelEvent("wheel", { ...center, ...turned }));
    }
    await frame();
  }
}
