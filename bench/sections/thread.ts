import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { IncrementalList } from "@/lib/log/rows/incremental-list";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import { Level } from "@/lib/log/table/kinds";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { scanSession } from "@/lib/server/scan/scan-session";
import { parseEverything } from "../harness/baseline";
import { sessionCorpus } from "../harness/corpus";
import { formatCount } from "../harness/format";
import { limitRow, timeRow } from "../harness/judge";
import type { Section } from "../harness/section";

const BYTES_A_RECORD = 160;
const SMALL_TEXTS = 0.1;

/** The graph and rows of a long session, built in this process as the server builds them. */
export const thread: Section = {
  name: "thread",
  async run(bench) {
    const wanted = bench.quick ? 5000 : 100_000;
    const { dir, truth } = sessionCorpus(bench, { records: wanted, textScale: SMALL_TEXTS, agents: 0 });
    const path = join(dir, truth.path);
    const baseline = parseEverything(dir, bench.quick ? 1 : 3);
    const rounds = bench.quick ? 1 : 5;
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round++) samples.push(await measure(dir, path));
    const of = (field: keyof Sample) => samples.map((sample) => sample[field]);
    const label = `${formatCount(wanted)} records`;
    return [
      {
        ...timeRow(`${label} read into a skeleton`, of("scannedMs"), Number.POSITIVE_INFINITY, baseline.ms),
        budget: "",
        ok: null,
      },
      timeRow(`thread of ${label}, built`, of("builtMs"), 1000, baseline.ms),
      {
        ...limitRow(
          `thread of ${label}, resident a record`,
          [Math.min(...of("residentBytes")) / truth.records],
          BYTES_A_RECORD,
          (bytes) => `${Math.round(bytes)} bytes`,
        ),
        samples: rounds,
        note: "heap and buffers after collection, least of all rounds",
      },
    ];
  },
};

type Sample = { scannedMs: number; builtMs: number; residentBytes: number };

async function measure(root: string, path: string): Promise<Sample> {
  const before = await residentBytes();
  const { table, scannedMs } = scan(root, path);
  const scannedAtMs = performance.now();
  const built = buildThread(table);
  const builtMs = performance.now() - scannedAtMs;
  const kept = { table, built };
  const after = await residentBytes();
  // Used after garbage collection, so that what is being measured can't be collected.
  if (kept.built.rows.list.count === 0 || kept.table.records.size === 0) throw new Error("no rows");
  return { scannedMs, builtMs, residentBytes: after - before };
}

/** The session's table as a scanning thread returns it: without spare capacity. */
function scan(root: string, path: string): { table: SessionTable; scannedMs: number } {
  const startedAtMs = performance.now();
  const { table } = scanSession(root, [{ path, key: "m", agentId: null }]);
  const scannedMs = performance.now() - startedAtMs;
  return { table: new SessionTable(table.toData()), scannedMs };
}

/** Everything a session page at full detail needs, except the content of its window. */
function buildThread(table: SessionTable) {
  const logs: SessionLog[] = [{ key: "m", agentId: null, meta: null }];
  const graph = buildGraph(table, logs);
  const [active] = graph.branches[0] ?? [];
  if (!active) throw new Error("the generated session has no branch");
  const path = new IncrementalPath(table, graph, active.leaf);
  const rows = new IncrementalList(table, graph, path, Level.everything, new Set<number>());
  return { graph, path, rows };
}

/** Memory in use by this process after a full garbage collection, in bytes. */
async function residentBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Values held by an awaited call are released only some time after it returns.
  for (let round = 0; round < 2; round++) {
    await wait(20);
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
