import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where generated files go. Paths are relative, with `/`. */
export type Storage = {
  open(path: string): LineFile;
};

/** Takes text in order; `close` sets the modification time, as a log's is that of its last line. */
export type LineFile = {
  /** Returns the bytes that the text takes. */
  append(text: string): number;
  close(modifiedAtMs: number): void;
};

const CHUNK_BYTES = 1 << 20;

/** Writes below `dir`, in chunks, so that a gigabyte never lies in memory. */
export function diskStorage(dir: string): Storage {
  return {
    open(path) {
      const full = join(dir, path);
      mkdirSync(dirname(full), { recursive: true });
      const descriptor = openSync(full, "w");
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      let used = 0;
      const flush = () => {
        if (used > 0) writeSync(descriptor, chunk, 0, used);
        used = 0;
      };
      return {
        append(text) {
          // Three bytes are the most that a UTF-16 unit takes in UTF-8.
          if (text.length * 3 > CHUNK_BYTES) {
            flush();
            const whole = Buffer.from(text, "utf8");
            writeSync(descriptor, whole);
            return whole.length;
          }
          if (used + text.length * 3 > CHUNK_BYTES) flush();
          const bytes = chunk.write(text, used, "utf8");
          used += bytes;
          return bytes;
        },
        close(modifiedAtMs) {
          flush();
          closeSync(descriptor);
          utimesSync(full, modifiedAtMs / 1000, modifiedAtMs / 1000);
        },
      };
    },
  };
}

/** Keeps the files in `files`. */
export function memoryStorage(): Storage & { files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    open(path) {
      const parts: string[] = [];
      return {
        append(text) {
          parts.push(text);
          return Buffer.byteLength(text);
        },
        close: () => void files.set(path, parts.join("")),
      };
    },
  };
}
