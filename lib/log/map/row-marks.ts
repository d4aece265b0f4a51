import { isForkRow, RowKind, type RowList } from "@/lib/log/rows/flatten";
import { runAt } from "@/lib/log/rows/fold-runs";
import { isFailure } from "@/lib/log/table/is-failure";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import type { RailLanes } from "./rail-lanes";

const NONE = -1;

/** Where things stand in a list of rows, in `buckets` parts of equal size: what a minimap draws. */
export type RowMarks = {
  buckets: number;
  /** Rows that say or do something, of 9 parts of a bucket. */
  density: Uint8Array;
  prompts: number[];
  errors: number[];
  edits: number[];
  compactions: number[];
  /** Where the wanted records are. */
  finds: number[];
  /** Bucket where it leaves, bucket where it returns, lane; three numbers an agent. */
  agents: number[];
};

/** Marks for a picture of at most `most` parts. One pass over the list; each kind at most once a part. */
export function rowMarks(
  table: SessionTable,
  list: RowList,
  lanes: RailLanes,
  most: number,
  wanted: ReadonlySet<number>,
): RowMarks {
  const buckets = Math.max(1, Math.min(most, list.count));
  const filled = new Float64Array(buckets);
  const marks: RowMarks = {
    buckets,
    density: new Uint8Array(buckets),
    prompts: [],
    errors: [],
    edits: [],
    compactions: [],
    finds: [],
    agents: [],
  };
  const bucketOf = (row: number) => Math.floor((row * buckets) / list.count);
  const note = (into: number[], bucket: number) => {
    if (into.at(-1) !== bucket) into.push(bucket);
  };
  for (let row = 0; row < list.count; row++) {
    const bucket = bucketOf(row);
    const kind = at(list.kind, row);
    const of = at(list.of, row);
    if (kind === RowKind.turn) note(marks.prompts, bucket);
    const run = kind === RowKind.run ? runAt(list, row) : null;
    for (const block of run?.blocks ?? [of]) {
      if (!isForkRow(kind) && wanted.size > 0 && showsWanted(table, wanted, kind, block))
        note(marks.finds, bucket);
      if (run && table.calls.get("path", table.blocks.get("call", block)) !== NONE) note(marks.edits, bucket);
    }
    if (run) filled[bucket] = at(filled, bucket) + 1;
    if (kind !== RowKind.block) continue;
    const record = table.blocks.get("record", of);
    if (table.records.get("kind", record) === RecordKind.compactBoundary) note(marks.compactions, bucket);
    const isCall = table.blocks.get("kind", of) === BlockKind.call;
    const said = table.blocks.get("kind", of) === BlockKind.text;
    filled[bucket] = at(filled, bucket) + (isCall ? 1 : said ? 0.8 : 0.4);
    const call = isCall ? table.blocks.get("call", of) : NONE;
    if (call === NONE) continue;
    if (isFailure(table.calls.get("state", call))) note(marks.errors, bucket);
    if (table.calls.get("path", call) !== NONE) note(marks.edits, bucket);
  }
  const rowsOfBucket = list.count / buckets;
  for (let bucket = 0; bucket < buckets; bucket++)
    marks.density[bucket] = Math.min(9, Math.round((at(filled, bucket) / rowsOfBucket) * 9));
  for (let index = 0; index < lanes.count; index++) {
    marks.agents.push(bucketOf(at(lanes.from, index)), bucketOf(at(lanes.to, index)), at(lanes.lane, index));
  }
  return marks;
}

/** Whether a row shows one of the wanted records: as its own, or as the result of its call. */
function showsWanted(
  { blocks, calls }: SessionTable,
  wanted: ReadonlySet<number>,
  kind: number,
  of: number,
): boolean {
  if (kind === RowKind.turn) return wanted.has(of);
  if (wanted.has(blocks.get("record", of))) return true;
  const call = blocks.get("kind", of) === BlockKind.call ? blocks.get("call", of) : NONE;
  const result = call === NONE ? NONE : calls.get("result", call);
  return result !== NONE && wanted.has(blocks.get("record", result));
}
