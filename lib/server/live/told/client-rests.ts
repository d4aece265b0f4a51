import { readlinkSync } from "node:fs";
import { putLatest } from "@/lib/format/lists";
import { faultCode } from "@/lib/server/disk/file-fault";
import { steadyNowMs } from "./clock-reading";
import { PROC, processIo, processStat } from "./processes";

/**
 * A client that works draws its spinner: never fewer than four writes in so long, on a machine with six times the work that
 * it had processors for. One that waits for its person does nothing (2.0.76, 2.1.42).
 */
const REST_MS = 1_000;
/** One of its threads may wake another. */
const MAX_WRITES = 1;
/** What comes from the model is longer. */
const MAX_READ = 64;
/** Keys that its person presses in between have it draw for less than this. */
const HOLD_MS = 2_000;

const MAX_CLIENTS = 64;

type Look = { atMs: number; writes: number; bytesRead: number };
type Looks = { looks: Look[]; beganMs: number; inTerminal: boolean; rests: boolean; rest: ClientRest };

/**
 * `fromMs`: the beginning of the last second in which a client did nothing, by `steadyNowMs`, `null` where there was none. `is`: what it does
 * as far as it was looked at; for a moment after its rest that is not known.
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
   * costs two small files each.
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
    looks.push({ atMs: nowMs, writes: io.writes, bytesRead: io.bytesRead });
    while (looks[1] && looks[1].atMs <= nowMs - REST_MS) looks.shift();
    const [first] = looks;
    // One that is asleep has drawn what was due; one that waits for a processor, or was stopped, has not.
    const rests =
      inTerminal &&
      first !== undefined &&
      first.atMs <= nowMs - REST_MS &&
      stat.state === "S" &&
      io.writes - first.writes <= MAX_WRITES &&
      io.bytesRead - first.bytesRead <= MAX_READ;
    const fromMs = rests ? nowMs - REST_MS : (known?.rest.fromMs ?? null);
    const sinceMs = nowMs - Math.max(beganMs, fromMs === null ? 0 : fromMs + REST_MS);
    const isResting = fromMs !== null && nowMs - fromMs - REST_MS < HOLD_MS;
    const is = isResting ? "resting" : inTerminal && sinceMs >= HOLD_MS ? "working" : null;
    putLatest(this.#clients, pid, { looks, beganMs, inTerminal, rests, rest: { fromMs, is } }, MAX_CLIENTS);
    return (rests && !known?.rests) || is !== (known?.rest.is ?? null);
  }
}

function isInTerminal(pid: number, proc: string): boolean {
  try {
    return /^\/dev\/(pts\/|tty)/.test(readlinkSync(`${proc}/${pid}/fd/1`));
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return false;
  }
}
