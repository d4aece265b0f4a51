import { hashIndexOf } from "@/lib/log/table/hash-index";
import { RARE } from "@/lib/log/table/rare-values";
import { BLOCKS, CALL_OF_ID, CALLS, MESSAGES, RECORDS } from "@/lib/log/table/session-columns";
import type { SessionTable, SessionTableData } from "@/lib/log/table/session-table";
import { columnsFor, grownCapacity, type Shape, type Table } from "@/lib/log/table/table";
import type { StoredFile } from "@/lib/server/scan/stored-session";

const TABLES = {
  records: RECORDS,
  blocks: BLOCKS,
  calls: CALLS,
  messages: MESSAGES,
  images: RARE,
  tookMs: RARE,
  callOfId: CALL_OF_ID,
};
const TABLE_NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];
const KEYS = ["uuids", "messageIds", "toolIds", "texts"] as const;
const WORDS = 4;
const LISTS = [
  "tools",
  "models",
  "tiers",
  "paths",
  "types",
  "versions",
  "agentIds",
  "agentTypes",
  "queue",
  "agentHints",
  "notices",
  "passes",
  "advised",
  "clientCosts",
  "startedAgents",
  "furtherResults",
  "copies",
] as const;

/** Names of all lists and columns: a change of the table makes stored ones unreadable without being noticed elsewhere. */
const SHAPE = [TABLES, ...Object.values(TABLES)]
  .map((part) => Object.keys(part).join())
  .concat(KEYS.join(), LISTS.join())
  .join(";");

type Lists = Pick<SessionTableData, (typeof LISTS)[number]>;
/** Everything that is no column. */
type Head = {
  shape: string;
  files: StoredFile[];
  tables: Record<keyof typeof TABLES, number>;
  keys: Record<(typeof KEYS)[number], number>;
  lists: Lists;
};

/** A table as it is stored, and how far in its files it reaches. */
export type StoredSkeleton = { table: SessionTableData; files: StoredFile[] };

/**
 * A table as bytes, part by part, so that writing one down takes no second copy of it: the length of its head, the
 * head as JSON, and the columns as they lie in memory. The slots of its key indexes and their seeds are left
 * out: they follow from the keys.
 */
export function encodeSkeleton(table: SessionTable, files: StoredFile[]): Generator<Uint8Array<ArrayBuffer>> {
  return inParts(piecesOf(table, files));
}

function* piecesOf(table: SessionTable, files: StoredFile[]): Generator<Uint8Array> {
  const sizes = <K extends string>(names: readonly K[], of: Record<K, { size: number }>) =>
    Object.fromEntries(names.map((name) => [name, of[name].size])) as Record<K, number>;
  const head: Head = {
    shape: SHAPE,
    files,
    tables: sizes(TABLE_NAMES, table),
    keys: sizes(KEYS, table),
    lists: Object.fromEntries(LISTS.map((name) => [name, listOf(table, name)])) as Lists,
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  yield bytesOf(Uint32Array.of(json.length));
  yield json;
  for (const name of TABLE_NAMES) yield* columnsOf(table[name]);
  for (const name of KEYS) yield bytesOf(table[name].words);
}

function listOf(table: SessionTable, name: (typeof LISTS)[number]): unknown[] {
  const list = table[name];
  return "list" in list ? list.list : list;
}

function* columnsOf({ columns, size }: Pick<Table<Shape>, "columns" | "size">): Generator<Uint8Array> {
  for (const column of Object.values(columns)) yield bytesOf(column.subarray(0, size));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * What `encodeSkeleton` wrote, with room to grow, or null if that was a table of other columns or is not whole.
 * Throws on anything else: check the parts' sums before.
 */
export function decodeSkeleton(parts: Iterable<Uint8Array>): StoredSkeleton | null {
  const reader = new PartReader(parts);
  try {
    const length = new Uint32Array(1);
    if (!reader.readInto(bytesOf(length))) return null;
    const json = new Uint8Array(length[0] as number);
    if (!reader.readInto(json)) return null;
    const head = JSON.parse(new TextDecoder().decode(json)) as Head;
    if (head.shape !== SHAPE) return null;
    const table = dataOf(head);
    const isWhole = toFill(table).every((column) => reader.readInto(column));
    if (!isWhole || !reader.isAtEnd()) return null;
    for (const name of KEYS) table[name] = hashIndexOf(table[name].words, table[name].size);
    return { table, files: head.files };
  } finally {
    reader.close();
  }
}

function dataOf({ tables, keys, lists }: Head): SessionTableData {
  const made = <S extends Shape>(shape: S, size: number) => ({
    size,
    columns: columnsFor(shape, grownCapacity(size)),
  });
  const keyed = (size: number) => ({
    size,
    words: new Uint32Array(grownCapacity(size) * WORDS),
    slots: new Int32Array(),
    seed: 0,
  });
  return {
    ...lists,
    records: made(RECORDS, tables.records),
    blocks: made(BLOCKS, tables.blocks),
    calls: made(CALLS, tables.calls),
    messages: made(MESSAGES, tables.messages),
    images: made(RARE, tables.images),
    tookMs: made(RARE, tables.tookMs),
    callOfId: made(CALL_OF_ID, tables.callOfId),
    uuids: keyed(keys.uuids),
    messageIds: keyed(keys.messageIds),
    toolIds: keyed(keys.toolIds),
    texts: keyed(keys.texts),
  };
}

/** The memory of all columns and keys, up to their sizes, in the order in which they are written. */
function toFill(table: SessionTableData): Uint8Array[] {
  const columns = TABLE_NAMES.map((name) => table[name]).flatMap(({ columns, size }) =>
    Object.values(columns).map((column) => bytesOf(column.subarray(0, size))),
  );
  return [
    ...columns,
    ...KEYS.map((name) => bytesOf(table[name].words.subarray(0, table[name].size * WORDS))),
  ];
}

/**
 * Less than the size that an allocator maps separately (128 KiB with glibc): parts of one size leave no holes in memory
 * that nothing else fits into, which for tables that are written again and again came to 30 MB.
 */
const PART_BYTES = 96 << 10;

/** Bytes packed into parts of one size; the last is what is left. Each part is memory of its own. */
export function* inParts(pieces: Iterable<Uint8Array>): Generator<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(PART_BYTES);
  let used = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const taken = piece.subarray(from, from + PART_BYTES - used);
      part.set(taken, used);
      used += taken.length;
      from += taken.length;
      if (used < PART_BYTES) continue;
      yield part.slice();
      used = 0;
    }
  }
  if (used > 0) yield part.slice(0, used);
}

/** Reads parts as the one run of bytes that they were. */
export class PartReader {
  readonly #parts: Iterator<Uint8Array>;
  #part: Uint8Array = new Uint8Array();
  #used = 0;

  constructor(parts: Iterable<Uint8Array>) {
    this.#parts = parts[Symbol.iterator]();
  }

  /** Fills all of `bytes` with what comes next; false when there is less. */
  readInto(bytes: Uint8Array): boolean {
    for (let filled = 0; filled < bytes.length; ) {
      if (!this.#hasMore()) return false;
      const taken = this.#part.subarray(this.#used, this.#used + bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      this.#used += taken.length;
    }
    return true;
  }

  isAtEnd(): boolean {
    return !this.#hasMore();
  }

  /** Releases the source of the parts. */
  close(): void {
    this.#parts.return?.();
  }

  #hasMore(): boolean {
    while (this.#used === this.#part.length) {
      const next = this.#parts.next();
      if (next.done) return false;
      this.#part = next.value;
      this.#used = 0;
    }
    return true;
  }
}
