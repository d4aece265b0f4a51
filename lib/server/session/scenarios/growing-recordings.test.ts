import { expect, test } from "vitest";
import { IncrementalGraph } from "@/lib/log/graph/incremental-graph";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { type SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { placeFiles } from "@/lib/server/scan/place-files";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { graphFacts } from "@/lib/testing/graph/graph-facts";
import { FollowedBranchPoints } from "@/lib/testing/model/followed-branch-points";
import { addWritten, type WrittenLine, writtenLines } from "@/lib/testing/readings";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { sampleOf } from "@/lib/testing/runs";

/** Lines from which on a session has begun: the first prompt makes a conversation of what stood there alone. */
const BEGUN = 12;
/**
 * At most one in this many lines may cause a rebuild of the graph: copies of a `/branch`, a child before its parent.
 */
const SELDOM = 50;
/** In `npm test` one in so many sessions, others of each version: the recordings together have all scenarios. */
const NTH = 3;
/** After every this many lines the graph is compared with one that is built of everything so far. */
const COMPARE_EVERY = 61;

/** How often the graph had to be rebuilt once the session had begun. */
function follow(
  lines: readonly WrittenLine[],
  logs: readonly SessionLog[],
  seed: number,
  name: string,
): number {
  let again = 0;
  let table = new SessionTable();
  let graph = buildGraph(table, logs);
  let growing = new IncrementalGraph(table, logs, graph);
  let points = new FollowedBranchPoints(table, logs, graph);
  for (const [at, line] of lines.entries()) {
    const before = addWritten(table, line);
    const growth = growing.grow(logs);
    const leaves = points.follow(growth, before);
    if (growth && (at + seed) % COMPARE_EVERY !== 0 && at !== lines.length - 1) continue;
    expect(points.wrong, name).toEqual([]);
    const placed = placeFiles(new SessionTable(structuredClone(table.toData())), null);
    const cold = buildGraph(placed, logs);
    const facts = [graphFacts(placed, logs, cold), FollowedBranchPoints.cold(placed, logs, cold, leaves)];
    const followed = growth ? [graphFacts(table, logs, growth.graph), points.facts()] : facts;
    expect(followed, name).toEqual(facts);
    if (growth) continue;
    if (at >= BEGUN) again += 1;
    table = placed;
    graph = cold;
    growing = new IncrementalGraph(table, logs, graph);
    points = new FollowedBranchPoints(table, logs, graph);
  }
  return again;
}

test("a session read line by line has the graph of the whole, and is not read for it", async () => {
  let lines = 0;
  let again = 0;
  for (const [index, version] of RECORDED_VERSIONS.entries()) {
    const { folder } = await openRecording(version);
    for (const [seed, { id }] of sampleOf([...folder.catalog.summaries().entries()], NTH, index)) {
      const files = folder.catalog.sessionFiles(id);
      const written = writtenLines(files);
      lines += written.length;
      again += follow(written, (await scanRequest(files)).logs, seed, `${version} ${id}`);
    }
  }
  expect(lines).toBeGreaterThan(3_000);
  expect(again).toBeLessThan(lines / SELDOM);
});
