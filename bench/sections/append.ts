import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalog } from "@/lib/server/catalog/catalog";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { sessionCorpus } from "../harness/corpus";
import { kilobytes, megabytes, seconds, timeRow } from "../harness/judge";
import type { Section } from "../harness/section";

/** What it costs the index that one session has grown by a few lines, next to reading all of it. */
export const append: Section = {
  name: "append",
  async run(bench) {
    const bytes = bench.quick ? 4_000_000 : 41_000_000;
    const { dir } = sessionCorpus(bench, { bytes });
    const folder = mkdtempSync(join(tmpdir(), "backscroll-append-"));
    const index = openLibraryIndex(folder);
    try {
      const tree = join(folder, "claude");
      cpSync(dir, tree, { recursive: true });
      const catalog = new Catalog([{ path: tree, kind: "config" }]);
      await catalog.list();
      const [summary] = catalog.summaries();
      if (!summary) throw new Error("no session");
      const files = catalog.sessionFiles(summary.id);
      const startedAtMs = performance.now();
      await index.index(files);
      const coldMs = performance.now() - startedAtMs;
      const lines = readFileSync(files.main.path, "utf8")
        .split("\n")
        .filter((line) => line.length < 4000)
        .slice(0, 20);
      const added = `${lines.join("\n")}\n`;
      const samples: number[] = [];
      for (let round = 0; round < 9; round++) {
        appendFileSync(files.main.path, added);
        const appendedAtMs = performance.now();
        await index.index(files);
        samples.push(performance.now() - appendedAtMs);
      }
      const row = timeRow(
        `${kilobytes(added.length)} appended to ${megabytes(bytes)}, indexed`,
        samples,
        coldMs / 4,
        coldMs,
      );
      return [{ ...row, budget: "≤ ¼ of all", note: `all: ${seconds(coldMs)}; the ratio is to that` }];
    } finally {
      index.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
