import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import { openConfinedSync } from "../catalog/confined-file";
import { isViewerError } from "../viewer-error";
import type { StoredFile } from "./stored-session";

const PART_BYTES = 1024;

/** What identifies a file that was read up to `bytes`. */
export type Identity = Pick<StoredFile, "dev" | "ino" | "size" | "head" | "tail">;

/** The identity of an open file up to a byte offset. */
export function identify(descriptor: number, bytes: number): Identity {
  const { dev, ino, size } = fstatSync(descriptor);
  const head = hashOf(descriptor, 0, Math.min(PART_BYTES, bytes));
  const tail = hashOf(descriptor, Math.max(0, bytes - PART_BYTES), bytes);
  return { dev, ino, size, head, tail };
}

/** True if what was indexed of the file is still its beginning. Times never decide: copying and syncing change them. */
export function isContinued(stored: StoredFile, descriptor: number): boolean {
  const { dev, ino, size, head, tail } = identify(descriptor, stored.bytes);
  return (
    size >= stored.bytes &&
    ino === stored.ino &&
    dev === stored.dev &&
    head === stored.head &&
    tail === stored.tail
  );
}

/** The same of a file that is not open. False for one that is gone or unreadable. */
export function isStillThere(root: string, file: StoredFile): boolean {
  try {
    const descriptor = openConfinedSync(root, file.path);
    try {
      return isContinued(file, descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isViewerError(error)) return false; // reading it again will say what is wrong
    throw error;
  }
}

function hashOf(descriptor: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const got = readSync(descriptor, bytes, read, bytes.length - read, from + read);
    if (got === 0) break;
    read += got;
  }
  return createHash("sha256").update(bytes.subarray(0, read)).digest("base64url").slice(0, 22);
}
