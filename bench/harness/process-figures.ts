import { readFileSync } from "node:fs";

/**
 * A program's memory in bytes, now and at its peak: of its process and of those that it has started.
 * Linux only; `null` elsewhere.
 */
export function memoryOf(pid: number): { now: number; peak: number } | null {
  const each = processesOf(pid).map((process) => {
    const status = readProc(process, "status");
    const now = /^VmRSS:\s+(\d+) kB/m.exec(status ?? "")?.[1];
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(status ?? "")?.[1];
    return now && peak ? { now: Number(now) * 1024, peak: Number(peak) * 1024 } : null;
  });
  const known = each.filter((memory) => memory !== null);
  if (known.length === 0) return null;
  return { now: sum(known.map(({ now }) => now)), peak: sum(known.map(({ peak }) => peak)) };
}

/** CPU time that all processes and threads of a program have used, in milliseconds. Linux only; `null` elsewhere. */
export function cpuMsOf(pid: number): number | null {
  const known = processesOf(pid)
    .map(cpuMsOfProcess)
    .filter((ms) => ms !== null);
  return known.length === 0 ? null : sum(known);
}

/** A process and all that it and those have started, as far as they run. */
function processesOf(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`)?.split(" ").filter(Boolean) ?? [];
  return [pid, ...children.flatMap((child) => processesOf(Number(child)))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function cpuMsOfProcess(pid: number): number | null {
  const stat = readProc(pid, "stat");
  if (stat === null) return null;
  // The second field is the process name in parentheses, which can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return ticks * 10; // USER_HZ is 100 on every Linux that Node runs on.
}

/** Bytes that a process has written to disk or to the page cache. Linux only; `null` elsewhere. */
export function bytesWrittenBy(pid: number): number | null {
  const found = /^wchar: (\d+)/m.exec(readProc(pid, "io") ?? "")?.[1];
  return found === undefined ? null : Number(found);
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return null; // Another system, or the process has ended.
  }
}
