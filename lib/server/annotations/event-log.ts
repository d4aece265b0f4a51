import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "@/lib/server/disk/file-fault";

const NEWLINE = 0x0a;
const READ_BYTES = 1 << 20;

/**
 * A file to which lines are only ever added, by any number of processes at once: each adds with one write at the file's
 * end, and the order of lines is the same for all readers. A line that was cut short, by a full disk or a killed
 * process, is separated from the next by the newline before that one; it is no JSON, so it is ignored.
 */
export class EventLog {
  readonly #path: string;
  /** How far it was read: up to the end of the last whole line. */
  #offset = 0;
  #inode: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The lines that were added since the last call, without empty ones. `again`: the file was replaced or cut, and these
   * are all of its lines. Rejects with the system's errors.
   */
  async readOn(): Promise<{ lines: string[]; again: boolean }> {
    let handle: Awaited<ReturnType<typeof open>>;
    try {
      handle = await open(/*turbopackIgnore: true*/ this.#path, "r");
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = this.#offset > 0;
      this.#offset = 0;
      this.#inode = null;
      return { lines: [], again };
    }
    try {
      const { size, ino } = await handle.stat();
      const again = this.#offset > 0 && (size < this.#offset || ino !== this.#inode);
      if (again) this.#offset = 0;
      this.#inode = ino;
      const parts: Buffer[] = [];
      for (let at = this.#offset; at < size; ) {
        const part = Buffer.alloc(Math.min(READ_BYTES, size - at));
        const { bytesRead } = await handle.read(part, 0, part.length, at);
        if (bytesRead === 0) break;
        parts.push(part.subarray(0, bytesRead));
        at += bytesRead;
      }
      const bytes = Buffer.concat(parts);
      const whole = bytes.lastIndexOf(NEWLINE) + 1;
      this.#offset += whole;
      const lines = bytes.toString("utf8", 0, whole).split("\n");
      return { lines: lines.filter((line) => line !== ""), again };
    } finally {
      await handle.close();
    }
  }

  /**
   * Adds a line, and resolves when it is on the disk. Rejects with the system's errors; the line then counts as not
   * written.
   */
  async append(line: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const handle = await open(/*turbopackIgnore: true*/ this.#path, "a", 0o600);
    try {
      const bytes = Buffer.from(`\n${line}\n`);
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length)
        throw Object.assign(new Error("The disk took only a part of a line"), { code: "ENOSPC" });
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
}
