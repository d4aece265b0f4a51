import { deserialize, serialize } from "node:v8";
import { SessionTable, type SessionTableData } from "@/lib/thread/session-table";

const NO_SLOTS = new Int32Array(0);
const EMPTY = -1;
const WORDS = 4;
const KEYS = ["uuids", "messageIds", "toolIds", "texts"] as const;

/** A table as bytes. The slots of its key indexes are left out: they follow from the keys. */
export function encodeSkeleton(data: SessionTableData): Uint8Array {
  const slim = { ...data };
  for (const name of KEYS) slim[name] = { ...data[name], slots: NO_SLOTS };
  return serialize(slim);
}

const SHAPE = shapeOf(new SessionTable().toData());

/** Names of all lists and columns: a change of the table makes stored ones unreadable without being noticed elsewhere. */
function shapeOf(data: SessionTableData): string {
  const { records, blocks, calls, messages } = data;
  return [data, records.columns, blocks.columns, calls.columns, messages.columns]
    .map((part) => Object.keys(part).join())
    .join(";");
}

/**
 * What `encodeSkeleton` wrote, or null if that was a table of other columns. Throws on anything else:
 * check the bytes' sum before.
 */
export function decodeSkeleton(bytes: Uint8Array): SessionTableData | null {
  const data = deserialize(bytes) as SessionTableData;
  if (shapeOf(data) !== SHAPE) return null;
  for (const name of KEYS) {
    const { size, words } = data[name];
    data[name] = { size, words, slots: slotsOf(words, size) };
  }
  return data;
}

/** Open addressing with at least half of the slots free, as `KeyIndex` keeps them. */
function slotsOf(words: Uint32Array, size: number): Int32Array {
  let capacity = 512;
  while (size * 2 >= capacity) capacity *= 2;
  const slots = new Int32Array(capacity).fill(EMPTY);
  const mask = capacity - 1;
  for (let index = 0; index < size; index++) {
    let slot = (words[index * WORDS] as number) & mask;
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    slots[slot] = index;
  }
  return slots;
}
