import { statOrNull } from "./store-files";

/** A file that says what several heads name begins so; a line of it is a head's name and what that names. */
const BEGINNING = "backscroll heads 1\n";

/** The content of a file that is the head of all these names. */
export function encodeSharedHead(heads: ReadonlyMap<string, string>): string {
  return BEGINNING + [...heads].map(([name, says]) => `${name} ${says}\n`).join("");
}

/** True for the content of such a file. */
export function isSharedHead(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, BEGINNING.length)).toString("latin1") === BEGINNING;
}

/** What such a file says that a head names; null where it does not say it. */
export function headIn(text: string, name: string): string | null {
  const at = text.indexOf(`\n${name} `);
  if (at === -1) return null;
  return text.slice(at + name.length + 2, text.indexOf("\n", at + 1));
}

/** What such files say, each read once: there are hundreds of names to a file. */
export class SharedHeads {
  readonly #heads = new Map<string, Map<string, string>>();

  /** Takes in what the file at a path says. */
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

  /** Null also where the file at the path was not taken in yet. */
  find(path: string, name: string): string | null {
    const file = identityOf(path);
    return (file !== null && this.#heads.get(file)?.get(name)) || null;
  }
}

/** The same for all names of a file; null where it has one name alone, or is gone. */
function identityOf(path: string): string | null {
  const stats = statOrNull(path);
  return stats && stats.nlink > 1 ? `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}` : null;
}
