/** An object as a store lists it. */
export type StoredObject = {
  name: string;
  /** As stored, compressed. */
  storedBytes: number;
  /** When it was last put, even if it already existed. */
  putAtMs: number;
};

/**
 * The storage of the archive's bytes: objects that never change, named by their contents, and heads, each of which
 * names the newest object of its kind. A folder is one store, an object store of a cloud could be another, so nothing
 * above this may know about files. Names are words of `[a-z0-9]` with `/` between them. Failures reject with the
 * store's own error.
 */
export type ObjectStore = {
  /** The object's bytes, or null. */
  get(name: string): Promise<Uint8Array | null>;
  /**
   * True if the object is new. An existing object counts as put now, so that no `remove` of unused objects removes it
   * before its new user names it.
   * @param bytes belong to the store from now on, with the memory that contains them
   * @param isLasting resolves only when the bytes survive a loss of power; otherwise they do, and others see them, as
   * soon as any head is swapped after this
   */
  putIfAbsent(name: string, bytes: Uint8Array, isLasting: boolean): Promise<boolean>;
  /** Every object whose name begins with `prefix`, in no order. */
  list(prefix: string): Promise<StoredObject[]>;
  /** Removes objects except those that were put since `putBeforeMs`. Returns the names of the removed ones. */
  remove(names: readonly string[], putBeforeMs: number): Promise<Set<string>>;
  /** The object that the head names, or null. */
  readHead(name: string): Promise<string | null>;
  /**
   * Makes the head name `next` (null: nothing any more) if it still names `expected`. False if it names something else.
   * If it named an object, it names that or `next` after a loss of power.
   * @param object one whose bytes have the SHA-256 `next`, so that a store may keep both as one
   */
  swapHead(name: string, expected: string | null, next: string | null, object?: string): Promise<boolean>;
  /** All heads whose name begins with `prefix`, with the objects that they name. */
  readHeads(prefix: string): Promise<Map<string, string>>;
};

/** A store that may block its thread: for readers that cannot yield between two reads. */
export type SyncObjectStore = ObjectStore & {
  /** @param into memory for the bytes if they fit; otherwise new memory is allocated */
  getSync(name: string, into?: Uint8Array): Uint8Array | null;
  readHeadSync(name: string): string | null;
};
