import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeProcesses } from "@/lib/testing/live/fake-processes";
import { onPlatform } from "@/lib/testing/on-platform";
import { parseEntry, processLives, Registry, type RegistryEntry } from "./registry";

describe("process lives", () => {
  /** A pid that no system gives. */
  const NOBODY = 4_194_400;

  function lives(pid: number, more: object = {}): boolean | null {
    return processLives(parseEntry({ pid, sessionId: "s", ...more }) as RegistryEntry);
  }

  function ticks(pid = process.pid): string {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] as string;
  }

  it("is known of one that was seen here lately, however many were seen before", async () => {
    onPlatform("darwin");
    for (let n = 0; n < 2_000; n++) expect(lives(process.pid, { procStart: `start ${n}` })).toBe(true);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const pid = child.pid as number;
    expect(lives(pid, { procStart: "late" })).toBe(true);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(lives(pid, { procStart: "late" })).toBe(false);
    // The first of them is forgotten: it may be another system's.
    expect(lives(NOBODY, { procStart: "start 0" })).toBe(null);
  });

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

    it("of one that was found so stays known when the clock is set, and when it ends (2.1.110)", () => {
      using processes = new FakeProcesses();
      const entry = parseEntry({ pid: process.pid, sessionId: "s", startedAt: 1_000_000_012_000 });
      if (!entry) throw new Error("it is none");
      processes.add(process.pid, { startTicks: 1_000 });
      processes.setBoot(1_000_000_000);
      expect(processLives(entry, processes.folder)).toBe(true);
      processes.setBoot(1_000_007_200);
      expect(processLives(entry, processes.folder)).toBe(true);
      processes.end(process.pid);
      expect(processLives(entry, processes.folder)).toBe(false);
    });
  });

  describe.each(["darwin", "win32"] as const)(
    "on %s, where when a process began is not asked for",
    (platform) => {
      it("cannot be told of a pid that is not here: a container of this folder may have it (2.1.170)", () => {
        onPlatform(platform);
        expect(lives(process.pid)).toBe(true);
        expect(lives(NOBODY, { procStart: "1" })).toBe(null);
        expect(lives(NOBODY, { pidDomain: "of this system", procStart: "1" })).toBe(false);
      });

      it("cannot be told of a client of another system", () => {
        onPlatform(platform);
        const others = ["linux", "darwin", "win32"].filter((system) => system !== platform);
        for (const system of others) expect(lives(process.pid, { pidDomain: `${system}:1a2b` })).toBe(null);
        expect(lives(NOBODY, { pidDomain: `${platform}:1a2b` })).toBe(false);
      });

      it("cannot be told of a pid that is another account's: those of containers are the system's own here (2.1.170)", () => {
        onPlatform(platform);
        using _ = vi.spyOn(process, "kill").mockImplementation(() => {
          throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
        });
        expect(lives(1, { procStart: "1" })).toBe(null);
      });

      it("is known of one that was seen here once", async () => {
        onPlatform(platform);
        const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
        const pid = child.pid as number;
        expect(lives(pid, { procStart: platform })).toBe(true);
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
        expect(lives(pid, { procStart: platform })).toBe(false);
      });
    },
  );

  function machine(): string | null {
    try {
      return readFileSync("/etc/machine-id", "latin1").trim() || null;
    } catch {
      return null;
    }
  }
});

describe("registry", () => {
  let folder: string;
  let registry: Registry;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "backscroll-registry-"));
    mkdirSync(join(folder, "sessions"));
    registry = new Registry([{ path: folder, kind: "config" }]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const file = (pid: number) => join(folder, "sessions", `${pid}.json`);
  const entry = (pid: number, sessionId: string, more: object = {}) =>
    JSON.stringify({
      pid,
      sessionId,
      startedAt: 1_000 + pid,
      status: "busy",
      statusUpdatedAt: 5_000,
      ...more,
    });

  const known = (session: string) => {
    const found = registry.entryOf(session);
    if (found) return `pid ${found.pid} ${found.status}`;
    return registry.endedAtMs(session) === null ? "never seen" : "ended";
  };

  describe("a registry entry", () => {
    it("keeps its last good content while its file is torn or empty", async () => {
      writeFileSync(file(12), entry(12, "a"));
      expect([...registry.read().changed]).toEqual(["a"]);
      for (const torn of ["", "{", '{"pid":12,"sess', "[]", `${entry(12, "a")}}`, "x".repeat(70_000)]) {
        writeFileSync(file(12), torn);
        const { changed, torn: again } = registry.read();
        expect([known("a"), changed.size, again]).toEqual(["pid 12 busy", 0, true]);
      }
      writeFileSync(file(12), entry(12, "a", { status: "idle" }));
      expect(registry.read()).toEqual({ changed: new Set(["a"]), torn: false });
      expect(known("a")).toBe("pid 12 idle");
    });

    it("of the client that works counts, where a session is open in two, but not of one that was killed", () => {
      const both = (first: object, second: object) => {
        writeFileSync(file(12), entry(12, "a", first));
        writeFileSync(file(13), entry(13, "a", second));
        registry.read();
        return known("a");
      };
      expect(both({ status: "idle" }, { status: "idle" })).toBe("pid 13 idle");
      expect(both({ status: "busy" }, { status: "idle" })).toBe("pid 12 busy");
      const waiting = { status: "waiting", waitingFor: "permission prompt" };
      expect(both(waiting, { status: "busy" })).toBe("pid 13 busy");
      if (process.platform !== "linux") return;
      // Killed: its entry is of our namespace and no such process is here.
      rmSync(file(12));
      const pidDomain = readlinkSync("/proc/self/ns/pid");
      writeFileSync(file(4_194_400), entry(4_194_400, "a", { pidDomain }));
      writeFileSync(file(13), entry(13, "a", { status: "idle" }));
      registry.read();
      expect(known("a")).toBe("pid 13 idle");
    });

    it("that has never been whole is none, and is asked for again", async () => {
      writeFileSync(file(12), "");
      expect(registry.read()).toEqual({ changed: new Set(), torn: true });
      expect(known("a")).toBe("never seen");
    });

    it.skipIf(process.platform === "win32")("that is a pipe is none, and nobody waits for it", () => {
      execFileSync("mkfifo", [file(12)]);
      // Whoever did wait would get half an entry after a while.
      const writer = spawn("sh", ["-c", 'sleep 3; echo "{" > "$0"', file(12)]);
      expect(registry.read()).toEqual({ changed: new Set(), torn: false });
      writer.kill();
    });

    it("that vanishes means that its client has ended", async () => {
      writeFileSync(file(12), entry(12, "a"));
      registry.read();
      rmSync(file(12));
      expect([...registry.read().changed]).toEqual(["a"]);
      expect(known("a")).toBe("ended");
      writeFileSync(file(13), entry(13, "a"));
      registry.read();
      expect(known("a")).toBe("pid 13 busy");
    });

    it("that names another session now has left the one before (/clear)", async () => {
      writeFileSync(file(12), entry(12, "a"));
      registry.read();
      writeFileSync(file(12), entry(12, "b"));
      registry.read();
      expect([known("a"), known("b")]).toEqual(["ended", "pid 12 busy"]);
    });

    it("that opens a menu was idle since the last time that it said so", () => {
      const idleAt = (more: object) => {
        writeFileSync(file(12), entry(12, "a", more));
        registry.read();
        return registry.entryOf("a")?.idleAtMs;
      };
      expect(idleAt({ statusUpdatedAt: 5_000 })).toBe(null);
      expect(idleAt({ status: "idle", statusUpdatedAt: 6_000 })).toBe(6_000);
      expect(idleAt({ status: "waiting", waitingFor: "dialog open", statusUpdatedAt: 7_000 })).toBe(6_000);
      expect(idleAt({ statusUpdatedAt: 8_000 })).toBe(6_000);
    });

    it("that is busy again right after its person was asked has had no other prompt (2.1.330)", async () => {
      const resumed = async (more: object) => {
        writeFileSync(file(12), entry(12, "a", more));
        registry.read();
        return registry.entryOf("a")?.resumed;
      };
      const asks = { status: "waiting", waitingFor: "permission prompt" };
      expect(await resumed({})).toBe(false);
      expect(await resumed(asks)).toBe(false);
      expect(await resumed({ statusUpdatedAt: 6_000 })).toBe(true);
      expect(await resumed({ statusUpdatedAt: 6_000 })).toBe(true);
      expect(await resumed({ statusUpdatedAt: 7_000 })).toBe(false);
      await resumed(asks);
      await resumed({ status: "idle" });
      expect(await resumed({ statusUpdatedAt: 8_000 })).toBe(false);
      await resumed({ ...asks, waitingFor: "dialog open" });
      expect(await resumed({ statusUpdatedAt: 9_000 })).toBe(false);
    });

    it("of a session that two clients have open is the later one's, then the other's", async () => {
      writeFileSync(file(12), entry(12, "a"));
      writeFileSync(file(13), entry(13, "a"));
      registry.read();
      expect(known("a")).toBe("pid 13 busy");
      rmSync(file(13));
      registry.read();
      expect(known("a")).toBe("pid 12 busy");
    });

    it("is none for files of other names and for versions without a registry", async () => {
      writeFileSync(join(folder, "sessions", "notes.json"), entry(12, "a"));
      registry.read();
      expect(known("a")).toBe("never seen");
      rmSync(join(folder, "sessions"), { recursive: true });
      expect(registry.read().torn).toBe(false);
    });
  });
});
