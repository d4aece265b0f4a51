import type { CDPSession } from "@playwright/test";

type TraceEvent = {
  name: string;
  ph: string;
  tid: number;
  ts: number;
  dur?: number;
  /** The part of `dur` that the thread was running, excluding time taken by other processes. */
  tdur?: number;
  args?: { name?: string };
};

/** What the page's main thread did during an interaction: milliseconds in each frame, and its longest task. */
export type TracedFrames = { framesMs: number[]; longestTaskMs: number };

/** Traces `drive`, in which every frame must request the next (`requestAnimationFrame`). */
export async function traceFrames(cdp: CDPSession, drive: () => Promise<unknown>): Promise<TracedFrames> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => void events.push(...(value as TraceEvent[]));
  cdp.on("Tracing.dataCollected", collect);
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["toplevel", "devtools.timeline", "__metadata"] },
  });
  await drive();
  const complete = new Promise<void>((resolve) => cdp.once("Tracing.tracingComplete", () => resolve()));
  await cdp.send("Tracing.end");
  await complete;
  cdp.off("Tracing.dataCollected", collect);
  return readFrames(events);
}

function readFrames(events: readonly TraceEvent[]): TracedFrames {
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ tid }) => tid),
  );
  const own = events.filter(({ tid }) => main.has(tid)).sort((a, b) => a.ts - b.ts);
  const framesMs: number[] = [];
  let workUs = 0;
  let longestTaskMs = 0;
  let frames = 0;
  // Tasks of another page in the same process would count as well, but the bench opens only one.
  for (const { name, ph, dur = 0, tdur = dur } of own) {
    if (name === "FireAnimationFrame") frames++;
    if (!name.endsWith("RunTask") || ph !== "X") continue;
    longestTaskMs = Math.max(longestTaskMs, dur / 1000);
    workUs += tdur;
    if (frames > 0) {
      framesMs.push(workUs / 1000);
      workUs = 0;
      frames = 0;
    }
  }
  return { framesMs, longestTaskMs };
}
