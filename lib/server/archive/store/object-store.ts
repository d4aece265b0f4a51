/** An object as a store lists it. */
export type StoredObject = {
  name: string;
  /** As stored, compressed. */
  storedBytes: number;
  /** When it was put last, also when it was there already. */
  putAtMs: number;
};

/**
 * Where the archive's bytes lie: objects that never change, named by what is in them, and heads, each of which names
 * the newest object of its kind. A folder is one, an object store of a cloud could be another, so nothing above this
 * may know files. Names are words of `[a-z0-9]` with `/` between them. What fails rejects with the store's own error.
 */
export type ObjectStore = {
  /** The object's bytes, or null. */
  get(name: string): Promise<Uint8Array | null>;
  /**
   * True if the bytes were not there. An object that is there counts as put now, so that no `remove` of unused objects
   * takes it from under its new user.
   * @param bytes are the store's from now on, with the memory that they lie in
   * @param isLasting returns only when the bytes survive a loss of power; what need
   * not last yet does so, and is there for others, as soon as any head is swapped after it
   */
  putIfAbsent(name: string, bytes: Uint8Array, isLasting: boolean): Promise<boolean>;
  /** Every object whose name begins with `prefix`, in no order. */
  list(prefix: string): Promise<StoredObject[]>;
  /** Removes objects but for those that were put since `putBeforeMs`. Returns the names of those that are gone. */
  remove(names: readonly string[], putBeforeMs: number): Promise<Set<string>>;
  /** What the head names, or null. */
  readHead(name: string): Promise<string | null>;
  /**
   * Has the head name `next` (null: nothing any more) if it still names `expected`. False if it names something else.
   * Where it named something, it names that or `next` after a loss of power.
   * @param object one whose bytes have the SHA-256 `next`, so that a store may keep both as one
   */
  swapHead(name: string, expected: string | null, next: string | null, object?: string): Promise<boolean>;
  /** All heads whose name begins with `prefix`, with what each names. */
  readHeads(prefix: string): Promise<Map<string, string>>;
};

/** A store that a thread may wait for: for readers that have no turn of an event loop between two reads. */
export type SyncObjectStore = ObjectStore & {
  /** @param into where the bytes are read to if they fit; otherwise memory of their own */
  getSync(name: string, into?: Uint8Array): Uint8Array | null;
  readHeadSync(name: string): string | null;
};
