import { createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { openFile, withBrowser, withPage } from "../../harness/browser";
import { sessionCorpus } from "../../harness/corpus";
import { formatMegabytes, formatMs } from "../../harness/format";
import { timeRow } from "../../harness/judge";
import type { Section } from "../../harness/section";
import { untilAnswer, untilListed, untilScanned, withDataDir, withServer } from "../../harness/server";

/** The time until a session that was exported as HTML is readable, opened from disk. */
export const exported: Section = {
  name: "exported",
  async run(bench) {
    const bytes = bench.quick ? 4_000_000 : 40_000_000;
    const { dir, truth } = sessionCorpus(bench, { bytes });
    return withDataDir(async (dataDir) => {
      const path = join(dataDir, "exported.html");
      const exportMs = await withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilListed(server, 1);
        await untilScanned(server);
        const fromMs = performance.now();
        const response = await fetch(`${server.url}/api/sessions/${truth.id}/export?format=html`, {
          headers: { Authorization: `Bearer ${server.token}` },
        });
        if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
        await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(path));
        return performance.now() - fromMs;
      });
      const seen: number[] = [];
      await withBrowser(async (browser) => {
        for (let round = 0; round < (bench.quick ? 1 : 5); round++)
          seen.push(await withPage(browser, (page) => openFile(page, path, truth)));
      });
      const size = formatMegabytes(bytes);
      const note = `a file of ${formatMegabytes(statSync(path).size)}, written in ${formatMs(exportMs)}`;
      return [{ ...timeRow(`first prompt visible in the HTML file of ${size}`, seen, 3_000), note }];
    });
  },
};
