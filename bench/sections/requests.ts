import type { SessionsResponse } from "@/lib/wire/library";
import type { SessionRequestsResponse } from "@/lib/wire/model-requests/session-requests";
import { USAGE_BY, type UsageMissesResponse, type UsageResponse } from "@/lib/wire/usage";
import { sessionCorpus, treeCorpus } from "../harness/corpus";
import { formatCount, formatMegabytes } from "../harness/format";
import { timeRow } from "../harness/judge";
import type { Bench, Row, Section } from "../harness/section";
import { untilListed, untilScanned, withDataDir, withServer } from "../harness/server";

/** So many records have about 5,000 requests. */
const RECORDS = 25_000;

/** What fills the context of a long session, request by request, and usage over all sessions. */
export const requests: Section = {
  name: "requests",
  async run(bench) {
    return [...(await contextRows(bench)), ...(await usageRows(bench))];
  },
};

async function contextRows(bench: Bench): Promise<Row[]> {
  const { dir, truth } = sessionCorpus(bench, { records: bench.quick ? RECORDS / 20 : RECORDS });
  const first: number[] = [];
  const again: number[] = [];
  let count = 0;
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilListed(server, 1);
        await untilScanned(server);
        const id = (await server.get<SessionsResponse>("/api/sessions"))?.sessions[0]?.id;
        // A reader has the session open.
        while (!(await server.get(`/api/sessions/${id}/rows`))) continue;
        const ask = () => server.get<SessionRequestsResponse>(`/api/sessions/${id}/requests`);
        first.push(await timeOf(async () => (count = (await ask())?.length ?? 0)));
        again.push(await timeOf(ask));
      }),
    );
  }
  const label = `${formatCount(count)} requests of ${formatMegabytes(truth.bytes)}`;
  return [
    timeRow(`context of ${label}, first asked for`, first, 300),
    timeRow(`context of ${label}, again`, again, 300),
  ];
}

async function usageRows(bench: Bench): Promise<Row[]> {
  const bytes = bench.quick ? 16 << 20 : 1 << 30;
  const { dir } = treeCorpus(bench, bytes);
  return withDataDir((dataDir) =>
    withServer({ claudeDirs: [dir], dataDir }, async (server) => {
      await untilScanned(server);
      const rows: Row[] = [];
      const rounds = bench.quick ? 2 : 7;
      const ask = (by: string) => server.get<UsageResponse>(`/api/usage?by=${by}`);
      // Warm: every way of adding up has been compiled and has run, whichever is asked for first.
      for (let round = 0; round < 3; round++) for (const by of USAGE_BY) await ask(by);
      for (const by of USAGE_BY) {
        const times: number[] = [];
        for (let round = 0; round < rounds; round++) times.push(await timeOf(() => ask(by)));
        rows.push(timeRow(`usage by ${by} over ${formatMegabytes(bytes)}, warm`, times, 150));
      }
      const misses = () => server.get<UsageMissesResponse>("/api/usage/misses");
      const first = await timeOf(async () => {
        while ((await misses())?.complete === false) continue;
      });
      const again: number[] = [];
      for (let round = 0; round < rounds; round++) again.push(await timeOf(misses));
      const label = `cache misses of all sessions over ${formatMegabytes(bytes)}`;
      rows.push(timeRow(`${label}, first looked through`, [first], 10_000));
      rows.push(timeRow(`${label}, warm`, again, 150));
      return rows;
    }),
  );
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
