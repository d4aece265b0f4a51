import { readFileSync, readlinkSync } from "node:fs";
import type { RegistryEntry } from "./registry";

/** The start times that 2.1.110 (our clock) and /proc (ticks) give may differ by this. */
const CLOCK_SLACK_MS = 5_000;
const TICKS_PER_SECOND = 100;

/**
 * Whether the process of a registry entry runs, `null` where that cannot be told: the entry was written in
 * another pid namespace (`pidDomain`, 2.1.330), or by a version that does not say in which.
 */
export function processLives(entry: RegistryEntry): boolean | null {
  if (entry.pidDomain !== null && !isOwnDomain(entry.pidDomain)) return null;
  const runs = isRunning(entry.pid);
  if (process.platform === "linux") {
    const startTicks = runs ? startTicksOf(entry.pid) : null;
    if (entry.procStart !== null && startTicks !== null) return entry.procStart === startTicks;
    // 2.1.110 names no namespace: a pid that is not here may live in a container.
    if (!runs) return entry.pidDomain === null ? null : false;
    return startTicks === null || entry.startedAtMs === null || isNear(startTicks, entry.startedAtMs);
  }
  return runs;
}

function isOwnDomain(domain: string): boolean {
  const namespace = /pid:\[(\d+)\]/.exec(domain)?.[0];
  if (namespace === undefined) return true;
  try {
    return readlinkSync("/proc/self/ns/pid") === namespace;
  } catch {
    return false; // no /proc: not the system that wrote the entry
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

/** Field 22 of /proc/<pid>/stat; the command's name before it may hold spaces and brackets. */
function startTicksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
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
