import { shortHash } from "@/lib/server/disk/short-hash";
import type { SessionId } from "@/lib/wire/ids";
import { isUuid } from "./log-names";

/**
 * Gives each main log an id and keeps it: the log's UUID; with a suffix where another folder or root
 * already holds that UUID; for any other file name the name made safe for a URL, and a hash.
 */
export class SessionIds {
  readonly #byPath = new Map<string, SessionId>();
  readonly #taken = new Set<string>();

  idOf(path: string, stem: string): SessionId {
    const known = this.#byPath.get(path);
    if (known) return known;
    const plain = isUuid(stem) ? stem : `${safe(stem)}-${shortHash(path, 6)}`;
    let id = this.#taken.has(plain) ? `${plain}-${shortHash(path, 6)}` : plain;
    for (let n = 2; this.#taken.has(id); n += 1) id = `${plain}-${shortHash(path, 6)}${n}`;
    this.#taken.add(id);
    this.#byPath.set(path, id as SessionId);
    return id as SessionId;
  }

  /** Frees the id of a log that is gone, so that the log takes it along when its folder is renamed. */
  release(path: string): void {
    const id = this.#byPath.get(path);
    if (id === undefined) return;
    this.#byPath.delete(path);
    this.#taken.delete(id);
  }
}

function safe(stem: string): string {
  return (
    stem
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 80) || "log"
  );
}
