import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatCount, formatMs } from "../../harness/format";
import type { Bench, Row, Section } from "../../harness/section";
import { untilAnswer, untilListed, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";

const SMALL_TEXTS = 0.1;
const BUDGET_MS = 150;
const GAP_MS = 220;

/** From an appended line to the frame in which the rail, the minimap and the graph show it. */
export const graphLive: Section = {
  name: "graph-live",
  async run(bench) {
    const rows: Row[] = [];
    for (const records of bench.quick ? [1_000] : [1_000, 100_000])
      rows.push(...(await measureSize(bench, records)));
    return rows;
  },
};

async function measureSize(bench: Bench, records: number): Promise<Row[]> {
  const corpus = sessionCorpus(bench, { records, textScale: SMALL_TEXTS, agents: 0 });
  const dir = mkdtempSync(join(tmpdir(), "backscroll-bench-graph-"));
  // Cached corpora must not change.
  cpSync(corpus.dir, dir, { recursive: true });
  const { id } = corpus.truth;
  const samples = bench.quick ? 8 : 40;
  try {
    return await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilListed(server, 1);
        await untilScanned(server);
        const writer = new LogWriter(logOf(dir, id));
        return withBrowser((browser) =>
          withPage(browser, async (page) => {
            await page.addInitScript(watchPictures);
            const open = async (query: string, ready: string) => {
              await page.goto(`${server.url}/sessions/${id}${query}#t=${server.token}`);
              await page.locator(ready).first().waitFor({ timeout: 60_000 });
              await page.waitForTimeout(3_000);
            };
            await open("?follow=1", "main article[data-record-id]");
            const thread = await appendUntil(page, writer, samples, ["rail", "minimap"]);
            await open("?follow=1&view=graph", "[role=treeitem]");
            const graph = await appendUntil(page, writer, samples, ["graph"]);
            const label = (what: string) => `append → ${what}, ${formatCount(records)} records, p95`;
            return [
              rowOf(label("rail"), thread.rail ?? []),
              rowOf(label("minimap"), thread.minimap ?? []),
              rowOf(label("graph"), graph.graph ?? []),
            ];
          }),
        );
      }),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function rowOf(label: string, samplesMs: number[]): Row {
  const p95 = percentile(samplesMs, 0.95);
  return {
    label,
    budget: `≤ ${BUDGET_MS} ms`,
    measured: `${formatMs(p95)} (median ${formatMs(percentile(samplesMs, 0.5))})`,
    samples: samplesMs.length,
    ratio: null,
    ok: p95 <= BUDGET_MS,
  };
}

type Picture = "rail" | "minimap" | "graph";
type Seen = { value: number | string; atMs: number };

async function appendUntil(
  page: Page,
  writer: LogWriter,
  samples: number,
  pictures: readonly Picture[],
): Promise<Partial<Record<Picture, number[]>>> {
  const found: Partial<Record<Picture, number[]>> = {};
  for (let sample = 0; sample < samples; sample++) {
    const before = await seenNow(page);
    const writtenAtMs = performance.timeOrigin + performance.now();
    writer.say(`One more line, ${sample}`);
    for (const picture of pictures) {
      const seen = await untilOther(page, picture, before[picture]?.value);
      (found[picture] ??= []).push(seen.atMs - writtenAtMs);
    }
    await page.waitForTimeout(GAP_MS + (sample % 7) * 13);
  }
  return found;
}

async function untilOther(page: Page, picture: Picture, before: Seen["value"] | undefined): Promise<Seen> {
  for (let tries = 0; tries < 500; tries++) {
    const seen = (await seenNow(page))[picture];
    if (seen && seen.atMs > 0 && seen.value !== before) return seen;
    await page.waitForTimeout(15);
  }
  throw new Error(`the ${picture} has not changed within seven seconds`);
}

async function seenNow(page: Page): Promise<Partial<Record<Picture, Seen>>> {
  return page.evaluate(() => window.backscrollPictures ?? {});
}

declare global {
  interface Window {
    backscrollPictures?: Partial<
      Record<"rail" | "minimap" | "graph", { value: number | string; atMs: number }>
    >;
  }
}

/** Runs in the page, before its own scripts: notes the frame in which each picture first changes. */
function watchPictures(): void {
  const seen: NonNullable<Window["backscrollPictures"]> = {};
  window.backscrollPictures = seen;
  const values = () => ({
    // The spine beside the last row of the thread.
    rail: document
      .querySelector("main article[data-record-id][aria-posinset]:last-of-type")
      ?.getAttribute("data-record-id"),
    minimap: document.querySelector("svg[data-rows]")?.getAttribute("data-rows"),
    graph: document.querySelector("[role=treeitem][aria-selected=true]")?.textContent,
  });
  const look = () => {
    for (const [picture, value] of Object.entries(values()) as ["rail", string | null | undefined][]) {
      if (!value || seen[picture]?.value === value) continue;
      const entry = { value, atMs: 0 }; // painted with the next frame
      seen[picture] = entry;
      requestAnimationFrame(() => {
        entry.atMs = performance.timeOrigin + performance.now();
      });
    }
  };
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-rows", "data-record-id", "aria-selected"],
  });
}
