import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Registry } from "./registry";

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
  JSON.stringify({ pid, sessionId, startedAt: 1_000 + pid, status: "busy", statusUpdatedAt: 5_000, ...more });

const known = (session: string) => {
  const found = registry.entryOf(session);
  if (found) return `pid ${found.pid} ${found.status}`;
  return registry.endedAtMs(session) === null ? "never seen" : "ended";
};

describe("a registry entry", () => {
  it("keeps its last good content while its file is torn or empty", async () => {
    writeFileSync(file(12), entry(12, "a"));
    expect([...(await registry.read()).changed]).toEqual(["a"]);
    for (const torn of ["", "{", '{"pid":12,"sess', "[]", `${entry(12, "a")}}`, "x".repeat(70_000)]) {
      writeFileSync(file(12), torn);
      const { changed, torn: again } = await registry.read();
      expect([known("a"), changed.size, again]).toEqual(["pid 12 busy", 0, true]);
    }
    writeFileSync(file(12), entry(12, "a", { status: "idle" }));
    expect(await registry.read()).toEqual({ changed: new Set(["a"]), torn: false });
    expect(known("a")).toBe("pid 12 idle");
  });

  it("that has never been whole is none, and is asked for again", async () => {
    writeFileSync(file(12), "");
    expect(await registry.read()).toEqual({ changed: new Set(), torn: true });
    expect(known("a")).toBe("never seen");
  });

  it("that vanishes means that its client has ended", async () => {
    writeFileSync(file(12), entry(12, "a"));
    await registry.read();
    rmSync(file(12));
    expect([...(await registry.read()).changed]).toEqual(["a"]);
    expect(known("a")).toBe("ended");
    writeFileSync(file(13), entry(13, "a"));
    await registry.read();
    expect(known("a")).toBe("pid 13 busy");
  });

  it("that names another session now has left the one before (/clear)", async () => {
    writeFileSync(file(12), entry(12, "a"));
    await registry.read();
    writeFileSync(file(12), entry(12, "b"));
    await registry.read();
    expect([known("a"), known("b")]).toEqual(["ended", "pid 12 busy"]);
  });

  it("of a session that two clients have open is the later one's, then the other's", async () => {
    writeFileSync(file(12), entry(12, "a"));
    writeFileSync(file(13), entry(13, "a"));
    await registry.read();
    expect(known("a")).toBe("pid 13 busy");
    rmSync(file(13));
    await registry.read();
    expect(known("a")).toBe("pid 12 busy");
  });

  it("is none for files of other names and for versions without a registry", async () => {
    writeFileSync(join(folder, "sessions", "notes.json"), entry(12, "a"));
    await registry.read();
    expect(known("a")).toBe("never seen");
    rmSync(join(folder, "sessions"), { recursive: true });
    expect((await registry.read()).torn).toBe(false);
  });
});
