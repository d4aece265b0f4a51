import { treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { limitRow } from "../harness/judge";
import type { Section } from "../harness/section";
import { untilKept, untilScanned, withDataDir, withServer } from "../harness/server";

/** What keeping everything may add to reading it for the first time, and what it may take of the disk. */
const MAX_ADDED = 0.25;
const MAX_STORED = 0.25;

/** Keeping every log for the first time, which begins when they have been read, and how much that stores. */
export const archive: Section = {
  name: "archive",
  async run(bench) {
    const { dir, truth } = treeCorpus(bench, bench.quick ? 16 << 20 : 256 << 20);
    const added: number[] = [];
    const stored: number[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
      await withDataDir((dataDir) =>
        withServer({ claudeDirs: [dir], dataDir }, async (server) => {
          const scannedMs = await untilScanned(server);
          const { keptMs, bytes, storedBytes } = await untilKept(server);
          added.push((keptMs - scannedMs) / scannedMs);
          stored.push(storedBytes / bytes);
          const sizes = `${formatMegabytes(bytes)} in ${formatMegabytes(storedBytes)}`;
          bench.say(`scanned ${formatMs(scannedMs)}, kept ${formatMs(keptMs)}, ${sizes}`);
        }),
      );
    }
    const percent = (share: number) => `${Math.round(100 * share)} %`;
    return [
      {
        ...limitRow("keeping all, on top of reading it, cold", added, MAX_ADDED, percent),
        note: `${truth.sessions.length} sessions`,
      },
      limitRow("stored, of what the logs are", stored, MAX_STORED, percent),
    ];
  },
};
