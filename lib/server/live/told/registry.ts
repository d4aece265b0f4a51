import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { putLatest } from "@/lib/format/lists";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";
import { readSmallText } from "@/lib/server/disk/open-file";
import type { RootFolder } from "@/lib/server/runtime/config";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import { PROC, processStat } from "./processes";

/** A running client as it registers itself in `sessions/<pid>.json` (2.1.110 and later); it removes the file when it ends. */
export type RegistryEntry = {
  pid: number;
  /** The main log's UUID. */
  sessionUuid: string;
  /** The folder that it was started in. */
  cwd: string | null;
  startedAtMs: number | null;
  /** Start of the process in clock ticks (2.1.170), and the machine and pid namespace of its pid (by 2.1.280). */
  procStart: string | null;
  pidDomain: string | null;
  /** Set by 2.1.170 and later in the terminal; 2.1.110 and `-p` (`entrypoint: "sdk-cli"`) set none. `shell`: idle while background shells run. */
  status: "idle" | "busy" | "waiting" | "shell" | null;
  statusSinceMs: number | null;
  /** What the client waits for, in its own terms, which `ASKED_FOR` of `live-state.ts` groups. */
  waitingFor: string | null;
  /** `busy` came straight after the client had asked its person something, so no prompt came between. Of successive reads. */
  resumed: boolean;
  /** Since when the client was idle the last time that it was, as far as successive reads tell. */
  idleAtMs: number | null;
  /** How it was started: `cli` in a terminal, `sdk-cli` with `-p`, which never asks. */
  entrypoint: string | null;
};

const MAX_BYTES = 64 << 10;

/** The result of reading a registry file: an entry, `torn` (the client writes it in place), or none. */
type Read = RegistryEntry | "torn" | null;

/**
 * The clients' own registries, as of the last read. A torn file keeps its last valid entry, and a session
 * whose entry is gone, or whose client moved on to another session (`/clear`), is known to have ended.
 */
export class Registry {
  readonly #roots: readonly RootFolder[];
  /** By path. */
  #valid = new Map<string, RegistryEntry>();
  #bySession = new Map<string, RegistryEntry>();
  readonly #endedAtMs = new Map<string, number>();

  constructor(roots: readonly RootFolder[]) {
    this.#roots = roots;
  }

  /** The entry of a session, by its main log's UUID. */
  entryOf(sessionUuid: string): RegistryEntry | null {
    return this.#bySession.get(sessionUuid) ?? null;
  }

  /** The sessions whose clients are known to run here, each with the folder that its client was started in. */
  running(): ReadonlyMap<string, string | null> {
    const running = [...this.#bySession.values()].filter((entry) => processLives(entry) === true);
    return new Map(running.map(({ sessionUuid, cwd }) => [sessionUuid, cwd]));
  }

  /** When the session's entry was found to be gone, `null` for one that exists or never existed. */
  endedAtMs(sessionUuid: string): number | null {
    return this.#endedAtMs.get(sessionUuid) ?? null;
  }

  /**
   * Reads all registries. `changed`: sessions whose entry has changed; `torn`: a file must be read again soon. Synchronous:
   * a file for each running client, of half a kilobyte, costs less than a turn through the thread pool.
   */
  read(): { changed: ReadonlySet<string>; torn: boolean } {
    const before = this.#bySession;
    const valid = new Map<string, RegistryEntry>();
    let torn = false;
    for (const root of this.#roots) {
      if (root.kind !== "config") continue;
      const dir = registryFolder(root);
      for (const path of pathsIn(dir) ?? this.#pathsBelow(dir)) {
        const read = readEntry(path);
        torn ||= read === "torn";
        const known = this.#valid.get(path) ?? null;
        const entry = read === "torn" ? known : read;
        if (entry) valid.set(path, entry === read ? after(known, read) : entry);
      }
    }
    this.#valid = valid;
    this.#bySession = newestBySession(valid.values());
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
    return [...this.#valid.keys()].filter((path) => dirname(path) === dir);
  }
}

/** An entry with what those read before it tell. */
function after(before: RegistryEntry | null, entry: RegistryEntry): RegistryEntry {
  const wasIdleAtMs = before?.sessionUuid === entry.sessionUuid ? before.idleAtMs : null;
  const idleAtMs = entry.status === "idle" ? entry.statusSinceMs : wasIdleAtMs;
  return { ...entry, resumed: isResumed(entry, before), idleAtMs };
}

/** Whether the client is busy because its person has answered it. A menu that was closed may have started something new. */
function isResumed(entry: RegistryEntry, before: RegistryEntry | null): boolean {
  if (entry.status !== "busy" || before?.sessionUuid !== entry.sessionUuid) return false;
  if (before.status === "waiting") return before.waitingFor !== "dialog open";
  return before.status === "busy" && before.resumed && before.statusSinceMs === entry.statusSinceMs;
}

/**
 * If two clients have registered a session (it was resumed in a second one): the one that works or asks, not one that was
 * killed, else the one that started last.
 */
function newestBySession(entries: Iterable<RegistryEntry>): Map<string, RegistryEntry> {
  const found = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const known = found.get(entry.sessionUuid);
    if (!known || takesPrecedence(entry, known)) found.set(entry.sessionUuid, entry);
  }
  return found;
}

function takesPrecedence(entry: RegistryEntry, known: RegistryEntry): boolean {
  const ranks = [entry, known].map((one) => {
    if (processLives(one) === false) return 0;
    return one.status === "busy" || one.status === "waiting" ? 2 : 1;
  });
  const [rank = 0, other = 0] = ranks;
  return rank === other ? (known.startedAtMs ?? 0) <= (entry.startedAtMs ?? 0) : rank > other;
}

/** The folder in which a configuration folder's clients register. */
function registryFolder(root: RootFolder): string {
  return join(/*turbopackIgnore: true*/ root.path, "sessions");
}

/** The entries' files; `null` where the folder exists but cannot be read now. */
function pathsIn(dir: string): string[] | null {
  try {
    const names = readdirSync(dir);
    return names.flatMap((name) => (/^\d+\.json$/.test(name) ? [join(dir, name)] : []));
  } catch (error) {
    if (isMissing(error)) return []; // versions up to 2.1.55 have none
    if (faultCode(error) !== null) return null;
    throw error;
  }
}

function readEntry(path: string): Read {
  try {
    const text = readSmallText(path, MAX_BYTES);
    return text === null ? null : (parseEntry(JSON.parse(text)) ?? "torn");
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof SyntaxError || faultCode(error) !== null) return "torn";
    throw error;
  }
}

/** Parses the content of a registry file; fields are independent, but without pid or session there is no entry. */
export function parseEntry(json: unknown): RegistryEntry | null {
  const entry = asObject(json);
  const pid = asNumber(entry?.pid);
  const sessionUuid = asString(entry?.sessionId);
  if (!entry || pid === null || !Number.isSafeInteger(pid) || pid <= 0 || sessionUuid === null) return null;
  const status = asString(entry.status);
  return {
    pid,
    sessionUuid,
    cwd: asString(entry.cwd),
    startedAtMs: asNumber(entry.startedAt),
    procStart: asString(entry.procStart),
    pidDomain: asString(entry.pidDomain),
    status: isStatus(status) ? status : null,
    statusSinceMs: asNumber(entry.statusUpdatedAt) ?? asNumber(entry.updatedAt),
    waitingFor: asString(entry.waitingFor),
    resumed: false,
    idleAtMs: null,
    entrypoint: asString(entry.entrypoint),
  };
}

function isStatus(status: string | null): status is NonNullable<RegistryEntry["status"]> {
  return status === "idle" || status === "busy" || status === "waiting" || status === "shell";
}

/** Maximum difference between the start times that 2.1.110 (our clock) and /proc (ticks) give. */
const CLOCK_SLACK_MS = 5_000;
const TICKS_PER_SECOND = 100;

/**
 * When processes began that were found on this system as named in their entries, in ticks: these entries are of our pid
 * namespace, even after the process has ended.
 */
const seenHere = new Map<string, string | null>();
const MAX_SEEN = 1_000;

/**
 * Whether the process of a registry entry is running, `null` where that is unknown: the entry was written on another
 * machine or in another pid namespace (`pidDomain`, by 2.1.280), or by a version that does not name its namespace.
 */
export function processLives(entry: RegistryEntry, proc = PROC): boolean | null {
  const { pidDomain, procStart, startedAtMs } = entry;
  if (pidDomain !== null && !isOwnDomain(pidDomain)) return null;
  const isOwn = isOwnProcess(entry.pid);
  const key = `${entry.pid} ${procStart ?? startedAtMs}`;
  // 2.1.110 and 2.1.170 name no namespace: a pid that is missing here, or is another process's, may be a container's.
  const isOther = pidDomain === null && !seenHere.has(key) ? null : false;
  if (isOwn === false) return isOther;
  if (process.platform !== "linux") {
    // When a process began is not asked for. Low pids, as containers have, are those of the system here.
    if (isOwn) putLatest(seenHere, key, null, MAX_SEEN);
    return isOwn;
  }
  const startTicks = processStat(entry.pid, proc)?.startTicks ?? null;
  // Ended meanwhile, or killed and not yet reaped by its parent.
  if (startTicks === null) return isOther;
  if (procStart !== null && procStart === startTicks) {
    putLatest(seenHere, key, startTicks, MAX_SEEN);
    return true;
  }
  if (procStart !== null) return isOther;
  if (startedAtMs === null) return pidDomain === null ? null : true;
  // By the clock: one that was set since says nothing of a process that was found before.
  if (seenHere.get(key) === startTicks) return true;
  if (!isNear(startTicks, startedAtMs, proc)) return isOther;
  putLatest(seenHere, key, startTicks, MAX_SEEN);
  return true;
}

/** `linux:<machine id>:pid:[<namespace>]`: the first namespace of every machine has the same number. */
function isOwnDomain(domain: string): boolean {
  // A folder of Windows that WSL reads, or one of a Mac in a container.
  const system = /^(linux|darwin|win32|freebsd):/.exec(domain)?.[1] ?? process.platform;
  if (system !== process.platform) return false;
  const namespace = /pid:\[(\d+)\]/.exec(domain)?.[1];
  if (namespace === undefined) return true;
  const machine = /^linux:([0-9a-f]{32}):/.exec(domain)?.[1];
  if (pidNamespace() !== namespace) return false;
  const own = machineId();
  return machine === undefined || own === null || machine === own;
}

/** `null` where the system has none. */
function machineId(): string | null {
  try {
    const id = readFileSync("/etc/machine-id", "latin1").trim();
    return /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** Whether this account has such a process; `null` where it is another account's. */
function isOwnProcess(pid: number): boolean | null {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return faultCode(error) === "EPERM" ? null : false;
  }
}

function isNear(startTicks: string, startedAtMs: number, proc: string): boolean {
  const boot = /^btime (\d+)$/m.exec(readFileSync(`${proc}/stat`, "latin1"))?.[1];
  if (boot === undefined) return true;
  const processMs = (Number(boot) + Number(startTicks) / TICKS_PER_SECOND) * 1000;
  // The entry is written once the client has started up: later than its process, but never by minutes.
  return startedAtMs > processMs - CLOCK_SLACK_MS && startedAtMs < processMs + 60 * CLOCK_SLACK_MS;
}
