import { readFileSync } from "node:fs";

/** A process's memory in bytes, now and at its peak. Linux only; `null` elsewhere. */
export function memoryOf(pid: number): { now: number; peak: number } | null {
  const status = readProc(pid, "status");
  const now = /^VmRSS:\s+(\d+) kB/m.exec(status ?? "")?.[1];
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(status ?? "")?.[1];
  return now && peak ? { now: Number(now) * 1024, peak: Number(peak) * 1024 } : null;
}

/** CPU time that all threads of a process have used, in milliseconds. Linux only; `null` elsewhere. */
export function cpuMsOf(pid: number): number | null {
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
