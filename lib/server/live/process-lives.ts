import { readFileSync, readlinkSync } from "node:fs";
import type { RegistryEntry } from "./registry";

/** The start times that 2.1.110 (our clock) and /proc (ticks) give may differ by this. */
const CLOCK_SLACK_MS = 5_000;
const TICKS_PER_SECOND = 100;

/** Processes that were found here as their entries name them: their entries are of our namespace, and so is their end. */
const seenHere = new Set<string>();
const MOST_SEEN = 1_000;

/**
 * Whether the process of a registry entry runs, `null` where that cannot be told: the entry was written on another
 * machine or in another pid namespace (`pidDomain`, by 2.1.280), or by a version that does not say in which.
 */
export function processLives(entry: RegistryEntry): boolean | null {
  const { pidDomain, procStart, startedAtMs } = entry;
  if (pidDomain !== null && !isOwnDomain(pidDomain)) return null;
  const runs = isRunning(entry.pid);
  if (process.platform !== "linux") return runs;
  const key = `${entry.pid} ${procStart}`;
  // 2.1.110 and 2.1.170 name no namespace: a pid that is not here, or is another process's, may be a container's.
  const isOther = pidDomain === null && !seenHere.has(key) ? null : false;
  if (!runs) return isOther;
  const startTicks = startTicksOf(entry.pid);
  // Ended meanwhile, or killed and not yet collected by its parent.
  if (startTicks === null) return isOther;
  if (procStart !== null && procStart === startTicks) {
    if (seenHere.size < MOST_SEEN) seenHere.add(key);
    return true;
  }
  if (procStart !== null) return isOther;
  if (startedAtMs === null) return pidDomain === null ? null : true;
  return isNear(startTicks, startedAtMs) || isOther;
}

/** `linux:<machine id>:pid:[<namespace>]`: the first namespace of every machine has the same number. */
function isOwnDomain(domain: string): boolean {
  const namespace = /pid:\[(\d+)\]/.exec(domain)?.[0];
  if (namespace === undefined) return true;
  const machine = /^linux:([0-9a-f]{32}):/.exec(domain)?.[1];
  try {
    if (readlinkSync("/proc/self/ns/pid") !== namespace) return false;
  } catch {
    return false; // no /proc: not the system that wrote the entry
  }
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Field 22 of /proc/<pid>/stat, `null` for a zombie; the command's name before it may hold spaces and brackets. */
function startTicksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? null : (fields[18] ?? null);
  } catch {
    return null; // ended meanwhile
  }
}

function isNear(startTicks: string, startedAtMs: number): boolean {
  const boot = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1];
  if (boot === undefined) return true;
  const processMs = (Number(boot) + Number(startTicks) / TICKS_PER_SECOND) * 1000;
  // The entry is written once the client is up: later than its process, never by minutes.
  return startedAtMs > processMs - CLOCK_SLACK_MS && startedAtMs < processMs + 60 * CLOCK_SLACK_MS;
}
