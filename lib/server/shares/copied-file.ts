import type { OpenFile } from "@/lib/server/disk/open-file";
import { type Identity, identify } from "@/lib/server/scan/file-identity";
import type { CopySource } from "./copy-source";

/** The key of a session's main log. */
export const MAIN = "m";

/** A file of a session, as far as it is in the session's copy. */
export type CopiedFile = {
  source: CopySource;
  into: string;
  /** What has been read of the file, and its state then. */
  read: Identity & { bytes: number };
  /** From these offsets on, the copy's lines begin this many bytes later. */
  shifts: [from: number, by: number][];
  /** Where its last whole line begins. */
  lastLineAt: number;
  /** Bytes at the copy's end of a record that no newline ends yet. */
  openBytes: number;
  /** Read as the text of a file of settings. */
  isSettings: boolean;
  /** False for a file that is left out, and is read only for the secrets in it. */
  isCopied: boolean;
};

/** A file of which so many bytes have been read, and none are in the copy yet. */
export function copiedFile(source: CopySource, into: string, file: OpenFile, bytes: number): CopiedFile {
  return {
    source,
    into,
    read: { ...identify(file, bytes), bytes },
    shifts: [],
    lastLineAt: 0,
    openBytes: 0,
    isSettings: false,
    isCopied: true,
  };
}

/** Whether what was read of the file is still its beginning. */
export function isGrown({ read }: CopiedFile, file: OpenFile): boolean {
  const now = identify(file, read.bytes);
  return (
    now.dev === read.dev &&
    now.ino === read.ino &&
    now.size >= read.bytes &&
    now.head === read.head &&
    now.tail === read.tail
  );
}

/** Whether the file is still as it was read. */
export function isSame(copied: CopiedFile, file: OpenFile): boolean {
  return file.stat().size === copied.read.size && isGrown(copied, file);
}

/** An address with its records' ids as they are in the copy of these files. Unknown ones stay. */
export function translatedAddress(address: string, files: Iterable<CopiedFile>): string {
  const byKey = new Map(Array.from(files, (file) => [file.source.key, file]));
  return address
    .replace(
      /\b([a-z0-9]{1,32})(~|%7[eE])([0-9a-z]{1,16})/g,
      (whole, key: string, tilde: string, offset: string) => {
        const file = byKey.get(key);
        return file ? key + tilde + shifted(file, offset) : whole;
      },
    )
    .replace(/\bside([0-9a-z]{1,16})\b/g, (whole, offset: string) => {
      const main = byKey.get(MAIN);
      return main ? `side${shifted(main, offset)}` : whole;
    });
}

function shifted({ shifts }: CopiedFile, offset: string): string {
  const from = Number.parseInt(offset, 36);
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.[0] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  return (from + (shifts[low - 1]?.[1] ?? 0)).toString(36);
}
