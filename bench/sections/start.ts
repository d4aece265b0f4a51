import { parseEverything } from "../harness/baseline";
import { treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { timeRow } from "../harness/judge";
import type { Bench, Row, Section } from "../harness/section";
import { untilAnswer, untilListed, untilScanned, withDataDir, withServer } from "../harness/server";
import { median } from "../harness/statistics";

/** The budget for reading everything, start included, as a multiple of parsing every line on one thread. */
const READ_BUDGET = 2.5;

type Sample = { answerMs: number; listedMs: number; scannedMs: number };

/** From the command to the first answer, the list, and everything read; with an empty and with an existing index. */
export const start: Section = {
  name: "start",
  async run(bench) {
    const { dir, truth } = treeCorpus(bench, bench.quick ? 16 << 20 : 256 << 20);
    const parsedMs: number[] = [];
    let size = "";
    const cold: Sample[] = [];
    const warm: Sample[] = [];
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      // Measured next to each start, since other load on the machine slows both.
      const baseline = parseEverything(dir, 1);
      parsedMs.push(baseline.ms);
      size = `${formatMegabytes(baseline.bytes)}, ${truth.sessions.length} sessions`;
      bench.say(`P on ${size}: ${formatMs(baseline.ms)}`);
      await withDataDir(async (dataDir) => {
        cold.push(await measure(bench, dir, dataDir, truth.sessions.length));
        warm.push(await measure(bench, dir, dataDir, truth.sessions.length));
      });
    }
    const p = median(parsedMs);
    const of = (samples: Sample[], field: keyof Sample) => samples.map((sample) => sample[field]);
    const scan: Row = {
      ...timeRow("every record read, cold", of(cold, "scannedMs"), READ_BUDGET * p, p),
      budget: `≤ ${READ_BUDGET} × P`,
    };
    return [
      {
        ...timeRow("P: JSON.parse of every line", parsedMs, Number.POSITIVE_INFINITY),
        budget: "",
        ok: null,
        ratio: 1,
        note: size,
      },
      timeRow("server answers after start, cold", of(cold, "answerMs"), 1000, p),
      timeRow("session list complete, cold", of(cold, "listedMs"), 2000, p),
      scan,
      timeRow("server answers after start, warm", of(warm, "answerMs"), 1000, p),
      timeRow("warm start to complete list", of(warm, "listedMs"), 1000, p),
      {
        ...timeRow("warm start until all is compared with its files", of(warm, "scannedMs"), 0, p),
        budget: "",
        ok: null,
      },
    ];
  },
};

async function measure(bench: Bench, dir: string, dataDir: string, sessions: number): Promise<Sample> {
  return withServer({ claudeDirs: [dir], dataDir }, async (server) => {
    const answerMs = await untilAnswer(server);
    const listedMs = await untilListed(server, sessions);
    const scannedMs = await untilScanned(server);
    bench.say(`answers ${formatMs(answerMs)}, listed ${formatMs(listedMs)}, scanned ${formatMs(scannedMs)}`);
    return { answerMs, listedMs, scannedMs };
  });
}
