import { addRecord } from "@/lib/log/adding/add-record";
import { KEPT_BYTES } from "@/lib/log/adding/text-prefix";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { LineSplitter, type RawLine } from "@/lib/log/records/line-splitter";
import { parseLine, parseRecord } from "@/lib/log/records/parse-record";
import { SessionTable } from "@/lib/log/table/session-table";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { nextSlice } from "@/lib/server/runtime/slices";
import { logOf } from "@/lib/server/scan/scan-request";
import type { RowsQuery } from "@/lib/wire/requests/threads";
import type { Row, RowsResponse } from "@/lib/wire/rows";
import { chooseBranch } from "./answers/branch-entries";
import { rowsOf } from "./answers/session-rows";
import { nextRevision, OpenSession } from "./open-session";

/** The maximum that is read of a beginning, at some 5 ms a megabyte: a session up to this size is scanned quickly anyway. */
export const MAX_BEGINNING_BYTES = 8 << 20;

/** Enough lines for a screen full of rows. */
const ENOUGH_RECORDS = 120;

/** Little, since the page's scripts are asked for while it is read: a slice of this thread ends between two of them. */
const CHUNK_BYTES = 64 << 10;

/**
 * A session as it was when its main log was a few megabytes long, without its agents' logs. It is read on
 * the server's main thread, in slices, while a worker begins to scan all of it. Rejects with what `openConfinedSync`
 * throws.
 */
export async function readBeginning(files: SessionFiles): Promise<OpenSession> {
  const table = await readFirstRecords(files);
  await nextSlice();
  const logs = [logOf(files.main, null)];
  const skeleton = { table, graph: buildGraph(table, logs) };
  await nextSlice();
  return new OpenSession({ ...files, agents: [] }, logs, skeleton, nextRevision(null));
}

/**
 * The first rows of the thread that a session opens with, as far as the beginning determines them; `total` is
 * their number. Null for any other view, and where no prompt is among them.
 */
export async function rowsOfBeginning(session: OpenSession, query: RowsQuery): Promise<RowsResponse | null> {
  const { branch, agent, fold, from, around } = query;
  const isFirstView = branch === null && agent === null && fold.length === 0 && from === 0 && around === null;
  const shown = isFirstView ? chooseBranch(session, query, null) : null;
  if (!shown) return null;
  const answer = await rowsOf(session, query);
  const lastTurn = session.path(shown).turns.length - 1;
  const rows = settledRows(answer.rows).map((row) => withoutNumbers(row, lastTurn));
  return rows.some(({ kind }) => kind === "turn") ? { ...answer, rows, total: rows.length } : null;
}

async function readFirstRecords({ root, main }: SessionFiles): Promise<SessionTable> {
  const table = new SessionTable();
  const splitter = new LineSplitter();
  const take = (line: RawLine) => {
    for (const record of parseLine(line, { keepBytes: KEPT_BYTES }))
      addRecord(table, 0, record, () => parseRecord(line));
  };
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openConfinedSync(root, main.path);
  try {
    for (let at = 0; at < MAX_BEGINNING_BYTES && table.records.size < ENOUGH_RECORDS; ) {
      const read = file.read(chunk, 0, CHUNK_BYTES, at);
      if (read === 0) break;
      splitter.push(chunk.subarray(0, read), take);
      at += read;
      await nextSlice();
    }
  } finally {
    file.close();
  }
  return table;
}

/** The rows above the first call whose result may be in the unread part. */
function settledRows(rows: Row[]): Row[] {
  const open = rows.findIndex((row) => row.kind === "tool" && row.state === "no-result");
  return open === -1 ? rows : rows.slice(0, open);
}

/** The last turn may continue in the unread part. */
function withoutNumbers(row: Row, lastTurn: number): Row {
  return row.kind === "turn" && row.turn === lastTurn ? { ...row, durationMs: null, partial: true } : row;
}
