import { renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readText } from "@/lib/server/disk/kept-files";
import { makeTree, toText } from "@/lib/testing/log-tree";
import { readAgentMeta } from "./place-files";

vi.mock("@/lib/server/disk/kept-files", { spy: true });

describe("an agent's meta file", () => {
  const written = { toolUseId: "t1", agentType: "Explore", description: "Look around" };
  let path: string;

  beforeEach(() => {
    path = join(makeTree({ "agent-a1.meta.json": [written] }), "agent-a1.meta.json");
  });

  it("says which call started the agent, of which type and for what; what it does not say is null", () => {
    expect(readAgentMeta(path).meta).toEqual(written);
    writeFileSync(path, JSON.stringify({ agentType: 7, description: "Look" }));
    expect(readAgentMeta(path).meta).toEqual({ toolUseId: null, agentType: null, description: "Look" });
  });

  it("that is missing or torn says nothing, and is read again once it is whole", () => {
    expect(readAgentMeta(null)).toEqual({ meta: null, mark: "" });
    expect(readAgentMeta(`${path}.none`)).toEqual({ meta: null, mark: "" });
    writeFileSync(path, '{"agentType":"Exp');
    const torn = readAgentMeta(path);
    expect(torn.meta).toBeNull();
    writeFileSync(path, JSON.stringify(written));
    expect(readAgentMeta(path, torn).meta).toEqual(written);
  });

  it("that cannot be read for a moment says what it said before, and is read again though it is the same file", () => {
    const known = readAgentMeta(path);
    writeFileSync(path, JSON.stringify({ ...written, agentType: "Planner" }));
    const fault = Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    vi.mocked(readText).mockImplementationOnce(() => {
      throw fault;
    });
    const failed = readAgentMeta(path, known);
    expect(failed.meta).toEqual(written);
    expect(readAgentMeta(path, failed).meta?.agentType).toBe("Planner");
    vi.mocked(readText).mockImplementationOnce(() => {
      throw new TypeError("a bug");
    });
    expect(() => readAgentMeta(path)).toThrow("a bug");
  });

  it("is not read again while it is the same file, and is when it was replaced or written in place", () => {
    const known = readAgentMeta(path);
    expect(readAgentMeta(path, known)).toBe(known);
    const { mtime } = statSync(path);
    // As long, in its place, a moment later.
    writeFileSync(path, toText([{ ...written, agentType: "Planner" }]));
    utimesSync(path, mtime, new Date(mtime.getTime() + 1_000));
    const other = readAgentMeta(path, known);
    expect(other.meta?.agentType).toBe("Planner");
    writeFileSync(`${path}.new`, JSON.stringify({ ...written, agentType: "Scouter" }));
    renameSync(`${path}.new`, path);
    utimesSync(path, mtime, new Date(mtime.getTime() + 1_000));
    expect(readAgentMeta(path, other).meta?.agentType).toBe("Scouter");
  });
});
