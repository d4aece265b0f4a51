import { setTimeout as wait } from "node:timers/promises";
import { withBrowser, withPage } from "../harness/browser";
import { treeCorpus } from "../harness/corpus";
import { missingRow } from "../harness/judge";
import { cpuMsOf } from "../harness/process-figures";
import type { Section } from "../harness/section";
import { untilAnswer, untilScanned, withDataDir, withServer } from "../harness/server";

const SETTLE_MS = 3000;
const BUDGET_PERCENT = 0.5;

/** What the server takes while nothing changes and one page is open. */
export const idle: Section = {
  name: "idle",
  async run(bench) {
    const { dir } = treeCorpus(bench, bench.quick ? 16 << 20 : 256 << 20);
    const overMs = bench.quick ? 3000 : 10_000;
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        return withBrowser((browser) =>
          withPage(browser, async (page) => {
            await page.goto(`${server.url}/#t=${server.token}`);
            await wait(SETTLE_MS);
            const before = cpuMsOf(server.pid);
            await wait(overMs);
            const after = cpuMsOf(server.pid);
            const label = "idle CPU, a page open";
            if (before === null || after === null) return [missingRow(label, "< 0.5 %", "needs /proc")];
            const percent = ((after - before) / overMs) * 100;
            return [
              {
                label,
                budget: `< ${BUDGET_PERCENT} %`,
                measured: `${percent.toFixed(2)} %`,
                samples: 1,
                ratio: null,
                ok: percent < BUDGET_PERCENT,
                note: `over ${overMs / 1000} s`,
              },
            ];
          }),
        );
      }),
    );
  },
};
