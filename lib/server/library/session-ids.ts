import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "@/lib/format/json-values";
import { explainFault, faultCode, isFileDamage } from "@/lib/server/disk/file-fault";
import { shortHash } from "@/lib/server/disk/folder-entries";
import { isUuid } from "@/lib/server/disk/log-names";
import { replaceFile, setAside } from "@/lib/server/disk/replace-file";
import type { SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";

/** By path, the ids that say more than a log's name: another log had that id when these were found. */
type GivenIds = Record<string, SessionId>;

/**
 * Assigns permanent ids to main logs: the log's UUID; with a suffix where another folder or root
 * already has that UUID; for any other file name the name made safe for a URL, and a hash.
 */
export class SessionIds {
  readonly #byPath = new Map<string, SessionId>();
  readonly #taken = new Set<string>();
  readonly #given = new Map<string, SessionId>();

  /** Told when what the next start has to know has changed. */
  onGiven: () => void = () => undefined;

  /** Takes the ids that an earlier run has given: which of two logs is found first is not always the same. */
  takeOver(given: GivenIds): void {
    for (const [path, id] of Object.entries(given)) {
      this.#byPath.set(path, id);
      this.#taken.add(id);
      this.#given.set(path, id);
    }
  }

  /** What the next run takes over. */
  get given(): GivenIds {
    return Object.fromEntries(this.#given);
  }

  /**
   * The id of the session whose main log has this path; `stem` is that log's name without its ending. The same for the
   * same path, in later runs too; of two logs of one name, the second gets one with a suffix.
   */
  idOf(path: string, stem: string): SessionId {
    const known = this.#byPath.get(path);
    if (known) return known;
    const plain = isUuid(stem) ? stem : `${safe(stem)}-${shortHash(path, 6)}`;
    let id = this.#taken.has(plain) ? `${plain}-${shortHash(path, 6)}` : plain;
    for (let n = 2; this.#taken.has(id); n += 1) id = `${plain}-${shortHash(path, 6)}${n}`;
    this.#taken.add(id);
    this.#byPath.set(path, id as SessionId);
    if (id !== plain) {
      this.#given.set(path, id as SessionId);
      this.onGiven();
    }
    return id as SessionId;
  }

  /** Frees the id of a log that is gone, so that the log keeps it when its folder is renamed. */
  release(path: string): void {
    const id = this.#byPath.get(path);
    if (id === undefined) return;
    this.#byPath.delete(path);
    this.#taken.delete(id);
    if (this.#given.delete(path)) this.onGiven();
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

const NAME = "session-ids.json";
const VERSION = 1;

/**
 * Takes over the ids that earlier runs have given, and from then on keeps what is given in the data folder. Resolves when
 * the former are known, to a warning where their file was damaged or cannot be read. Never rejects: without a folder, or
 * where nothing can be read or written, ids are permanent until the end.
 */
export async function keepSessionIds(ids: SessionIds, dataDir: string | null): Promise<Warning | null> {
  if (dataDir === null) return null;
  const path = join(dataDir, NAME);
  const { given, warning, isUnread } = await read(path);
  ids.takeOver(given);
  // What it says may be readable at the next start: nothing replaces it.
  if (isUnread) return warning;
  let isDue = false;
  let written = Promise.resolve();
  ids.onGiven = () => {
    if (isDue) return;
    isDue = true;
    written = written.then(() => {
      isDue = false;
      return write(path, ids.given);
    });
  };
  return warning;
}

/** A damaged file is moved aside, one that the system does not read stays. */
async function read(path: string): Promise<{ given: GivenIds; warning: Warning | null; isUnread?: boolean }> {
  try {
    const kept: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isObject(kept) || !isObject(kept.ids)) throw new TypeError("another shape");
    const ids = kept.version === VERSION ? Object.entries(kept.ids) : [];
    const given = ids.filter((entry): entry is [string, SessionId] => isId(entry[1]));
    return { given: Object.fromEntries(given), warning: null };
  } catch (error) {
    if (faultCode(error) === "ENOENT") return { given: {}, warning: null };
    if (!isFileDamage(error)) return { given: {}, warning: unreadIds(path, error), isUnread: true };
    await setAside(path);
    return { given: {}, warning: damagedIds(path) };
  }
}

function unreadIds(path: string, error: unknown): Warning {
  const { message, hint } = explainFault(error);
  return {
    code: "session-ids-unreadable",
    message: `The ids of sessions with several logs cannot be read: ${message}`,
    hint: `${hint} Where a log lies in two folders, a link or a star may be at the other copy until then.`,
    path,
  };
}

function damagedIds(path: string): Warning {
  return {
    code: "session-ids-damaged",
    message: "The file with the ids of sessions with several logs was damaged",
    hint: "Where a log lies in two folders, a link or a star may be at the other copy. The damaged file lies beside it.",
    path,
  };
}

async function write(path: string, ids: GivenIds): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify({ version: VERSION, ids })}\n`);
  } catch (error) {
    // The index reports a fault of the folder to the reader.
    if (faultCode(error) === null)
      console.error("Saving the ids of sessions with several logs failed:", error);
  }
}

/** As `SessionIds` makes them. */
const isId = (value: unknown): value is SessionId =>
  typeof value === "string" && /^[A-Za-z0-9-]+$/.test(value);
