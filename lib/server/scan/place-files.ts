import { asObject, asString } from "@/lib/log/records/json";
import { placeRareValues } from "@/lib/log/table/rare-values";
import { type SessionLog, SessionTable, type SessionTableData } from "@/lib/log/table/session-table";
import { faultCode } from "@/lib/server/disk/file-fault";
import { readText, statOf } from "@/lib/server/disk/kept-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";

const NONE = -1;

/**
 * The table with its records in file order, as one scan of all files would have added them: records of
 * a file that has grown stand behind those of the files after it. `places` gives each file its new number.
 */
export function placeFiles(table: SessionTable, places: readonly number[] | null): SessionTable {
  const isSame = places === null || places.every((place, file) => place === file);
  if (isSame && isInOrder(table.records.columns.file, table.records.size)) return table;
  const data = table.toData();
  const { columns: records, size } = data.records;
  if (places) {
    for (let record = 0; record < size; record++)
      records.file[record] = places[records.file[record] as number] as number;
    data.copies = data.copies.map((copy) => ({ ...copy, file: places[copy.file] as number }));
  }
  if (isInOrder(records.file, size)) return new SessionTable(data);
  const order = orderByFile(records.file, size);
  const recordPlace = placesOf(order);

  const { columns: blocks, size: blockCount } = data.blocks;
  const blockOrder = new Uint32Array(blockCount);
  const firstBlock = new Int32Array(size);
  let filled = 0;
  for (const [place, record] of order.entries()) {
    firstBlock[place] = filled;
    for (
      let block = records.firstBlock[record] as number;
      block < blockCount && blocks.record[block] === record;
      block++
    )
      blockOrder[filled++] = block;
  }
  const blockPlace = placesOf(blockOrder);

  placeRareValues(data.images, recordPlace);
  placeRareValues(data.tookMs, recordPlace);
  permute(records, order);
  records.firstBlock.set(firstBlock);
  renumber(blocks.record, recordPlace);
  permute(blocks, blockOrder);
  renumber(data.calls.columns.use, blockPlace);
  renumber(data.calls.columns.result, blockPlace);
  data.furtherResults = data.furtherResults.map(({ call, after, block }) => ({
    call,
    after: blockPlace[after] as number,
    block: blockPlace[block] as number,
  }));
  placeCalls(data);
  data.queue = data.queue.map(({ enqueued, delivered }) => ({
    enqueued: recordPlace[enqueued] as number,
    delivered: delivered === NONE ? NONE : (recordPlace[delivered] as number),
  }));
  data.notices = data.notices.map((notice) => ({ ...notice, record: recordPlace[notice.record] as number }));
  data.notices.sort((a, b) => a.record - b.record);
  return new SessionTable(data);
}

/** Calls are numbered in the order of their first blocks. */
function placeCalls(data: SessionTableData): void {
  const { calls, blocks } = data;
  const order = new Uint32Array(calls.size);
  const places = new Int32Array(calls.size).fill(NONE);
  let seen = 0;
  for (const call of blocks.columns.call) {
    if (call === NONE || places[call] !== NONE) continue;
    places[call] = seen;
    order[seen++] = call;
  }
  permute(calls.columns, order);
  renumber(blocks.columns.call, places);
  renumber(data.callOfId.columns.call, places);
  const placed = <One extends { call: number }>(one: One): One => ({
    ...one,
    call: places[one.call] as number,
  });
  data.startedAgents = data.startedAgents.map(placed);
  data.furtherResults = data.furtherResults.map(placed);
  data.copies = data.copies.map(placed);
  placeCopies(data);
}

/** The first of the files with a call's id has the call, the others its copies. */
function placeCopies({ copies, callOfId, calls, blocks, records }: SessionTableData): void {
  const { call: callOf } = callOfId.columns;
  for (const copy of copies) {
    const first = callOf[copy.id] as number;
    if (first < copy.call) continue;
    callOf[copy.id] = copy.call;
    copy.call = first;
    copy.file = records.columns.file[
      blocks.columns.record[calls.columns.use[first] as number] as number
    ] as number;
  }
}

function isInOrder(files: Uint16Array, size: number): boolean {
  for (let record = 1; record < size; record++)
    if ((files[record] as number) < (files[record - 1] as number)) return false;
  return true;
}

/** The inverse of `order[place] = old`. */
function placesOf(order: Uint32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (const [place, old] of order.entries()) places[old] = place;
  return places;
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

function permute(columns: Record<string, Column>, order: Uint32Array): void {
  for (const column of Object.values(columns)) {
    const old = column.slice();
    for (let place = 0; place < order.length; place++) column[place] = old[order[place] as number] as number;
  }
}

function renumber(column: Int32Array, places: Int32Array): void {
  for (let at = 0; at < column.length; at++)
    if (column[at] !== NONE) column[at] = places[column[at] as number] as number;
}

/** Records by file; those of a file keep their order, which is the file's. */
function orderByFile(files: Uint16Array, size: number): Uint32Array {
  const next: number[] = [];
  for (let record = 0; record < size; record++) {
    const file = files[record] as number;
    next[file] = (next[file] ?? 0) + 1;
  }
  let start = 0;
  for (let file = 0; file < next.length; file++) {
    const count = next[file] ?? 0;
    next[file] = start;
    start += count;
  }
  const order = new Uint32Array(size);
  for (let record = 0; record < size; record++) {
    const file = files[record] as number;
    const place = next[file] as number;
    order[place] = record;
    next[file] = place + 1;
  }
  return order;
}

/** The contents of an agent's meta file, and a mark that changes with the file; null and "" where there is none. */
export type AgentMeta = { meta: SessionLog["meta"]; mark: string };

/**
 * `agent-<id>.meta.json` (2.1.110 and later). It is replaced by renaming, so a missing or torn one is no fault.
 * @param known what was read of it before: not read again while it is the same file, and what it says while the disk fails
 */
export function readAgentMeta(path: string | null, known: AgentMeta | null = null): AgentMeta {
  const found = path === null ? null : statOf(path);
  if (path === null || !found) return { meta: null, mark: "" };
  const mark = `${found.ino}:${found.size}:${found.mtimeMs}`;
  if (mark === known?.mark) return known;
  try {
    const meta = asObject(JSON.parse(readText(path)));
    return {
      meta: {
        toolUseId: asString(meta?.toolUseId),
        agentType: asString(meta?.agentType),
        description: asString(meta?.description),
      },
      mark,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { meta: null, mark };
    // A fault of the disk may pass while the file stays the same: it is read again the next time.
    if (faultCode(error) !== null || isViewerError(error)) return { meta: known?.meta ?? null, mark: "" };
    throw error;
  }
}
