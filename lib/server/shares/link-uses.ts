import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { faultCode } from "@/lib/server/disk/file-fault";
import { replaceFile } from "@/lib/server/disk/replace-file";

/** In the data folder, apart from the links: an earlier version does not open links with fields that it does not know. */
const FILE_NAME = "share-uses.json";
/** Pages remembered of a link, so that one that connects again is not counted again. */
const MAX_PAGES = 1_000;

const StoredUse = z.object({
  id: z.string(),
  /** Null for a link of an earlier version, which did not count. */
  openings: z.number().int().min(0).nullable(),
  lastOpenedAtMs: z.number().nullable(),
  expiresAtMs: z.number(),
});
const StoredUses = z.array(StoredUse);

type LinkUse = z.output<typeof StoredUse>;

/**
 * How often each link was opened, and when last, kept for the next server. Counts and times are all that is kept: nothing
 * says who opened it, or from where.
 */
export class LinkUses {
  readonly #path: string | null;
  readonly #uses = new Map<string, LinkUse>();
  /** The pages that have opened a link, by what each calls itself; forgotten with this server. */
  readonly #pages = new Map<string, Set<string>>();
  /** Links that have ended: what another server of the folder has stored of them goes too. */
  readonly #ended = new Set<string>();
  #saved: Promise<void> = Promise.resolve();
  /** A write is still to begin. */
  #isDue = false;

  /** @param dataDir null for none: then the counts end with this server */
  constructor(dataDir: string | null) {
    this.#path = dataDir === null ? null : join(/*turbopackIgnore: true*/ dataDir, FILE_NAME);
  }

  /** Reads what an earlier server has counted; a file that cannot be read counts as none. Never rejects. */
  async load(): Promise<void> {
    for (const use of await this.#stored()) this.#uses.set(use.id, use);
  }

  /** Counts a link's openings from its beginning on. */
  begin({ id, expiresAtMs }: Pick<LinkUse, "id" | "expiresAtMs">): void {
    if (this.#uses.has(id)) return;
    this.#uses.set(id, { id, openings: 0, lastOpenedAtMs: null, expiresAtMs });
    this.#save();
  }

  /** What is known of a link's openings; null for nothing: they are not counted from its beginning on. */
  of(id: string): Pick<LinkUse, "openings" | "lastOpenedAtMs"> | null {
    return this.#uses.get(id) ?? null;
  }

  /**
   * Counts an opening, which is stored at once.
   * @param page what the page calls itself: it counts once; null for who says nothing, and counts each time
   */
  opened({ id, expiresAtMs }: Pick<LinkUse, "id" | "expiresAtMs">, page: string | null): void {
    if (page !== null && !this.#isNew(id, page)) return;
    const before = this.#uses.get(id)?.openings ?? null;
    const openings = before === null ? null : before + 1;
    this.#uses.set(id, { id, openings, lastOpenedAtMs: Date.now(), expiresAtMs });
    this.#save();
  }

  /** Forgets a link that has ended. */
  ended(id: string): void {
    this.#pages.delete(id);
    this.#ended.add(id);
    if (this.#uses.delete(id)) this.#save();
  }

  /** Resolves when all that was counted so far is stored, or could not be. */
  settled(): Promise<void> {
    return this.#saved;
  }

  #isNew(id: string, page: string): boolean {
    const pages = this.#pages.get(id) ?? new Set();
    this.#pages.set(id, pages);
    if (pages.has(page)) return false;
    if (pages.size < MAX_PAGES) pages.add(page);
    return true;
  }

  /** Whoever has a link can open it as often as they like: what is counted until a write begins is written with it. */
  #save(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#saved = this.#saved.then(() => {
      this.#isDue = false;
      return this.#write();
    });
  }

  async #write(): Promise<void> {
    if (this.#path === null) return;
    const nowMs = Date.now();
    const others = (await this.#stored()).filter(({ id }) => !this.#uses.has(id) && !this.#ended.has(id));
    const kept = [...this.#uses.values(), ...others].filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    try {
      await replaceFile(this.#path, JSON.stringify(kept));
    } catch (error) {
      // The next opening tries again; a disk that is full is told of when a link is made or taken back.
      if (faultCode(error) === null) console.error("Storing how often a link was opened failed:", error);
    }
  }

  async #stored(): Promise<LinkUse[]> {
    if (this.#path === null) return [];
    try {
      const json: unknown = JSON.parse(await readFile(/*turbopackIgnore: true*/ this.#path, "utf8"));
      return StoredUses.safeParse(json).data ?? [];
    } catch (error) {
      if (error instanceof SyntaxError || faultCode(error) !== null) return [];
      throw error;
    }
  }
}
