import { readlinkSync } from "node:fs";
import { putLatest } from "@/lib/format/lists";
import { faultCode } from "@/lib/server/disk/file-fault";
import { steadyNowMs } from "./clock-reading";
import { PROC, processIo, processStat, processSwitches } from "./processes";

/**
 * A client that works wakes for its spinner and for what comes from the model: 13 times and more in so long. One that waits
 * for its person wakes three times, seldom more than eight (1.0.90, 2.0.25, 2.0.60, 2.0.76, 2.1.15, 2.1.55, 2.1.90, on two
 * processors with six to fourteen programs to run).
 */
const STILL_MS = 300;
const MAX_WAKES = 8;
/** Of those that are due in that time. Looked at less often, it may have waited for a processor as we did. */
const MIN_LOOKS = 5;
/**
 * Where that is not told, or it wakes more often as it waits: a client that works draws never fewer than four times in so
 * long, on a machine with six times the work that it had processors for (2.0.76, 2.1.42).
 */
const REST_MS = 1_000;
/** One of its threads may wake another. */
const MAX_WRITES = 1;
/** What comes from the model is longer. */
const MAX_READ = 64;
/** Keys that its person presses in between have it draw for less than this. */
const HOLD_MS = 2_000;

const MAX_CLIENTS = 64;

/** `switches`: `null` where the system does not tell of them. */
type Look = { atMs: number; writes: number; bytesRead: number; switches: number | null; asleep: boolean };
type Looks = {
  looks: Look[];
  beganMs: number;
  inTerminal: boolean;
  rests: boolean;
  restedAtMs: number | null;
  rest: ClientRest;
};

/**
 * `fromMs`: from when on a client did nothing the last time that it was seen at rest, by `steadyNowMs`, `null` where it
 * never was. `is`: what it does as far as it was looked at; for a moment after its rest that is not known.
 */
export type ClientRest = { fromMs: number | null; is: "resting" | "working" | null };

/**
 * Which clients in a terminal wait for their person, from what Linux counts of their reading and writing. While its person
 * reads the transcript a client draws nothing either, so by itself it does not tell that nothing runs.
 */
export class ClientRests {
  readonly #proc: string;
  readonly #clients = new Map<number, Looks>();

  constructor(proc = PROC) {
    this.#proc = proc;
  }

  /** `null` of one that was never looked at. */
  of(pid: number | null): ClientRest | null {
    return (pid === null ? null : this.#clients.get(pid)?.rest) ?? null;
  }

  /**
   * Looks at these clients; of all others it keeps when they rested last. Returns those that came to rest or to work. It
   * costs three small files each.
   */
  look(pids: ReadonlySet<number>, nowMs = steadyNowMs()): ReadonlySet<number> {
    const changed = new Set<number>();
    for (const [pid, client] of this.#clients)
      if (!pids.has(pid))
        Object.assign(client, { looks: [], rests: false, rest: { ...client.rest, is: null } });
    for (const pid of pids) if (this.#lookAt(pid, nowMs)) changed.add(pid);
    return changed;
  }

  #lookAt(pid: number, nowMs: number): boolean {
    const io = processIo(pid, this.#proc);
    const stat = io && processStat(pid, this.#proc);
    if (!io || !stat) return false;
    const known = this.#clients.get(pid);
    const looks = known?.looks ?? [];
    const beganMs = known && looks.length > 0 ? known.beganMs : nowMs;
    const inTerminal = known?.inTerminal ?? isInTerminal(pid, this.#proc);
    const asleep = stat.state === "S";
    const switches = processSwitches(pid, this.#proc);
    looks.push({ atMs: nowMs, writes: io.writes, bytesRead: io.bytesRead, switches, asleep });
    while (looks[1] && looks[1].atMs <= nowMs - REST_MS) looks.shift();
    // One that is asleep has drawn what was due; one that waits for a processor, or was stopped, has not.
    const stillMs = inTerminal && asleep ? stillFor(looks, nowMs) : null;
    const rests = stillMs !== null;
    const fromMs = rests ? nowMs - stillMs : (known?.rest.fromMs ?? null);
    const restedAtMs = rests ? nowMs : (known?.restedAtMs ?? null);
    const sinceMs = nowMs - Math.max(beganMs, restedAtMs ?? 0);
    const isResting = restedAtMs !== null && nowMs - restedAtMs < HOLD_MS;
    const is = isResting ? "resting" : inTerminal && sinceMs >= HOLD_MS ? "working" : null;
    const client = { looks, beganMs, inTerminal, rests, restedAtMs, rest: { fromMs, is } };
    putLatest(this.#clients, pid, client, MAX_CLIENTS);
    return (rests && !known?.rests) || is !== (known?.rest.is ?? null);
  }
}

/** For how long a client that is asleep has done nothing, as far as its looks prove it, `null` for no such time. */
function stillFor(looks: readonly Look[], nowMs: number): number | null {
  const late = looksSince(looks, nowMs - STILL_MS);
  const hardlyWoke =
    late.every(({ asleep }) => asleep) && (growth(late, "switches") ?? Infinity) <= MAX_WAKES;
  if (late.length >= MIN_LOOKS && hardlyWoke && hasDoneNothing(late)) return STILL_MS;
  return hasDoneNothing(looksSince(looks, nowMs - REST_MS)) ? REST_MS : null;
}

/** The looks from the last one on that was no later than this; none where all were. */
function looksSince(looks: readonly Look[], atMs: number): readonly Look[] {
  const first = looks.findLastIndex((look) => look.atMs <= atMs);
  return first === -1 ? [] : looks.slice(first);
}

function hasDoneNothing(looks: readonly Look[]): boolean {
  const [writes, bytesRead] = [growth(looks, "writes"), growth(looks, "bytesRead")];
  return writes !== null && bytesRead !== null && writes <= MAX_WRITES && bytesRead <= MAX_READ;
}

/** By how much a count has grown over these looks, `null` where it is not told. */
function growth(looks: readonly Look[], count: "writes" | "bytesRead" | "switches"): number | null {
  const [first, last] = [looks[0]?.[count] ?? null, looks.at(-1)?.[count] ?? null];
  return first === null || last === null ? null : last - first;
}

function isInTerminal(pid: number, proc: string): boolean {
  try {
    return /^\/dev\/(pts\/|tty)/.test(readlinkSync(`${proc}/${pid}/fd/1`));
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return false;
  }
}
