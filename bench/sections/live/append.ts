import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type LibraryIndex, openLibraryIndex } from "@/lib/server/index/library-index";
import { Catalog } from "@/lib/server/library/catalog";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { LogWriter } from "@/lib/testing/log-writer";
import type { SearchResponse } from "@/lib/wire/search";
import { sessionCorpus } from "../../harness/corpus";
import { formatKilobytes, formatMegabytes, formatMs } from "../../harness/format";
import { limitRow, missingRow, timeRow } from "../../harness/judge";
import { bytesWrittenBy } from "../../harness/process-figures";
import type { Bench, Row, Section } from "../../harness/section";
import { untilScanned, withServer } from "../../harness/server";
import { median, percentile } from "../../harness/statistics";

const SIZES = [41_000_000, 200_000_000];
const QUICK_SIZES = [4_000_000];
const ROUNDS = 9;
const LOOK_MS = 10;
const LINES = 20;

/** What it costs the index when a session grows by a few lines, and how soon a new line can be found. */
export const append: Section = {
  name: "append",
  async run(bench) {
    const rows: Row[] = [];
    for (const bytes of bench.quick ? QUICK_SIZES : SIZES) {
      const { dir } = sessionCorpus(bench, { bytes });
      const folder = mkdtempSync(join(tmpdir(), "backscroll-append-"));
      try {
        const tree = join(folder, "claude");
        cpSync(dir, tree, { recursive: true });
        const data = join(folder, "data");
        mkdirSync(data);
        rows.push(...(await indexed(tree, data, bytes)));
        if (bytes >= 100_000_000 || bench.quick) rows.push(await found(bench, tree, folder, bytes));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return rows;
  },
};

async function indexed(tree: string, dataDir: string, bytes: number): Promise<Row[]> {
  const index = openLibraryIndex(dataDir);
  try {
    const files = await onlySession(tree);
    await index.open();
    if (index.state.mode !== "writer") throw new Error("the index cannot be written");
    const startedAtMs = performance.now();
    await index.index(files);
    const coldMs = performance.now() - startedAtMs;
    const { samples, written } = await growBy(files, index);
    const label = `${LINES} lines appended to ${formatMegabytes(bytes)}, indexed`;
    const row = timeRow(label, samples, coldMs / 4, coldMs);
    return [
      { ...row, budget: "≤ ¼ of all", note: `all: ${formatMs(coldMs)}; the ratio is to that` },
      written.length === 0
        ? missingRow("  bytes written for it", "≤ 1.0 MB", "needs /proc")
        : limitRow("  bytes written for it", [median(written)], 1_000_000, formatKilobytes),
    ];
  } finally {
    index.stop();
  }
}

async function growBy(files: SessionFiles, index: LibraryIndex) {
  const writer = new LogWriter(files.main.path);
  const texts = Array.from({ length: LINES }, (_, n) => `Line ${n} ${"and some words of it ".repeat(30)}`);
  const samples: number[] = [];
  const written: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    writer.say(...texts);
    const before = bytesWrittenBy(process.pid);
    const appendedAtMs = performance.now();
    await index.index(files);
    samples.push(performance.now() - appendedAtMs);
    const after = bytesWrittenBy(process.pid);
    if (before !== null && after !== null) written.push(after - before);
  }
  return { samples, written };
}

/** Appends a line while the server runs and searches until it is found. */
async function found(bench: Bench, tree: string, folder: string, bytes: number): Promise<Row> {
  const files = await onlySession(tree);
  const samples: number[] = [];
  await withServer({ claudeDirs: [tree], dataDir: join(folder, "server") }, async (server) => {
    await untilScanned(server);
    const writer = new LogWriter(files.main.path);
    for (let round = 0; round < (bench.quick ? 5 : 20); round++) {
      const word = `qx${Math.round(performance.now() * 1000).toString(36)}`;
      const startedAtMs = performance.now();
      writer.say(`a line with ${word} in it`);
      for (let isFound = false; !isFound; ) {
        await wait(LOOK_MS);
        const page = await server.get<SearchResponse>(`/api/search?q=${word}`);
        isFound = page?.hits.some(({ field }) => field === "text") === true;
      }
      samples.push(performance.now() - startedAtMs);
      await wait(300);
    }
  });
  const label = `a line appended to ${formatMegabytes(bytes)} found, p95`;
  return { ...timeRow(label, [percentile(samples, 0.95)], 1000), samples: samples.length };
}

async function onlySession(tree: string): Promise<SessionFiles> {
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const [summary] = catalog.summaries();
  if (!summary) throw new Error("no session");
  return catalog.sessionFiles(summary.id);
}
