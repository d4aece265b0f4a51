import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processLives } from "./process-lives";
import { parseEntry, type RegistryEntry } from "./registry";

/** A pid that no system gives. */
const NOBODY = 4_194_400;

function lives(pid: number, more: object = {}): boolean | null {
  return processLives(parseEntry({ pid, sessionId: "s", ...more }) as RegistryEntry);
}

function ticks(pid = process.pid): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] as string;
}

describe.runIf(process.platform === "linux")("whether the process of a registry entry runs", () => {
  const namespace = () => readlinkSync("/proc/self/ns/pid");
  const other = () => namespace().replace(/\d+/, (number) => String(Number(number) + 1));

  it("is known in our own namespace (2.1.330)", () => {
    const pidDomain = `linux:${machine() ?? "0".repeat(32)}:${namespace()}`;
    expect(lives(process.pid, { pidDomain, procStart: ticks() })).toBe(true);
    expect(lives(process.pid, { pidDomain, procStart: "1" })).toBe(false);
    expect(lives(NOBODY, { pidDomain, procStart: "1" })).toBe(false);
  });

  it("cannot be told in another namespace, nor on another machine whose namespaces have the same numbers", () => {
    const own = machine() ?? "0".repeat(32);
    for (const pid of [process.pid, NOBODY]) {
      expect(lives(pid, { pidDomain: `linux:${own}:${other()}`, procStart: ticks() })).toBe(null);
      if (machine() === null) continue;
      const elsewhere = `linux:${own.replaceAll(/./g, (digit) => (digit === "a" ? "b" : "a"))}:${namespace()}`;
      expect(lives(pid, { pidDomain: elsewhere, procStart: ticks() })).toBe(null);
    }
  });

  it("cannot be told of a pid that is not here or is another process's, where no namespace is named (2.1.170)", () => {
    expect(lives(process.pid, { procStart: ticks() })).toBe(true);
    expect(lives(process.pid, { procStart: "1" })).toBe(null);
    expect(lives(NOBODY, { procStart: "1" })).toBe(null);
    expect(lives(process.pid)).toBe(null);
  });

  it("is known of one that was seen here once, without a namespace as well (2.1.170)", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const pid = child.pid as number;
    const procStart = ticks(pid);
    expect(lives(pid, { procStart })).toBe(true);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(lives(pid, { procStart })).toBe(false);
  });

  it("is told by the time of its start where there are no ticks (2.1.110)", () => {
    const startedAt = Date.now() - process.uptime() * 1_000;
    expect(lives(process.pid, { startedAt })).toBe(true);
    expect(lives(process.pid, { startedAt: startedAt - 86_400_000 })).toBe(null);
  });
});

function machine(): string | null {
  try {
    return readFileSync("/etc/machine-id", "latin1").trim() || null;
  } catch {
    return null;
  }
}
