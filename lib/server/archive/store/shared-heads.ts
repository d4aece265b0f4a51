import { statOrNull } from "./store-files";

/**
 * The beginning of a file that is the head of several names; a line of it is a head's name and the object that it
 * names.
 */
const BEGINNING = "backscroll heads 1\n";

/** The content of a file that is the head of all these names. */
export function encodeSharedHead(heads: ReadonlyMap<string, string>): string {
  return BEGINNING + [...heads].map(([name, says]) => `${name} ${says}\n`).join("");
}

/** True for the content of such a file. */
export function isSharedHead(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, BEGINNING.length)).toString("latin1") === BEGINNING;
}

/** The object that such a file gives for a head; null if the head is not in it. */
export function headIn(text: string, name: string): string | null {
  const at = text.indexOf(`\n${name} `);
  if (at === -1) return null;
  return text.slice(at + name.length + 2, text.indexOf("\n", at + 1));
}

/** The contents of such files, each read once: there are hundreds of names in a file. */
export class SharedHeads {
  readonly #heads = new Map<string, Map<string, string>>();

  /** Reads the file at a path. */
  add(path: string, text: string): void {
    const file = identityOf(path);
    if (file === null) return;
    const heads = new Map<string, string>();
    for (const line of text.slice(BEGINNING.length, -1).split("\n")) {
      const end = line.indexOf(" ");
      heads.set(line.slice(0, end), line.slice(end + 1));
    }
    this.#heads.set(file, heads);
  }

  /** Null also if the file at the path has not been read yet. */
  find(path: string, name: string): string | null {
    const file = identityOf(path);
    return (file !== null && this.#heads.get(file)?.get(name)) || null;
  }
}

/** The same for all names of a file; null if it has only one name, or is gone. */
function identityOf(path: string): string | null {
  const stats = statOrNull(path);
  return stats && stats.nlink > 1 ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}` : null;
}
