import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";

const NEWLINE = 0x0a;
const READ_BYTES = 1 << 20;
/** A request has 64 KiB at most, so a longer line is none that was written here. */
const MAX_LINE_BYTES = 4 << 20;
/** A pipe in the file's place would otherwise be waited for, for ever. */
const OPEN_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A line of the file, which begins at byte `at`; `text` is `null` of one that is too long to be an event. */
export type EventLine = { at: number; text: string | null };

/**
 * A file to which lines are only ever added, by any number of processes at once: each adds with one write at the file's
 * end, and the order of lines is the same for all readers. A line that was cut short by a full disk is made empty, where
 * the disk lets it; by a killed process, it is separated from the next by the newline before that one.
 */
export class EventLog {
  readonly #path: string;
  /** How far it was read: up to the end of the last whole line. */
  #offset = 0;
  #inode: number | null = null;
  /** Whether it stands in a line that is too long, which was told already. */
  #inLong = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Lines that were added since the last call, without empty ones: about a mebibyte of them, and `more` says whether
   * there are others. `again`: the file was replaced or cut, and these are the first of its lines. Rejects with the
   * system's errors, as for a folder where there is something else than a file.
   */
  async readOn(): Promise<{ lines: EventLine[]; again: boolean; more: boolean }> {
    let handle: Awaited<ReturnType<typeof open>>;
    try {
      handle = await open(/*turbopackIgnore: true*/ this.#path, OPEN_AT_ONCE);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = this.#offset > 0;
      this.#begin(null);
      return { lines: [], again, more: false };
    }
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw Object.assign(new Error("It is not a file"), { code: "EISDIR" });
      const { size, ino } = stats;
      const again = this.#offset > 0 && (size < this.#offset || ino !== this.#inode);
      if (again) this.#begin(ino);
      this.#inode = ino;
      const lines: EventLine[] = [];
      let length = READ_BYTES;
      let more = false;
      while (this.#offset < size) {
        const bytes = Buffer.alloc(Math.min(length, size - this.#offset));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.#offset);
        const whole = bytes.lastIndexOf(NEWLINE, bytesRead - 1) + 1;
        if (bytesRead === 0) break;
        if (whole > 0) {
          this.#take(bytes.subarray(0, whole), lines);
          more = this.#offset < size;
          break;
        }
        if (this.#inLong || bytesRead >= MAX_LINE_BYTES) {
          if (!this.#inLong) lines.push({ at: this.#offset, text: null });
          this.#inLong = true;
          this.#offset += bytesRead;
        } else if (this.#offset + bytesRead >= size)
          break; // its end is still to be written
        else length = MAX_LINE_BYTES;
      }
      return { lines, again, more };
    } finally {
      await handle.close();
    }
  }

  #begin(inode: number | null): void {
    this.#offset = 0;
    this.#inode = inode;
    this.#inLong = false;
  }

  /** Adds the lines of `bytes`, which end with a newline, and stands behind them. */
  #take(bytes: Buffer, lines: EventLine[]): void {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at);
      if (end > at && !this.#inLong)
        lines.push({ at: this.#offset + at, text: bytes.toString("utf8", at, end) });
      this.#inLong = false;
      at = end + 1;
    }
    this.#offset += bytes.length;
  }

  /**
   * Adds a line, and resolves when it is on the disk. Rejects with the system's errors; the line then counts as not
   * written, and nothing of it stays if the disk was full.
   */
  async append(line: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const handle = await open(/*turbopackIgnore: true*/ this.#path, "a", 0o600);
    try {
      const bytes = Buffer.from(`\n${line}\n`);
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length) {
        await this.#takeBack(bytes.subarray(1, bytesWritten));
        throw Object.assign(new Error("The disk took only a part of a line"), { code: "ENOSPC" });
      }
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }

  /**
   * Overwrites the beginning of a line, after which nothing of it came, with newlines, in place: that needs no room, and
   * whoever adds lines meanwhile finds the end where it was. If it fails, readers are told of a damaged line.
   */
  async #takeBack(cut: Uint8Array): Promise<void> {
    if (cut.length === 0) return;
    try {
      const handle = await open(/*turbopackIgnore: true*/ this.#path, "r+");
      try {
        const { size } = await handle.stat();
        const from = Math.max(0, size - cut.length - MAX_LINE_BYTES);
        const end = Buffer.alloc(size - from);
        const { bytesRead } = await handle.read(end, 0, end.length, from);
        const at = placeOfLine(end.subarray(0, bytesRead), cut);
        if (at !== null) await handle.write(Buffer.alloc(cut.length, NEWLINE), 0, cut.length, from + at);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (faultCode(error) === null) throw error;
    }
  }
}

/** Where the last line begins that is exactly this, with or without a newline behind it; `null` if there is none. */
function placeOfLine(bytes: Buffer, line: Uint8Array): number | null {
  for (let at = bytes.lastIndexOf(line); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(line, at - 1)) {
    const end = at + line.length;
    const isBegun = at === 0 || bytes[at - 1] === NEWLINE;
    if (isBegun && (end === bytes.length || bytes[end] === NEWLINE)) return at;
  }
  return null;
}
