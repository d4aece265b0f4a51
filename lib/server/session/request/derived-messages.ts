import type { JsonObject } from "@/lib/log/records/json";
import { sentBy } from "@/lib/log/request/sent-message";
import { RecordKind } from "@/lib/log/table/kinds";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { messageHash } from "./canonical-hash";
import { requestIndex } from "./rebuild-request";

/** A message that the client did not log twice: its hash leads to the records that hold it. */
export type DerivedMessage = { message: JsonObject; records: number[] };

/** Results that one request may carry together. */
const MOST_MERGED = 12;
const BATCH = 400;

/**
 * The messages that can be made from a session's records, by hash: every answer from its lines,
 * every user line, and runs of results that were sent as one message.
 */
export async function deriveMessages(session: OpenSession): Promise<Map<string, DerivedMessage>> {
  const { table } = session;
  const found = new Map<string, DerivedMessage>();
  const index = requestIndex(session);
  for (let message = 0; message < table.messages.size; message += BATCH) {
    const messages = Array.from(
      { length: Math.min(BATCH, table.messages.size - message) },
      (_, i) => message + i,
    );
    const read = await readRecords(
      session,
      messages.flatMap((one) => index.linesOf(one)),
    );
    for (const one of messages) {
      const lines = dedupe(session, index.linesOf(one));
      const plain = lines.flatMap((line) => contentOf(read(line)));
      const sent = lines.flatMap((line) => sentContent(read(line)));
      for (const content of [plain, sent]) {
        const derived = { role: "assistant", content };
        found.set(messageHash(derived), { message: derived, records: lines });
      }
    }
  }
  await deriveUsers(session, found);
  return found;
}

function dedupe({ table }: OpenSession, lines: readonly number[]): number[] {
  const seen = new Set<number>();
  return lines.filter((line) => {
    const uuid = table.records.get("uuid", line);
    if (seen.has(uuid)) return false;
    seen.add(uuid);
    return true;
  });
}

type Reader = Awaited<ReturnType<typeof readRecords>>;
type Logged = ReturnType<Reader>;

function contentOf(record: Logged): JsonObject[] {
  return record?.kind === "assistant" || record?.kind === "user"
    ? record.blocks.map((block) => block.json)
    : [];
}

function sentContent(record: Logged): JsonObject[] {
  return record ? (sentBy(record)?.content ?? []) : [];
}

/** Runs of user lines between two answers: results that came together, and what a skill or command added to them. */
async function deriveUsers(session: OpenSession, found: Map<string, DerivedMessage>): Promise<void> {
  const { records } = session.table;
  const runs: number[][] = [[]];
  // File by file: those of a running session may have been read by turns.
  const inOrder = Array.from({ length: records.size }, (_, record) => record);
  inOrder.sort((a, b) => records.get("file", a) - records.get("file", b) || a - b);
  for (const record of inOrder) {
    const run = runs.at(-1) as number[];
    if (isUserLine(session, record)) {
      if (run.length < MOST_MERGED) run.push(record);
      else runs.push([record]);
    }
    // Lines of one answer and results of its calls are interleaved (2.1.330): only a new answer ends a run.
    else if (
      run.length > 0 &&
      records.get("kind", record) === RecordKind.assistant &&
      startsAnswer(session, record)
    )
      runs.push([]);
  }
  for (let from = 0; from < runs.length; from += BATCH) {
    const batch = runs.slice(from, from + BATCH);
    const read = await readRecords(session, batch.flat());
    for (const lines of batch) addRuns(found, lines, read);
  }
}

function isUserLine({ table: { records, types } }: OpenSession, record: number): boolean {
  return types.at(records.get("type", record)) === "user";
}

function startsAnswer(session: OpenSession, record: number): boolean {
  const { table } = session;
  return requestIndex(session).linesOf(table.records.get("message", record))[0] === record;
}

/** All runs of neighbours within these lines, single ones among them. */
function addRuns(found: Map<string, DerivedMessage>, lines: readonly number[], read: Reader): void {
  for (let from = 0; from < lines.length; from++) {
    for (let to = from + 1; to <= lines.length; to++) {
      const part = lines.slice(from, to);
      for (const take of [contentOf, sentContent]) {
        const message = { role: "user", content: part.flatMap((line) => take(read(line))) };
        const hash = messageHash(message);
        if (!found.has(hash)) found.set(hash, { message, records: part });
      }
    }
  }
}
