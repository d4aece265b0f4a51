import { createHash } from "node:crypto";
import { openConfinedSync } from "@/lib/server/disk/confined-file";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { StoredFile } from "./stored-session";

const NEWLINE = 0x0a;

/** The identity of a file that was read up to `bytes`. */
export type Identity = Pick<StoredFile, "dev" | "ino" | "size" | "head" | "tail">;

/** The identity of an open file up to a byte offset, as it is now. */
export function identify(file: OpenFile, bytes: number): Identity {
  const { dev, ino, size } = file.stat();
  return { dev, ino, size, ...hashesOf(marksOf(file, bytes)) };
}

/**
 * The known part of an open file, if what was indexed of it is still its beginning; otherwise null. Times never decide:
 * copying and syncing change them.
 */
export function continuedMarks(stored: Identity & Pick<StoredFile, "bytes">, file: OpenFile): Marks | null {
  const { dev, ino, size } = file.stat();
  if (size < stored.bytes || ino !== stored.ino || dev !== stored.dev) return null;
  const marks = marksOf(file, stored.bytes);
  const { head, tail } = hashesOf(marks);
  if (head !== stored.head || tail !== stored.tail) return null;
  // A last record without a newline is only completed by a newline: anything else makes another line of it.
  const isOpen = size > stored.bytes && endsOpen(marks);
  return isOpen && readPart(file, stored.bytes, stored.bytes + 1)[0] !== NEWLINE ? null : marks;
}

/** True if a file was read up to a last record without a newline: the newline that follows ends that line. */
export function endsOpen({ tail }: Marks): boolean {
  return tail.length > 0 && tail[tail.length - 1] !== NEWLINE;
}

/** True if what was indexed of the file is still its beginning. */
export function isContinued(stored: StoredFile, file: OpenFile): boolean {
  return continuedMarks(stored, file) !== null;
}

/**
 * The same for a file that is not open. False for one that is gone or unreadable; a main log that was already gone when
 * it was indexed still is.
 */
export function isStillThere(root: string, file: StoredFile): boolean {
  try {
    const opened = openConfinedSync(root, file.path);
    try {
      return isContinued(file, opened);
    } finally {
      opened.close();
    }
  } catch (error) {
    if (isViewerError(error) && error.code === "file-gone" && file.key === "m")
      return file.size + file.ino === 0;
    if (isViewerError(error)) return false; // reading it again will say what is wrong
    throw error;
  }
}

/** The hashes of marks, as they are stored. */
export function hashesOf({ head, tail }: Marks): Pick<StoredFile, "head" | "tail"> {
  return { head: hashOf(head), tail: hashOf(tail) };
}

function marksOf(file: OpenFile, bytes: number): Marks {
  const head = readPart(file, 0, Math.min(MARK_BYTES, bytes));
  return { head, tail: readPart(file, Math.max(0, bytes - MARK_BYTES), bytes) };
}

function readPart(file: OpenFile, from: number, to: number): Uint8Array {
  const bytes = Buffer.alloc(to - from);
  let read = 0;
  while (read < bytes.length) {
    const got = file.read(bytes, read, bytes.length - read, from + read);
    if (got === 0) break;
    read += got;
  }
  return bytes.subarray(0, read);
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
}

/** The number of bytes at a file's beginning, and before the end of what was read, that identify it. */
const MARK_BYTES = 1024;

/** The first KiB of what was read of a file, and the last one. */
export type Marks = { head: Uint8Array; tail: Uint8Array };

const NOTHING = new Uint8Array(0);

/**
 * The marks of a file from the bytes that were read of it. Not from the file as it is afterwards: one that was replaced
 * while it was read would be taken for what was indexed.
 */
export class ReadMarks {
  #head: Uint8Array;
  #tail: Uint8Array;
  /** The bytes before the next chunk, as many as a mark needs. */
  #recent: Uint8Array;
  #at: number;

  /**
   * @param at where reading begins
   * @param before the marks of everything before that
   */
  constructor(at: number, before: Marks = { head: NOTHING, tail: NOTHING }) {
    this.#at = at;
    this.#head = before.head;
    this.#tail = before.tail;
    this.#recent = before.tail;
  }

  /** Takes the next bytes of the file. `consumed`: where its last whole line ends now. */
  take(chunk: Uint8Array, consumed: number): void {
    this.#head = joined(this.#head, chunk.subarray(0, MARK_BYTES - this.#head.length));
    if (consumed > this.#at) this.#tail = lastOf(this.#recent, chunk.subarray(0, consumed - this.#at));
    this.#recent = lastOf(this.#recent, chunk);
    this.#at += chunk.length;
  }

  /** The marks of the file's first `consumed` bytes: the last value given, or everything that was taken. */
  upTo(consumed: number): Marks {
    const tail = consumed === this.#at ? this.#recent : this.#tail;
    return { head: this.#head.subarray(0, consumed), tail };
  }
}

function lastOf(before: Uint8Array, after: Uint8Array): Uint8Array {
  const spare = MARK_BYTES - after.length;
  return spare > 0
    ? joined(before.subarray(Math.max(0, before.length - spare)), after)
    : new Uint8Array(after.subarray(-MARK_BYTES));
}

/** A copy: chunks are read into the same memory again. */
function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
