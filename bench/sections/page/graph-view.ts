import type { CDPSession, Page } from "@playwright/test";
import { readGraph } from "@/components/graph/graph-model";
import type { GraphResponse } from "@/lib/wire/graph";
import { openSession, withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatCount, formatMs } from "../../harness/format";
import { limitRow, timeRow } from "../../harness/judge";
import type { Row, Section } from "../../harness/section";
import { type BenchServer, untilAnswer, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { type TracedFrames, traceFrames } from "../../harness/trace-frames";

const SMALL_TEXTS = 0.1;
const FRAME_MS = 8;
const LONG_TASK_MS = 50;
const SWITCH_MS = 300;
const FRAMES = 150;

/**
 * The cost of moving around a long session: panning and zooming the graph, scrolling the thread, switching a branch.
 */
export const graphView: Section = {
  name: "graph-view",
  async run(bench) {
    const wanted = bench.quick ? 5000 : 100_000;
    const { dir, truth } = sessionCorpus(bench, { records: wanted, textScale: SMALL_TEXTS, agents: 0 });
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser((browser) =>
          withPage(browser, async (page, cdp) => {
            await openSession(page, cdp, server, truth);
            const label = `${formatCount(wanted)} records`;
            const scrolled = await traceFrames(cdp, () => page.evaluate(scrollThread, FRAMES));
            const switched = await switchBranches(server, page, truth.id);
            await page.keyboard.press("g");
            await page.getByRole("tree").waitFor();
            await page.waitForTimeout(1500);
            const panned = await wheel(page, cdp, { deltaX: 37, zooms: false });
            const zoomed = await wheel(page, cdp, { deltaX: 0, zooms: true });
            return [
              ...frameRows(`graph of ${label}, panned`, panned),
              ...frameRows(`graph of ${label}, zoomed`, zoomed),
              ...frameRows(`thread and rail of ${label}, scrolled`, scrolled),
              timeRow(`branch of ${label} switched`, switched, SWITCH_MS),
            ];
          }),
        );
      }),
    );
  },
};

function frameRows(label: string, { framesMs, longestTaskMs }: TracedFrames): Row[] {
  const p95 = percentile(framesMs, 0.95);
  return [
    { ...limitRow(`${label}: work a frame, p95`, [p95], FRAME_MS, formatMs), samples: framesMs.length },
    limitRow(`${label}: longest task`, [longestTaskMs], LONG_TASK_MS, formatMs),
  ];
}

function wheel(page: Page, cdp: CDPSession, way: { deltaX: number; zooms: boolean }): Promise<TracedFrames> {
  return traceFrames(cdp, () => page.evaluate(wheelOverGraph, { ...way, frames: FRAMES }));
}

/** Runs in the page: one wheel event per frame, zooming out to the whole session and back in, or panning along it. */
async function wheelOverGraph({
  deltaX,
  zooms,
  frames,
}: {
  deltaX: number;
  zooms: boolean;
  frames: number;
}): Promise<void> {
  const canvas = [...document.querySelectorAll("canvas")].at(-1);
  if (!canvas) throw new Error("no graph");
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const center = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < frames; i++) {
    const deltaY = zooms ? (i < frames / 2 ? 30 : -30) : 0;
    canvas.dispatchEvent(
      new WheelEvent("wheel", {
        ...center,
        deltaX: i < frames / 2 ? deltaX : -deltaX,
        deltaY,
        ctrlKey: zooms,
      }),
    );
    await frame();
  }
}

/** Runs in the page: scrolls the thread by two rows per frame. */
async function scrollThread(frames: number): Promise<void> {
  const thread = document.querySelector("main");
  if (!thread) throw new Error("no thread");
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < frames; i++) {
    thread.scrollTop += 48;
    await frame();
  }
}

/** From the key press until the fork's row shows the other branch. */
async function switchBranches(server: BenchServer, page: Page, id: string): Promise<number[]> {
  const answer = await server.get<GraphResponse>(`/api/sessions/${id}/graph`);
  const { items, lines } = readGraph(answer!);
  const branch = lines.find(({ agent, parent, leaves }) => agent === null && parent === 0 && leaves !== -1);
  // The item after the fork on the line it leaves, so that the fork's row is above it.
  const recordId = branch && items[branch.leaves + 1]?.id;
  if (!recordId) throw new Error("the generated session has no fork");
  await page.goto(`${server.url}/sessions/${id}?at=${recordId}`);
  const next = page.getByRole("button", { name: "Next branch" }).first();
  await next.waitFor();
  await page.waitForTimeout(500);
  const samples: number[] = [];
  for (let round = 0; round < 5; round++) {
    samples.push(await page.evaluate(switchOnce));
    await page.waitForTimeout(300);
  }
  return samples;
}

/** Runs in the page. */
async function switchOnce(): Promise<number> {
  const row = () => document.querySelector('button[aria-label="Next branch"]')?.closest("article");
  const shown = () => row()?.textContent?.match(/(\d+) of (\d+)/)?.[0];
  const before = shown();
  const startedAtMs = performance.now();
  row()?.querySelector<HTMLButtonElement>('button[aria-label="Next branch"]')?.click();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  while (performance.now() - startedAtMs < 10_000) {
    await frame();
    const now = shown();
    if (now !== undefined && now !== before) return performance.now() - startedAtMs;
  }
  throw new Error("the branch was not switched");
}
