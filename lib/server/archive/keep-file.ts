import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { openOnDiskSync } from "@/lib/server/disk/confined-file";
import { explainFault, faultCode } from "@/lib/server/disk/file-fault";
import type { OpenFile } from "@/lib/server/disk/open-file";
import { readRangeSync } from "@/lib/server/disk/read-range";
import { nextSlice, untilQuiet } from "@/lib/server/runtime/slices";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { type Chunk, ChunkWriter, sha256 } from "./chunks";
import { type KeptFile, MARK_BYTES, type Manifest } from "./manifest";
import type { ObjectStore } from "./store/object-store";

/**
 * A file to keep: its real path, the real folder of logs in which it was found, and how it is kept. `within` bounds
 * what is opened: if a part of that folder is a link, it is the link's target.
 */
export type SourceFile = Pick<Manifest, "path" | "root" | "kind"> & { within: string };

const READ_BYTES = 256 * 1024;
/** Reused for bytes that are only compared: a log that grows is checked every second. */
const looked = Buffer.allocUnsafeSlow(READ_BYTES);
/** A file is kept in steps of this length, so that after an interruption it continues from there. */
const MAX_STEP_BYTES = 64 * 1024 * 1024;
/** A last line without its newline is kept when nobody has written to its log for this long, as far as its time tells. */
const QUIET_MS = 60_000;
const NEWLINE = 0x0a;
/** Files up to this length are compared as a whole each time: a few milliseconds. */
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file from the end of its kept part, puts the chunks, and returns its new state; null if nothing has changed.
 * With `isCut` there is more to keep at once. Throws the ViewerErrors of `openConfined`, `archive-damaged`, and the
 * store's errors.
 * @param before what was kept of this file, maybe at another path
 */
export async function keepFile(
  store: ObjectStore,
  source: SourceFile,
  before: KeptFile | null,
): Promise<{ manifest: Manifest; isCut: boolean } | null> {
  const file = openOnDiskSync(source.within, source.path);
  try {
    // Before anything is read: if lines are written meanwhile, the file looks changed the next time.
    const stats = file.stat();
    const goesOn = before !== null && isContinued(file, stats, before);
    const kept = goesOn ? before.bytes : 0;
    const end = endOf(file, stats, source, kept);
    if (goesOn && end === kept && before.path === source.path && isSameFile(before, stats)) return null;
    const old = goesOn ? before.chunks : [];
    const { chunks, head, tail } = await readOn(store, file, old, kept, end);
    const last = chunks.at(-1);
    const isMoved = before !== null && before.path !== source.path;
    const manifest: Manifest = {
      version: 1,
      path: source.path,
      root: source.root,
      kind: source.kind,
      generation: before ? before.generation + (goesOn ? 0 : 1) : 0,
      parent: before?.hash ?? null,
      earlier: goesOn ? before.earlier : (before?.hash ?? null),
      movedFrom: [...(before?.movedFrom ?? []), ...(isMoved ? [before.path] : [])],
      bytes: last ? last.at + last.bytes : 0,
      dev: stats.dev,
      ino: stats.ino,
      mtimeMs: stats.mtimeMs,
      mode: stats.mode & 0o777,
      head,
      tail,
      chunks,
      keptAtMs: Date.now(),
    };
    return { manifest, isCut: end === kept + MAX_STEP_BYTES };
  } finally {
    file.close();
  }
}

/**
 * True if only its times can have changed since the file at this path was kept. The device is ignored: between libuv
 * 1.49 and 1.51 Windows 11 reports different ones for a path and for the open file.
 */
export function isUnchanged(kept: KeptFile, { ino, size, mtimeMs }: Stats): boolean {
  return kept.bytes === size && kept.mtimeMs === mtimeMs && kept.ino === ino;
}

function isSameFile(kept: KeptFile, { dev, ino, mtimeMs }: Stats): boolean {
  return kept.dev === dev && kept.ino === ino && kept.mtimeMs === mtimeMs;
}

/**
 * True if what was kept is still the file's beginning. A long log that has only grown is judged by its first and last
 * kept KiB; anything else is compared as a whole, since those may be equal in a file that was rewritten.
 */
function isContinued(file: OpenFile, stats: Stats, kept: KeptFile): boolean {
  if (stats.size < kept.bytes) return false;
  const isLong = kept.kind === "log" && kept.bytes > MAX_COMPARED_BYTES;
  const hasOnlyGrown = isLong && stats.size > kept.bytes && stats.ino === kept.ino && stats.dev === kept.dev;
  if (hasOnlyGrown || isSameFile(kept, stats)) return hasMarks(file, kept);
  return kept.chunks.every((chunk) => hasChunk(file, chunk));
}

/** True if a file still has a chunk's bytes at its offset. */
function hasChunk(file: OpenFile, { hash, at, bytes }: Chunk): boolean {
  const sum = createHash("sha256");
  for (let from = at; from < at + bytes; from += READ_BYTES)
    sum.update(readSource(file, from, Math.min(at + bytes, from + READ_BYTES), looked));
  return sum.digest("hex") === hash;
}

function hasMarks(file: OpenFile, { bytes, head, tail }: KeptFile): boolean {
  return (
    sha256(readSource(file, 0, Math.min(MARK_BYTES, bytes))) === head &&
    sha256(readSource(file, Math.max(0, bytes - MARK_BYTES), bytes)) === tail
  );
}

/**
 * True if a file at another path is the one that was kept, and is no longer where it was: its bytes are the same, and
 * its name too, or its inode. Short files are often equal, so those must also be in folders of the same name.
 */
export function isMovedFile(kept: KeptFile, source: SourceFile): boolean {
  if (kept.kind !== source.kind || kept.bytes === 0) return false;
  const file = openOnDiskSync(source.within, source.path);
  try {
    const stats = file.stat();
    const hasName = basename(kept.path) === basename(source.path);
    const hasFolder = basename(dirname(kept.path)) === basename(dirname(source.path));
    const isLongLog = kept.kind === "log" && kept.bytes >= MARK_BYTES;
    const isInode = kept.ino === stats.ino && kept.dev === stats.dev;
    const mayBe = isLongLog ? hasName || isInode : hasName && hasFolder;
    return mayBe && stats.size >= kept.bytes && hasMarks(file, kept);
  } finally {
    file.close();
  }
}

/**
 * The offset up to which to keep: the end of the last whole line, or of the file if nobody writes to it any more. A time
 * that is further ahead than clocks of two machines differ does not tell when it was written, and would keep a line out
 * for as long: then the file is kept as it is, and goes on from there.
 */
function endOf(file: OpenFile, { size, mtimeMs }: Stats, { kind }: SourceFile, kept: number): number {
  const end = Math.min(size, kept + MAX_STEP_BYTES);
  if (kind === "file" || end < size || Math.abs(Date.now() - mtimeMs) > QUIET_MS) return end;
  for (let to = end; to > kept; to -= READ_BYTES) {
    const from = Math.max(kept, to - READ_BYTES);
    const newline = readSource(file, from, to, looked).lastIndexOf(NEWLINE);
    if (newline !== -1) return from + newline + 1;
  }
  return kept;
}

/** Adds the bytes between two offsets to the chunks of what precedes them. Ends sooner if the file does. */
async function readOn(
  store: ObjectStore,
  file: OpenFile,
  before: readonly Chunk[],
  from: number,
  end: number,
): Promise<{ chunks: Chunk[]; head: string; tail: string }> {
  const writer = await ChunkWriter.after(store, before, end - from, ({ at, bytes }, into) => {
    return readSource(file, at, at + bytes, into);
  });
  // Marks are those of the kept bytes, not of the file a moment later.
  let first = readSource(file, 0, Math.min(MARK_BYTES, from));
  let last = readSource(file, Math.max(0, from - MARK_BYTES), from);
  for (let at = from; at < end; ) {
    const room = writer.room();
    const bytes = readSource(file, at, Math.min(end, at + room.length), room);
    if (bytes.length === 0) break;
    first = Buffer.concat([first, bytes.subarray(0, MARK_BYTES - first.length)]);
    last = Buffer.concat([last, bytes.subarray(-MARK_BYTES)]).subarray(-MARK_BYTES);
    at += bytes.length;
    await writer.add(bytes.length);
    // New lines of other files may be kept between two parts of a long log.
    if (at < end) {
      await nextSlice();
      await untilQuiet();
    }
  }
  return { chunks: await writer.end(), head: sha256(first), tail: sha256(last) };
}

/** Throws `file-unreadable`: a fault of the file, not of the store. */
function readSource(file: OpenFile, from: number, to: number, into: Buffer | null = null): Uint8Array {
  try {
    return readRangeSync(file, from, to, into);
  } catch (cause) {
    if (faultCode(cause) === null) throw cause;
    const { message, hint } = explainFault(cause);
    throw new ViewerError("file-unreadable", message, { status: 409, hint, cause });
  }
}
