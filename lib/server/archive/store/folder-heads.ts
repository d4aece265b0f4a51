import { createHash } from "node:crypto";
import { linkSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { faultCode } from "@/lib/server/disk/file-fault";
import { encodeSharedHead, headIn, isSharedHead, SharedHeads } from "./shared-heads";
import {
  inFolder,
  isSettled,
  readOrNull,
  statOrNull,
  storedNames,
  syncFolder,
  unlessMissing,
} from "./store-files";
import { STORE_FILE_MODE, type StoreFolder } from "./store-folder";

/** The content of a head that names nothing any more. */
const NOTHING = "none";
/** A longer head file is a second name of the object that it names, which is the hash of its contents. */
const MAX_NAME_BYTES = 64;
const MAX_HEADS = 5_000;

/**
 * The heads of a store in a folder. A head is a row of numbered files, of which the one with the highest number counts:
 * only one process can create the next number (a hard link fails where the name is taken), so it is the one that knew the
 * number before.
 */
export class FolderHeads {
  readonly #folder: StoreFolder;
  /** Heads as they were read, with their folder's modification time. */
  readonly #known = new Map<string, { folderMs: number; says: string | null }>();
  /** The targets of heads that were made together with others, until each is asked for. */
  readonly #swapped = new Map<string, string>();

  constructor(folder: StoreFolder) {
    this.#folder = folder;
  }

  /** The object that a head names; null for none. */
  read(name: string): string | null {
    // Heads are requested with every search: they are read again only if something in their folder has changed.
    const folderMs = statOrNull(dirname(this.#folder.pathOf(name)))?.mtimeMs ?? null;
    if (folderMs === null) return null;
    const known = this.#known.get(name);
    if (known?.folderMs === folderMs) return known.says;
    const newest = this.#headNumbers(name).at(-1);
    const says = newest === undefined ? null : this.#readNumbered(name, newest);
    if (!isSettled(folderMs)) return says;
    if (this.#known.size >= MAX_HEADS) this.#known.clear();
    this.#known.set(name, { folderMs, says });
    return says;
  }

  /** @param onShared called with all entries of a file that is the head of several names */
  #readNumbered(name: string, number: number, onShared?: (text: string) => void): string | null {
    const says = readOrNull(this.#headPath(name, number));
    // The next one exists before this one is removed.
    if (says === null) return this.read(name);
    const isShared = isSharedHead(says);
    if (!isShared && says.length > MAX_NAME_BYTES) return createHash("sha256").update(says).digest("hex");
    const text = Buffer.from(says).toString("utf8");
    if (isShared) onShared?.(text);
    if (isShared) return headIn(text, name);
    return text === NOTHING || text === "" ? null : text;
  }

  /**
   * Gives a head another target, `null` for none, if it has the expected one.
   * @param object whose contents are in a file of their own, and hash to the target
   */
  async swap(name: string, expected: string | null, next: string | null, object?: string): Promise<boolean> {
    if (expected === null && next !== null && this.#swapped.get(name) === next)
      return this.#swapped.delete(name);
    // Most heads are new: then one check afterwards is enough.
    if (expected === null && (await this.#add(name, 1, expected, next, object))) return true;
    const before = this.#headNumbers(name).at(-1);
    if ((before === undefined ? null : this.#readNumbered(name, before)) !== expected) return false;
    return this.#add(name, (before ?? 0) + 1, expected, next, object);
  }

  /** True if it has this number now, and no other head has a higher one. */
  async #add(
    name: string,
    number: number,
    expected: string | null,
    next: string | null,
    object?: string,
  ): Promise<boolean> {
    const path = this.#headPath(name, number);
    try {
      if (!(object && this.#linkObject(object, path)))
        await this.#write(next ?? NOTHING, path, expected !== null);
    } catch (error) {
      if (faultCode(error) === "EEXIST") return false;
      throw error;
    }
    if (expected !== null) await syncFolder(dirname(path));
    // A number may be free again because later ones were faster: then this one is not the head.
    const numbers = this.#headNumbers(name);
    const isNewest = numbers.at(-1) === number;
    const past = isNewest ? numbers.slice(0, -1) : [number];
    for (const one of past) rmSync(this.#headPath(name, one), { force: true });
    return isNewest;
  }

  /** Creates no file, which is most of the cost of a short one. False for an object that has no file of its own. */
  #linkObject(object: string, path: string): boolean {
    const from = this.#folder.pathOf(object);
    if ((statOrNull(from)?.size ?? 0) <= MAX_NAME_BYTES) return false;
    return unlessMissing(() => inFolder(path, () => linkSync(from, path)) ?? true) ?? false;
  }

  /**
   * Writes a file with the targets of these heads, and links each head to it: a link is faster to create than a file. A
   * head that another process has created meanwhile is left to the next swap.
   */
  swapTogether(heads: ReadonlyMap<string, string>): void {
    if (heads.size === 0) return;
    const shared = this.#folder.newPath();
    inFolder(shared, () =>
      writeFileSync(shared, encodeSharedHead(heads), { flag: "wx", mode: STORE_FILE_MODE }),
    );
    const linked: string[] = [];
    try {
      for (const name of heads.keys()) if (this.#linkNew(shared, this.#headPath(name, 1))) linked.push(name);
    } finally {
      unlinkSync(shared);
    }
    // As in `add`, with one check of each folder.
    const overtaken = new Set<string>();
    for (const folder of new Set(linked.map((name) => dirname(this.#folder.pathOf(name)))))
      for (const file of storedNames(folder))
        if (!file.endsWith(".1")) overtaken.add(join(folder, file.slice(0, file.lastIndexOf("."))));
    for (const name of linked) {
      if (overtaken.has(this.#folder.pathOf(name))) rmSync(this.#headPath(name, 1), { force: true });
      else this.#swapped.set(name, heads.get(name) ?? "");
    }
  }

  /** False if the name is taken. */
  #linkNew(from: string, path: string): boolean {
    try {
      inFolder(path, () => linkSync(from, path));
      return true;
    } catch (error) {
      if (faultCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  async #write(says: string, path: string, isLasting: boolean): Promise<void> {
    // If nothing is lost by it, a head that is empty after a crash counts as missing.
    if (!isLasting) {
      inFolder(path, () => writeFileSync(path, says, { flag: "wx", mode: STORE_FILE_MODE }));
      return;
    }
    const written = await this.#folder.write([Buffer.from(says)]);
    try {
      inFolder(path, () => linkSync(written, path));
    } finally {
      unlinkSync(written);
    }
  }

  /** All heads whose names begin like this, with their targets. */
  readAll(prefix: string): Map<string, string> {
    const newest = new Map<string, number>();
    for (const { name } of this.#folder.filesUnder(prefix)) {
      const [head = "", number] = name.split(".");
      newest.set(head, Math.max(newest.get(head) ?? 0, Number(number)));
    }
    const heads = new Map<string, string>();
    const shared = new SharedHeads();
    for (const [name, number] of newest) {
      const path = this.#headPath(name, number);
      const says =
        shared.find(path, name) ?? this.#readNumbered(name, number, (text) => shared.add(path, text));
      if (says !== null) heads.set(name, says);
    }
    return heads;
  }

  #headPath(name: string, number: number): string {
    return `${this.#folder.pathOf(name)}.${number}`;
  }

  /** The numbers of a head's files, the valid one last. */
  #headNumbers(name: string): number[] {
    const path = this.#folder.pathOf(name);
    const start = `${basename(path)}.`;
    const numbers = storedNames(dirname(path))
      .filter((file) => file.startsWith(start))
      .map((file) => Number(file.slice(start.length)));
    return numbers.sort((a, b) => a - b);
  }
}
