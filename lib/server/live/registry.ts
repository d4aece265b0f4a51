import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";
import type { RootFolder } from "@/lib/server/runtime/config";

/** A running client as it registers itself in `sessions/<pid>.json` (2.1.110 and later), and removes when it ends. */
export type RegistryEntry = {
  pid: number;
  /** The main log's UUID. */
  sessionUuid: string;
  startedAtMs: number | null;
  /** Start of the process in clock ticks (2.1.170), and the machine and pid namespace that its pid is of (by 2.1.280). */
  procStart: string | null;
  pidDomain: string | null;
  /** 2.1.170 and later, in the terminal; 2.1.110 and `-p` (`entrypoint: "sdk-cli"`) do not tell. `shell`: idle while background shells run. */
  status: "idle" | "busy" | "waiting" | "shell" | null;
  statusSinceMs: number | null;
  /** The client's own words for what it waits for, grouped by `askedFor`. */
  waitingFor: string | null;
  /** How it was started: `cli` in a terminal, `sdk-cli` with `-p`, which asks nobody. */
  entrypoint: string | null;
};

const LARGEST_BYTES = 64 << 10;

/** What a registry file is read as: a client, `torn` (the client writes it in place), or none. */
type Read = RegistryEntry | "torn" | null;

/**
 * The clients' own registries, as they were read last. A file that is torn keeps its last good entry, and a session
 * whose entry has gone, or whose client went on to another session (`/clear`), is known to have ended.
 */
export class Registry {
  readonly #roots: readonly RootFolder[];
  /** By path. */
  #good = new Map<string, RegistryEntry>();
  #bySession = new Map<string, RegistryEntry>();
  readonly #endedAtMs = new Map<string, number>();

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots;
  }

  /** The entry of a session, by its main log's UUID. */
  entryOf(sessionUuid: string): RegistryEntry | null {
    return this.#bySession.get(sessionUuid) ?? null;
  }

  /** When the session's entry was found to have gone, `null` for one that is there or never was. */
  endedAtMs(sessionUuid: string): number | null {
    return this.#endedAtMs.get(sessionUuid) ?? null;
  }

  /** Reads all registries. `changed`: sessions whose entry is another; `torn`: a file is to be read again soon. */
  async read(): Promise<{ changed: ReadonlySet<string>; torn: boolean }> {
    const before = this.#bySession;
    const good = new Map<string, RegistryEntry>();
    let torn = false;
    for (const root of this.#roots) {
      if (root.kind !== "config") continue;
      const dir = registryFolder(root);
      for (const path of (await pathsIn(dir)) ?? this.#pathsBelow(dir)) {
        const read = await readEntry(path);
        torn ||= read === "torn";
        const entry = read === "torn" ? (this.#good.get(path) ?? null) : read;
        if (entry) good.set(path, entry);
      }
    }
    this.#good = good;
    this.#bySession = newestBySession(good.values());
    const changed = new Set<string>();
    for (const uuid of new Set([...before.keys(), ...this.#bySession.keys()])) {
      const now = this.#bySession.get(uuid);
      if (now) this.#endedAtMs.delete(uuid);
      else this.#endedAtMs.set(uuid, Date.now());
      if (JSON.stringify(before.get(uuid)) !== JSON.stringify(now)) changed.add(uuid);
    }
    return { changed, torn };
  }

  #pathsBelow(dir: string): string[] {
    return [...this.#good.keys()].filter((path) => dirname(path) === dir);
  }
}

/** Of a session that two clients have registered (resumed twice) the one that started last. */
function newestBySession(entries: Iterable<RegistryEntry>): Map<string, RegistryEntry> {
  const found = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const known = found.get(entry.sessionUuid);
    if ((known?.startedAtMs ?? 0) <= (entry.startedAtMs ?? 0)) found.set(entry.sessionUuid, entry);
  }
  return found;
}

/** Where a configuration folder's clients register. */
function registryFolder(root: RootFolder): string {
  return join(/*turbopackIgnore: true*/ root.path, "sessions");
}

/** The entries' files; `null` where the folder is there and cannot be read now. */
async function pathsIn(dir: string): Promise<string[] | null> {
  try {
    const names = await readdir(dir);
    return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [join(dir, name)] : []));
  } catch (error) {
    if (isMissing(error)) return []; // versions before 2.1.110 have none
    if (faultCode(error) !== null) return null;
    throw error;
  }
}

async function readEntry(path: string): Promise<Read> {
  try {
    const text = await readFile(/*turbopackIgnore: true*/ path, "utf8");
    return text.length > LARGEST_BYTES ? "torn" : (parseEntry(JSON.parse(text)) ?? "torn");
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof SyntaxError || faultCode(error) !== null) return "torn";
    throw error;
  }
}

/** One registry file's content; fields are independent, and without pid or session it is none. */
export function parseEntry(json: unknown): RegistryEntry | null {
  const entry = asObject(json);
  const pid = asNumber(entry?.pid);
  const sessionUuid = asString(entry?.sessionId);
  if (!entry || pid === null || !Number.isSafeInteger(pid) || pid <= 0 || sessionUuid === null) return null;
  const status = asString(entry.status);
  return {
    pid,
    sessionUuid,
    startedAtMs: asNumber(entry.startedAt),
    procStart: asString(entry.procStart),
    pidDomain: asString(entry.pidDomain),
    status: isStatus(status) ? status : null,
    statusSinceMs: asNumber(entry.statusUpdatedAt) ?? asNumber(entry.updatedAt),
    waitingFor: asString(entry.waitingFor),
    entrypoint: asString(entry.entrypoint),
  };
}

function isStatus(status: string | null): status is NonNullable<RegistryEntry["status"]> {
  return status === "idle" || status === "busy" || status === "waiting" || status === "shell";
}
