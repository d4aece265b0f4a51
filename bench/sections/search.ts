import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plant, PlantPlace, TreeTruth } from "@/lib/testing/generate/truth";
import type { SearchEvent, SearchResponse } from "@/lib/wire/search";
import { parseEverything } from "../harness/baseline";
import { treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { limitRow, missingRow, timeRow } from "../harness/judge";
import type { Bench, Row, Section } from "../harness/section";
import { type BenchServer, untilKept, untilScanned, withDataDir, withServer } from "../harness/server";
import { percentile } from "../harness/statistics";

const PLACES: readonly PlantPlace[] = ["prompt", "text", "thinking", "input", "agent", "output"];

/** Search for planted words through the API: how fast it is, and how many are found per kind of text. */
export const search: Section = {
  name: "search",
  async run(bench) {
    const { dir, truth } = treeCorpus(bench, bench.quick ? 16 << 20 : 1 << 30);
    const baseline = parseEverything(dir, 1);
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        const indexedMs = await untilScanned(server);
        // On two cores that follows the reading, and a search is not measured beside it.
        await untilKept(server);
        bench.say(
          `indexed ${formatMegabytes(baseline.bytes)} in ${formatMs(indexedMs)}, P ${formatMs(baseline.ms)}`,
        );
        const size = readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
        const percent = (value: number) => `${value.toFixed(1)} %`;
        return [
          {
            ...timeRow(
              `full index, cold, ${formatMegabytes(baseline.bytes)}`,
              [indexedMs],
              4 * baseline.ms,
              baseline.ms,
            ),
            budget: "≤ 4 × P",
          },
          { ...limitRow("index size, of the logs", [(100 * size) / baseline.bytes], 30, percent) },
          ...(await askForPlants(bench, server, truth)),
          await firstStreamed(server, truth),
        ];
      }),
    );
  },
};

async function askForPlants(bench: Bench, server: BenchServer, truth: TreeTruth): Promise<Row[]> {
  const rows: Row[] = [];
  const indexedMs: number[] = [];
  const wholeMs: number[] = [];
  for (const place of PLACES) {
    const plants = truth.sessions
      .flatMap((session) => session.plants)
      .filter((plant) => plant.place === place);
    const asked = spread(plants, bench.quick ? 5 : 20);
    let found = 0;
    for (const plant of asked) {
      const { firstMs, allMs, isFound } = await askFor(server, plant, place === "output");
      if (isFound) found += 1;
      if (place === "output") wholeMs.push(allMs);
      else indexedMs.push(firstMs);
    }
    const recall = (100 * found) / asked.length;
    rows.push({
      label: `recall, ${place}`,
      budget: "100 %",
      measured: `${recall.toFixed(1)} %`,
      samples: asked.length,
      ratio: null,
      ok: recall === 100,
    });
  }
  return [
    { ...timeRow("search p95, indexed", [percentile(indexedMs, 0.95)], 50), samples: indexedMs.length },
    {
      ...timeRow("search p95, all of every log", [percentile(wholeMs, 0.95)], 2000),
      samples: wholeMs.length,
    },
    ...rows,
  ];
}

/** Repeats the search until the word is found or, with `toTheEnd`, until everything has been searched. */
async function askFor(server: BenchServer, { word, sessionId }: Plant, toTheEnd: boolean) {
  const startedAtMs = performance.now();
  let firstMs = Number.POSITIVE_INFINITY;
  let isFound = false;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: SearchResponse | null = await server.get(
      `/api/search?q=${word}&limit=200${cursor ? `&cursor=${cursor}` : ""}`,
    );
    if (page === null) throw new Error("the search was refused");
    if (page.hits.some((hit) => hit.sessionId.includes(sessionId))) {
      isFound = true;
      firstMs = Math.min(firstMs, performance.now() - startedAtMs);
    }
    cursor = isFound && !toTheEnd ? null : page.nextCursor;
  }
  return { firstMs, allMs: performance.now() - startedAtMs, isFound };
}

/** A word from a tool's output in one of the newest sessions, found by streaming search. */
async function firstStreamed(server: BenchServer, truth: TreeTruth): Promise<Row> {
  const label = "first deep hit streamed, in the newest fifth";
  const newest = [...truth.sessions]
    .sort((a, b) => b.lastActiveAtMs - a.lastActiveAtMs)
    .slice(0, Math.ceil(truth.sessions.length / 8));
  const plants = newest.flatMap((session) => session.plants).filter((plant) => plant.place === "output");
  const samples: number[] = [];
  for (const { word } of spread(plants, 10)) {
    const startedAtMs = performance.now();
    const stop = new AbortController();
    const response = await fetch(`${server.url}/api/search?q=${word}`, {
      headers: { authorization: `Bearer ${server.token}`, accept: "text/event-stream" },
      signal: stop.signal,
    });
    const found = await untilHit(response);
    if (!found) return missingRow(label, "≤ 200 ms", `"${word}" was not found`);
    samples.push(performance.now() - startedAtMs);
    stop.abort();
  }
  return timeRow(label, samples, 200);
}

async function untilHit(response: Response): Promise<boolean> {
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data:"));
      if (data && (JSON.parse(data.slice(5)) as SearchEvent).kind === "hits") return true;
    }
  }
  return false;
}

function spread<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(list.length / most));
  return list.filter((_, at) => at % step === 0).slice(0, most);
}
