import { treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { limitRow, missingRow } from "../harness/judge";
import { memoryOf } from "../harness/process-figures";
import type { Section } from "../harness/section";
import { untilAnswer, untilKept, untilScanned, withDataDir, withServer } from "../harness/server";

/** The server's memory with a gigabyte of logs: after everything was read and kept, and at its peak. */
export const memory: Section = {
  name: "memory",
  async run(bench) {
    const bytes = bench.quick ? 16 << 20 : 1 << 30;
    const { dir } = treeCorpus(bench, bytes);
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        const ms = await untilScanned(server);
        const { keptMs } = await untilKept(server);
        bench.say(`scanned ${formatMegabytes(bytes)} in ${formatMs(ms)}, kept in ${formatMs(keptMs)}`);
        await new Promise((resolve) => setTimeout(resolve, 3000));
        const used = memoryOf(server.pid);
        const label = `server memory, ${formatMegabytes(bytes)} of logs`;
        if (used === null) return [missingRow(label, "≤ 300 MB, peak ≤ 600 MB", "needs /proc")];
        return [
          limitRow(`${label}, after`, [used.now], 300_000_000, formatMegabytes),
          limitRow(`${label}, peak`, [used.peak], 600_000_000, formatMegabytes),
        ];
      }),
    );
  },
};
