import { CONVERSATION } from "@/lib/log/graph/steps";
import { BlockSizes } from "@/lib/log/requests/block-sizes";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import type { OpenSession } from "@/lib/server/session/open-session";
import { eachLine } from "@/lib/server/session/read-records";

/** What is known about the contents of records, as numbers. */
export type MeasuredRecords = {
  /** Characters of each block, as far as it is sent. */
  blocks: { [block: number]: number };
  /** Line of an answer → the id of the request that it answers, where the client logs them. */
  refs: Map<number, string>;
};

/** The same for a whole session. It grows with the session's table. */
export type SessionSizes = MeasuredRecords & {
  blocks: number[];
  /** The records that have been measured: those before this one. */
  upTo: number;
};

const known = new WeakMap<SessionTable, { sizes: SessionSizes; work: Promise<void> }>();

/** The kinds of records of which something is sent: the conversation, and what a boundary and attachments add to it. */
const SENT: ReadonlySet<number> = new Set([
  ...CONVERSATION,
  RecordKind.compactBoundary,
  RecordKind.attachment,
]);

/** The sizes of everything that a session's requests send: each record is read once, also of a session that grows. */
export async function sessionSizes(session: OpenSession): Promise<SessionSizes> {
  const { table, graph } = session;
  const found = known.get(table) ?? {
    sizes: { blocks: [], refs: new Map(), upTo: 0 },
    work: Promise.resolve(),
  };
  known.set(table, found);
  // Two simultaneous callers read one after the other, so that nothing is read twice.
  const work = found.work.then(() => measure(session, found.sizes, graph.parents.length));
  found.work = work.catch(() => undefined);
  await work;
  return found.sizes;
}

async function measure(session: OpenSession, sizes: SessionSizes, end: number): Promise<void> {
  const { records, types, blocks } = session.table;
  const command = types.list.indexOf("system/local_command");
  const wanted: number[] = [];
  for (let record = sizes.upTo; record < end; record++)
    if (SENT.has(records.kind.at(record)) || records.type.at(record) === command) wanted.push(record);
  // Written in the order of files, a list would have holes.
  for (let block = sizes.blocks.length; block < blocks.size; block++) sizes.blocks.push(0);
  await measureRecords(session, wanted, sizes);
  sizes.upTo = end;
}

/** Measures some of a session's records. Only numbers are kept, so there is nothing to redact. */
export async function measureRecords(
  { files, read, table }: OpenSession,
  wanted: Iterable<number>,
  { blocks, refs }: MeasuredRecords,
): Promise<void> {
  const sizes = new BlockSizes(table);
  await eachLine({ files, read, table }, wanted, (record, bytes, from, to) => {
    const ref = sizes.measure(record, bytes, from, to, blocks);
    if (ref !== null) refs.set(record, ref);
  });
}
