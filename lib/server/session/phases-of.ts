import { startsTurn } from "@/lib/log/graph/starts-turn";
import { asNumber, asObject } from "@/lib/log/records/json";
import { timeOf } from "@/lib/log/rows/row-context";
import { RecordKind } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import type { Phase } from "@/lib/wire/session";
import { firstThread } from "./choose-branch";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";

const KEEP_BYTES = 1024;

/** What lies between the compactions of the active branch. */
export async function phasesOf(session: OpenSession): Promise<Phase[]> {
  const [active] = session.graph.branches[firstThread(session)] ?? [];
  if (!active) return [];
  const { table, graph } = session;
  const path = session.path(active).records;
  const starts = [0];
  for (let i = 1; i < path.length; i++)
    if (table.records.get("kind", at(path, i)) === RecordKind.compactBoundary) starts.push(i);
  const read = await readRecords(
    session,
    starts.map((i) => at(path, i)),
    KEEP_BYTES,
  );
  return starts.map((from, index) => {
    const record = at(path, from);
    const logged = read(record);
    const metadata = logged?.kind === "system" ? asObject(logged.json.compactMetadata) : null;
    let turns = 0;
    for (let i = from; i < (starts[index + 1] ?? path.length); i++)
      if (startsTurn(table, graph, at(path, i))) turns += 1;
    return {
      fromRecordId: session.recordId(record),
      startedAtMs: timeOf(table, record),
      turns,
      preTokens: asNumber(metadata?.preTokens),
      postTokens: asNumber(metadata?.postTokens),
    };
  });
}
