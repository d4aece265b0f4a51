import { isBusy } from "@/lib/server/index/index-file";
import { type ChunkPlace, placesOf } from "../index/chunk";
import { fileIdOf } from "../index/index-file";
import { isSignatureRow, type SignatureRow, sumOf } from "../index/index-store";
import { type Database, openDatabase, type Statement } from "../index/load-sqlite";
import { mayHold, sequencesOf } from "../index/signature";

type Kept = { id: number; signature: Uint8Array };
type Row = SignatureRow & { id: number };
type ChunkRow = { sum: number; signature: Uint8Array; places: string; texts: Uint8Array };

/** `places` are read on demand: most chunks contain no match after all. */
export type OpenChunk = { places: () => ChunkPlace[]; texts: Buffer };

/**
 * The signatures of the index, in memory: a hundredth of the logs' size. From the database a search reads only
 * the chunks that may contain its terms.
 */
export class ChunkIndex {
  #database: Database | null = null;
  #chunk: Statement | null = null;
  #opened = "";
  #version = -1;
  #last = 0;
  #bySession = new Map<number, Kept[]>();
  #rowOfPath = new Map<string, number>();
  #isFaulty = false;

  /** True once if the index was found missing or damaged since the last call. */
  takeFault(): boolean {
    const isFaulty = this.#isFaulty;
    this.#isFaulty = false;
    return isFaulty;
  }

  /** Loads what was written since. False where there is no readable index. */
  refresh(path: string | null): boolean {
    if (path === null) return this.close();
    try {
      const file = fileIdOf(path);
      if (this.#opened !== `${file} ${path}`) {
        this.close();
        this.#database = openDatabase(path, { readOnly: true });
        this.#chunk = this.#database.prepare("SELECT sum, signature, places, texts FROM chunks WHERE id = ?");
        this.#opened = `${file} ${path}`;
      }
      this.#load(this.#database as Database);
      return true;
    } catch (error) {
      // Whatever the fault is, the logs are searched instead.
      this.#noteFault(error);
      return this.close();
    }
  }

  /**
   * The chunks of a session that may contain one of these terms, or all of them; newest last. Null if the session is not
   * indexed.
   */
  candidates(mainPath: string, requiredTerms: readonly string[] | null): number[] | null {
    const row = this.#rowOfPath.get(mainPath);
    if (row === undefined) {
      // According to the caller's listing it is indexed.
      this.#isFaulty = true;
      return null;
    }
    const kept = this.#bySession.get(row) ?? [];
    if (requiredTerms === null) return kept.map(({ id }) => id);
    const sequences = requiredTerms.map(sequencesOf);
    return kept
      .filter(({ signature }) => sequences.some((one) => mayHold(signature, one)))
      .map(({ id }) => id);
  }

  /** A chunk, or null where it has been replaced meanwhile or is damaged: then the session's logs must be read. */
  read(id: number): OpenChunk | null {
    try {
      const row = this.#chunk?.get(id) as ChunkRow | undefined;
      if (!row) return null;
      if (sumOf(row) !== row.sum) throw new Error("a text's checksum is wrong");
      const { buffer, byteOffset, byteLength } = row.texts;
      return { places: () => placesOf(row.places), texts: Buffer.from(buffer, byteOffset, byteLength) };
    } catch (error) {
      this.#noteFault(error);
      return null;
    }
  }

  #noteFault(error: unknown): void {
    if (!isBusy(error)) this.#isFaulty = true;
  }

  #load(database: Database): void {
    const { data_version: version } = database.prepare("PRAGMA data_version").get() as {
      data_version: number;
    };
    if (version === this.#version) return;
    this.#version = version;
    const paths = database.prepare("SELECT id, path FROM sessions").all() as { id: number; path: string }[];
    this.#rowOfPath = new Map(paths.map(({ id, path }) => [path, id]));
    const alive = new Set(
      (database.prepare("SELECT id FROM chunks").all() as { id: number }[]).map(({ id }) => id),
    );
    for (const [session, kept] of this.#bySession) {
      const left = kept.filter(({ id }) => alive.has(id));
      if (left.length === 0) this.#bySession.delete(session);
      else this.#bySession.set(session, left);
    }
    for (const row of database
      .prepare("SELECT id, session, signature, signature_sum FROM chunks WHERE id > ?")
      .iterate(this.#last)) {
      const { id, session, signature } = row as Row;
      // A signature that wrongly excludes a term would hide its matches.
      if (!isSignatureRow(row as Row)) throw new Error("a signature's checksum is wrong");
      this.#last = Math.max(this.#last, id);
      const kept = this.#bySession.get(session) ?? [];
      kept.push({ id, signature: new Uint8Array(signature) });
      this.#bySession.set(session, kept);
    }
  }

  /** Releases everything; `refresh` opens it again. */
  close(): false {
    this.#database?.close();
    this.#database = null;
    this.#chunk = null;
    this.#opened = "";
    this.#version = -1;
    this.#last = 0;
    this.#bySession.clear();
    this.#rowOfPath.clear();
    return false;
  }
}
