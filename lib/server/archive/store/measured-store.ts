import type { ObjectStore, StoredObject } from "./object-store";

/** A store that knows its size without heads, as far as nobody else changes it at the same time. */
export class MeasuredStore implements ObjectStore {
  readonly #store: ObjectStore;
  storedBytes = 0;

  /** A store that counts from zero. */
  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** A store that knows its current size: it lists the whole store once. */
  static async of(store: ObjectStore): Promise<MeasuredStore> {
    const measured = new MeasuredStore(store);
    for (const prefix of ["chunks/", "manifests/"])
      for (const { storedBytes } of await store.list(prefix)) measured.storedBytes += storedBytes;
    return measured;
  }

  async putIfAbsent(name: string, bytes: Uint8Array, isLasting: boolean): Promise<boolean> {
    const { length } = bytes;
    const isNew = await this.#store.putIfAbsent(name, bytes, isLasting);
    if (isNew) this.storedBytes += length;
    return isNew;
  }

  get(name: string): Promise<Uint8Array | null> {
    return this.#store.get(name);
  }

  list(prefix: string): Promise<StoredObject[]> {
    return this.#store.list(prefix);
  }

  remove(names: readonly string[], putBeforeMs: number): Promise<Set<string>> {
    return this.#store.remove(names, putBeforeMs);
  }

  readHead(name: string): Promise<string | null> {
    return this.#store.readHead(name);
  }

  swapHead(name: string, expected: string | null, next: string | null, object?: string): Promise<boolean> {
    return this.#store.swapHead(name, expected, next, object);
  }

  readHeads(prefix: string): Promise<Map<string, string>> {
    return this.#store.readHeads(prefix);
  }
}
