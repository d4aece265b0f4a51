import { createHash } from "node:crypto";
import { fstatSync, readSync } from "node:fs";

/**
 * The contents of a batch's file: its objects' names and lengths, and the offset of the first one's bytes; the others'
 * follow.
 */
export type BatchIndex = { objects: [name: string, length: number][]; startsAt: number };

const MAGIC = "backscroll batch 1";
const HEAD = /^backscroll batch 1 (\d{10}) ([0-9a-f]{64})\n$/;
const HEAD_BYTES = MAGIC.length + 1 + 10 + 1 + 64 + 1;

/**
 * A batch's file: head, index, the objects' bytes, and index and head again, in case those at the beginning are
 * damaged. The head contains the length of the index, and its SHA-256.
 */
export function encodeBatch(objects: ReadonlyMap<string, Uint8Array>): {
  parts: Uint8Array[];
  index: BatchIndex;
} {
  const named = [...objects].map(([name, bytes]): [string, number] => [name, bytes.length]);
  const text = Buffer.from(JSON.stringify(named));
  const head = Buffer.from(`${MAGIC} ${String(text.length).padStart(10, "0")} ${hashOf(text)}\n`);
  const parts = [head, text, ...objects.values(), text, head];
  return { parts, index: { objects: named, startsAt: HEAD_BYTES + text.length } };
}

/** Reads the index of an open batch. Null if it is damaged at both ends. */
export function readBatchIndex(descriptor: number): BatchIndex | null {
  const { size } = fstatSync(descriptor);
  for (const headAt of [0, size - HEAD_BYTES]) {
    const head = HEAD.exec(readAt(descriptor, headAt, HEAD_BYTES)?.toString("latin1") ?? "");
    if (!head) continue;
    const length = Number(head[1]);
    const text = readAt(descriptor, headAt === 0 ? HEAD_BYTES : headAt - length, length);
    if (text && hashOf(text) === head[2])
      return { objects: JSON.parse(text.toString("utf8")), startsAt: HEAD_BYTES + length };
  }
  return null;
}

/** The bytes at a place of an open file; null if it has fewer there. */
export function readAt(descriptor: number, at: number, length: number): Buffer | null {
  if (at < 0) return null;
  const bytes = Buffer.allocUnsafe(length);
  return readSync(descriptor, bytes, 0, length, at) === length ? bytes : null;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
