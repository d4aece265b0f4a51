import { join } from "node:path";
import { layOutGraph } from "@/components/graph/graph-layout";
import { readGraph } from "@/components/graph/graph-model";
import { lanesBeside, railLanes } from "@/lib/log/map/rail-lanes";
import { buildSessionMap } from "@/lib/log/map/session-map";
import { Level } from "@/lib/log/table/kinds";
import { scan } from "@/lib/server/scan/scanned-session";
import { graphOf } from "@/lib/server/session/answers/session-map";
import { OpenSession } from "@/lib/server/session/open-session";
import { sessionCorpus } from "../harness/corpus";
import { formatCount, formatKilobytes } from "../harness/format";
import { limitRow, timeRow } from "../harness/judge";
import type { Section } from "../harness/section";

const SMALL_TEXTS = 0.1;
const LAYOUT_MS = 50;
const ANSWER_BYTES = 200_000;

/** Lanes and graph of a long session, laid out in this process as the server and the page do it. */
export const graph: Section = {
  name: "graph",
  async run(bench) {
    const wanted = bench.quick ? 5000 : 100_000;
    const { dir, truth } = sessionCorpus(bench, { records: wanted, textScale: SMALL_TEXTS, agents: 0 });
    const session = await open(dir, truth.path);
    const rounds = bench.quick ? 2 : 9;
    const lanesMs: number[] = [];
    const mapMs: number[] = [];
    const pageMs: number[] = [];
    const { table, graph } = session;
    const [active] = graph.branches[0] ?? [];
    if (!active) throw new Error("the generated session has no branch");
    const list = session.rows(active, Level.everything, { has: () => false, key: "" });
    const answer = await graphOf(session);
    for (let round = 0; round < rounds; round++) {
      lanesMs.push(
        timed(() =>
          lanesBeside(railLanes(table, graph, session.path(active), list), list.count - 100, list.count),
        ),
      );
      mapMs.push(timed(() => buildSessionMap(table, graph, 2600)));
      pageMs.push(timed(() => layOutGraph(readGraph(answer))));
    }
    const label = `${formatCount(wanted)} records`;
    const whole = lanesMs.map((ms, round) => ms + (mapMs[round] ?? 0) + (pageMs[round] ?? 0));
    return [
      {
        ...timeRow(`lanes and graph of ${label}, laid out`, whole, LAYOUT_MS),
        note: `${answer.items.kind.length} items, ${answer.lines.from.length} lines`,
      },
      limitRow(
        `graph of ${label} over the API`,
        [JSON.stringify(answer).length],
        ANSWER_BYTES,
        formatKilobytes,
      ),
    ];
  },
};

async function open(dir: string, path: string): Promise<OpenSession> {
  const logs = [{ key: "m", agentId: null, meta: null }];
  const file = { path: join(dir, path), key: "m" };
  const scanned = await scan({ root: dir, files: [{ ...file, agentId: null }], logs }, () => undefined);
  const main = { ...file, name: path, bytes: 0 };
  const files = { id: "s", projectId: "p", root: dir, main, agents: [] } as unknown as OpenSession["files"];
  return new OpenSession(files, logs, scanned, 1);
}

function timed(work: () => unknown): number {
  const startedAtMs = performance.now();
  work();
  return performance.now() - startedAtMs;
}
