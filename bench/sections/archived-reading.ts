import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import type { SessionTruth, TreeTruth } from "@/lib/testing/generate/truth";
import type { ArchiveResponse } from "@/lib/wire/archive";
import type { SearchResponse } from "@/lib/wire/search";
import { openSession, withBrowser, withPage } from "../harness/browser";
import { sessionCorpus, treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { timeRow } from "../harness/judge";
import type { Bench, Row, Section } from "../harness/section";
import { type BenchServer, untilAnswer, untilListed, untilScanned, withServer } from "../harness/server";
import { median } from "../harness/statistics";

const SLOWER_OPENING = 1.5;
const SLOWER_SEARCH = 2;

/** Reading a session and searching a library of which only the archive is left, against the same from logs. */
export const archivedReading: Section = {
  name: "archived-reading",
  async run(bench) {
    return [...(await openings(bench)), ...(await searches(bench))];
  },
};

/** A copy of logs, which can be deleted, and a data folder with their archive in it. */
type Place = { claudeDir: string; dataDir: string };

async function withPlace<T>(dir: string, work: (place: Place) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-bench-archived-"));
  const place = { claudeDir: join(folder, "claude"), dataDir: join(folder, "data") };
  try {
    cpSync(dir, place.claudeDir, { recursive: true });
    mkdirSync(place.dataDir, { mode: 0o700 });
    return await work(place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function serve<T>({ claudeDir, dataDir }: Place, work: (server: BenchServer) => Promise<T>): Promise<T> {
  return withServer({ claudeDirs: [claudeDir], dataDir }, work);
}

/** Everything in the data folder goes but the archive: then no session was ever scanned. */
function forgetIndex({ dataDir }: Place): void {
  for (const name of readdirSync(dataDir))
    if (name !== "archive") rmSync(join(dataDir, name), { recursive: true });
}

/** The logs' folder stays, empty. */
function deleteLogs({ claudeDir }: Place): void {
  rmSync(join(claudeDir, "projects"), { recursive: true });
}

async function untilKept(server: BenchServer, bytes: number): Promise<void> {
  for (;;) {
    const archive = await server.get<ArchiveResponse>("/api/archive");
    if (archive && archive.bytes >= bytes && archive.filling === null) return;
    await wait(200);
  }
}

async function openings(bench: Bench): Promise<Row[]> {
  const bytes = bench.quick ? 8_000_000 : 200_000_000;
  const { dir, truth } = sessionCorpus(bench, { bytes });
  return withPlace(dir, (place) =>
    withBrowser(async (browser) => {
      await serve(place, async (server) => {
        await untilScanned(server);
        await untilKept(server, bytes * 0.9);
      });
      const fromLogs = await measureOpenings(bench, browser, place, truth);
      deleteLogs(place);
      const fromArchive = await measureOpenings(bench, browser, place, truth);
      const size = formatMegabytes(bytes);
      const label = `first prompt visible, ${size} archived`;
      return [
        comparison(`${label}, never scanned`, fromArchive.cold, fromLogs.cold, SLOWER_OPENING),
        comparison(`${label}, skeleton there`, fromArchive.warm, fromLogs.warm, SLOWER_OPENING),
      ];
    }),
  );
}

async function measureOpenings(bench: Bench, browser: Browser, place: Place, truth: SessionTruth) {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
    forgetIndex(place);
    await serve(place, async (server) => {
      await untilAnswer(server);
      await untilListed(server, 1);
      const openOnce = () => withPage(browser, (page, cdp) => openSession(page, cdp, server, truth));
      cold.push((await openOnce()).promptVisibleMs);
      await untilScanned(server);
      for (let again = 0; again < 2; again++) warm.push((await openOnce()).promptVisibleMs);
    });
    const from = existsSync(join(place.claudeDir, "projects")) ? "logs" : "archive";
    bench.say(`from ${from}: cold ${formatMs(cold.at(-1) ?? 0)}, warm ${formatMs(warm.at(-1) ?? 0)}`);
  }
  return { cold, warm };
}

async function searches(bench: Bench): Promise<Row[]> {
  const bytes = bench.quick ? 16 << 20 : 1 << 30;
  const { dir, truth } = treeCorpus(bench, bytes);
  return withPlace(dir, async (place) => {
    const fromLogs = await serve(place, async (server) => {
      await untilScanned(server);
      await untilKept(server, bytes * 0.9);
      return searchAll(bench, server, truth);
    });
    deleteLogs(place);
    const fromArchive = await serve(place, async (server) => {
      await untilScanned(server);
      return searchAll(bench, server, truth);
    });
    return [
      comparison(`search in all of ${formatMegabytes(bytes)} archived`, fromArchive, fromLogs, SLOWER_SEARCH),
    ];
  });
}

/** How long it takes to search everything for words of tools' outputs, each of which must be found. */
async function searchAll(bench: Bench, server: BenchServer, { sessions }: TreeTruth): Promise<number[]> {
  const plants = sessions.flatMap((session) => session.plants).filter(({ place }) => place === "output");
  const samples: number[] = [];
  for (const { word } of plants.slice(0, bench.quick ? 3 : 7)) {
    const startedAtMs = performance.now();
    let found = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: SearchResponse | null = await server.get(
        `/api/search?q=${word}&limit=200${cursor ? `&cursor=${cursor}` : ""}`,
      );
      if (page === null) throw new Error("the search was refused");
      found += page.hits.length;
      cursor = page.nextCursor;
    }
    if (found === 0) throw new Error(`"${word}" was not found`);
    samples.push(performance.now() - startedAtMs);
  }
  return samples;
}

function comparison(label: string, samples: number[], baseline: number[], most: number): Row {
  const row = timeRow(label, samples, most * median(baseline), median(baseline));
  return {
    ...row,
    budget: `≤ ${most} × logs`,
    note: `from logs: ${formatMs(median(baseline))}; the ratio is to that`,
  };
}
