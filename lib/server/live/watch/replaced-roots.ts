import { stat } from "node:fs/promises";
import { faultCode } from "@/lib/server/disk/file-fault";
import type { RootFolder } from "@/lib/server/runtime/config";

/**
 * Notices roots that came, or that another folder took the place of. A watch holds on to the folder that it was set on:
 * of one that was moved away and back, mounted, or made after the start, it tells nothing.
 */
export class ReplacedRoots {
  readonly #roots: readonly RootFolder[];
  /** By path, `null` for one that is not there. */
  #seen = new Map<string, string | null>();

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots;
  }

  /** Whether the roots' watches have to be set again, since one came or went since the last look. The first look finds none. */
  async look(): Promise<boolean> {
    const before = this.#seen;
    this.#seen = new Map();
    for (const { path } of this.#roots) this.#seen.set(path, await identityOf(path));
    return [...this.#seen].some(([path, id]) => before.has(path) && before.get(path) !== id);
  }
}

/** `null` for a folder that is not there or that nobody may look at. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(/*turbopackIgnore: true*/ path);
    return `${dev}:${ino}`;
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return null;
  }
}
