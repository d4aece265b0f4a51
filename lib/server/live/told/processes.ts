import { readFileSync } from "node:fs";
import { faultCode } from "@/lib/server/disk/file-fault";

/** Where Linux tells of its processes. */
export const PROC = "/proc";

/** What Linux tells of a process, or of the system (`sys`), in one of its files. `null` on other systems, of one that has ended, and of one that this account may not look at. */
export function readProcess(pid: number | "sys", name: string, proc = PROC): string | null {
  if (process.platform !== "linux") return null;
  try {
    return readFileSync(`${proc}/${pid}/${name}`, "utf8");
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return null;
  }
}

/** `state`: `S` for asleep, `R`, `D`, `T` for stopped, …; `startTicks`: when it began, in ticks of the system's clock. */
export type ProcessStat = { state: string; startTicks: string };

/** How a process stands, `null` where `readProcess` is, and of one that was killed and not yet reaped by its parent. */
export function processStat(pid: number, proc = PROC): ProcessStat | null {
  const stat = readProcess(pid, "stat", proc);
  // The command's name in front may contain spaces and brackets. The start is field 22.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const startTicks = fields[18];
  if (!state || state === "Z" || state === "X" || startTicks === undefined) return null;
  return { state, startTicks };
}

/** Counts of all that a process and those of its children that have ended read and wrote: files, pipes, terminal. */
export type ProcessIo = { bytesRead: number; bytesWritten: number; writes: number };

/** `null` where `readProcess` is. */
export function processIo(pid: number, proc = PROC): ProcessIo | null {
  const text = readProcess(pid, "io", proc);
  const [, bytesRead, bytesWritten, writes] =
    /^rchar: (\d+)\nwchar: (\d+)\nsyscr: \d+\nsyscw: (\d+)/.exec(text ?? "") ?? [];
  if (bytesRead === undefined || bytesWritten === undefined || writes === undefined) return null;
  return { bytesRead: Number(bytesRead), bytesWritten: Number(bytesWritten), writes: Number(writes) };
}

/**
 * How often a process's main thread has stopped running, to sleep or since others were to run: as often it woke. `null`
 * where `readProcess` is.
 */
export function processSwitches(pid: number, proc = PROC): number | null {
  const [, asleep, waiting] =
    /^voluntary_ctxt_switches:\t(\d+)\nnonvoluntary_ctxt_switches:\t(\d+)$/m.exec(
      readProcess(pid, "status", proc) ?? "",
    ) ?? [];
  return asleep === undefined || waiting === undefined ? null : Number(asleep) + Number(waiting);
}
