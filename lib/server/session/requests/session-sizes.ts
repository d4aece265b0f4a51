import { asString } from "@/lib/log/records/json";
import { measureBlocks } from "@/lib/log/requests/block-sizes";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { nextSlice } from "@/lib/server/runtime/slices";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";

/** What is known of a session's content as numbers. It grows with the session's table. */
export type SessionSizes = {
  /** Characters of each block, as far as it is sent. */
  blocks: number[];
  /** Line of an answer → the id of the request that it answers, where the client logs them. */
  refs: Map<number, string>;
  /** The records that have been measured: those before this one. */
  upTo: number;
};

const known = new WeakMap<SessionTable, { sizes: SessionSizes; work: Promise<void> }>();

/** Longer strings are not looked at: their size is all that counts. */
const KEEP_BYTES = 128;
/** So much of a log is read at once without handing it to another thread, which would take longer. */
const BATCH_BYTES = 240 << 10;

const SENT: ReadonlySet<number> = new Set([
  RecordKind.prompt,
  RecordKind.results,
  RecordKind.meta,
  RecordKind.compactSummary,
  RecordKind.compactBoundary,
  RecordKind.command,
  RecordKind.commandOutput,
  RecordKind.interruption,
  RecordKind.notification,
  RecordKind.agentPrompt,
  RecordKind.assistant,
  RecordKind.synthetic,
  RecordKind.attachment,
]);

/** The sizes of all that a session's requests send: read once, and of one that grows what was added. */
export async function sessionSizes(session: OpenSession): Promise<SessionSizes> {
  const { table, graph } = session;
  const found = known.get(table) ?? {
    sizes: { blocks: [], refs: new Map(), upTo: 0 },
    work: Promise.resolve(),
  };
  known.set(table, found);
  // Two who ask at once read in turn, so that nothing is read twice.
  const work = found.work.then(() => measure(session, found.sizes, graph.parents.length));
  found.work = work.catch(() => undefined);
  await work;
  return found.sizes;
}

async function measure(session: OpenSession, sizes: SessionSizes, end: number): Promise<void> {
  const { table, files } = session;
  const { records, types } = table;
  const command = types.list.indexOf("system/local_command");
  // Only numbers are kept, so there is nothing to redact.
  const plain = { files, table, redaction: null };
  while (sizes.upTo < end) {
    const wanted: number[] = [];
    let bytes = 0;
    let to = sizes.upTo;
    for (; to < end && bytes < BATCH_BYTES; to++) {
      bytes += records.length.at(to);
      if (SENT.has(records.kind.at(to)) || records.type.at(to) === command) wanted.push(to);
    }
    const read = await readRecords(plain, wanted, KEEP_BYTES, true);
    for (const record of wanted) {
      const logged = read(record);
      if (!logged) continue;
      measureBlocks(table, record, logged, sizes.blocks);
      const ref = logged.kind === "assistant" ? asString(logged.json.requestRef) : null;
      if (ref !== null) sizes.refs.set(record, ref);
    }
    sizes.upTo = to;
    await nextSlice();
  }
}
