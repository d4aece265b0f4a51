import { readlinkSync } from "node:fs";

/** Which processes the pids here are those of, as `4026531836`: a container has its own. `null` where the system has no such thing. */
export function pidNamespace(): string | null {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? null;
  } catch {
    return null;
  }
}
