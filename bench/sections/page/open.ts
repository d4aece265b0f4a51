import type { Browser } from "@playwright/test";
import type { SessionTruth } from "@/lib/testing/generate/truth";
import { type Opening, openSession, withBrowser, withPage } from "../../harness/browser";
import { type Corpus, sessionCorpus } from "../../harness/corpus";
import { formatKilobytes, formatMegabytes, formatMs } from "../../harness/format";
import { limitRow, timeRow } from "../../harness/judge";
import type { Bench, Row, Section } from "../../harness/section";
import { untilAnswer, untilListed, untilScanned, withDataDir, withServer } from "../../harness/server";
import { median } from "../../harness/statistics";

const SLOWER_THAN_SMALL = 1.3;

type Measured = { size: string; cold: Opening[]; warm: Opening[] };

/** The time until a session's first prompt is readable in Chromium, and the API traffic that it takes. */
export const open: Section = {
  name: "open",
  async run(bench) {
    const sizes = bench.quick ? [1_000_000, 4_000_000] : [1_000_000, 40_000_000, 200_000_000];
    const measured: Measured[] = [];
    await withBrowser(async (browser) => {
      for (const bytes of sizes) {
        const corpus = sessionCorpus(bench, { bytes });
        measured.push({ size: formatMegabytes(bytes), ...(await measureOpening(bench, browser, corpus)) });
      }
    });
    const visible = (openings: Opening[]) => openings.map((opening) => opening.promptVisibleMs);
    const rows: Row[] = measured.flatMap(({ size, cold, warm }) => [
      timeRow(`first prompt visible, ${size}, never scanned`, visible(cold), 800),
      timeRow(`first prompt visible, ${size}, skeleton there`, visible(warm), 800),
      limitRow(
        `bytes over the API to open ${size}, never scanned, unpacked`,
        cold.map((opening) => opening.apiDecodedBytes),
        500_000,
        formatKilobytes,
      ),
      limitRow(
        `bytes over the API to open ${size}, unpacked`,
        warm.map((opening) => opening.apiDecodedBytes),
        500_000,
        formatKilobytes,
      ),
      limitRow(
        `bytes over the API to open ${size}, on the wire`,
        warm.map((opening) => opening.apiEncodedBytes),
        500_000,
        formatKilobytes,
      ),
    ]);
    const [small, large] = [measured[0]!, measured.at(-1)!];
    return [
      ...rows,
      comparison(small, large, "cold", "never scanned"),
      comparison(small, large, "warm", "skeletons there"),
    ];
  },
};

async function measureOpening(bench: Bench, browser: Browser, { dir, truth }: Corpus<SessionTruth>) {
  const cold: Opening[] = [];
  const warm: Opening[] = [];
  const rounds = bench.quick ? 1 : 5;
  const openings = bench.quick ? 1 : 2;
  for (let round = 0; round < rounds; round++) {
    await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilListed(server, 1);
        const openOnce = () => withPage(browser, (page, cdp) => openSession(page, cdp, server, truth));
        cold.push(await openOnce());
        await untilScanned(server);
        for (let again = 0; again < openings; again++) warm.push(await openOnce());
      }),
    );
    bench.say(
      `cold ${formatMs(cold.at(-1)!.promptVisibleMs)}, warm ${formatMs(warm.at(-1)!.promptVisibleMs)}`,
    );
  }
  return { cold, warm };
}

function comparison(small: Measured, large: Measured, which: "cold" | "warm", words: string): Row {
  const times = (openings: Opening[]) => median(openings.map((opening) => opening.promptVisibleMs));
  const factor = times(large[which]) / times(small[which]);
  return {
    label: `${large.size} ÷ ${small.size}, ${words}`,
    budget: `≤ ${SLOWER_THAN_SMALL}`,
    measured: factor.toFixed(2),
    samples: large[which].length,
    ratio: null,
    ok: factor <= SLOWER_THAN_SMALL,
  };
}
