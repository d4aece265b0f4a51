import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ClientVersion } from "./dialect";
import { generateSession } from "./generate-session";
import { generateTree } from "./generate-tree";
import { recount } from "./recount";
import { memoryStorage } from "./storage";
import type { SessionTruth } from "./truth";

const VERSIONS: ClientVersion[] = ["2.0.76", "2.1.42", "2.1.330"];

function treeOf(seed: number, bytes: number, damage = false) {
  const storage = memoryStorage();
  return { truth: generateTree({ seed, bytes, storage, damage }), files: storage.files };
}

function digest(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, text] of files) hash.update(`${path}\n${text}`);
  return hash.digest("hex");
}

function logsOf(files: ReadonlyMap<string, string>, session: SessionTruth): string[] {
  const agents = session.agentIds.map(
    (id) => [...files.keys()].find((path) => path.endsWith(`/agent-${id}.jsonl`))!,
  );
  return [session.path, ...agents].map((path) => files.get(path)!);
}

function expectTruth(files: ReadonlyMap<string, string>, session: SessionTruth) {
  const counted = recount(logsOf(files, session));
  expect(counted).toEqual({
    ...Object.fromEntries(Object.keys(counted).map((key) => [key, session[key as keyof SessionTruth]])),
    usage: {
      input: session.usage.input,
      output: session.usage.output,
      cacheWrite: session.usage.cacheWrite,
      cacheRead: session.usage.cacheRead,
    },
  });
}

test("the same seed gives the same bytes, another seed others", () => {
  expect(digest(treeOf(7, 300_000).files)).toBe(digest(treeOf(7, 300_000).files));
  expect(digest(treeOf(7, 300_000).files)).not.toBe(digest(treeOf(8, 300_000).files));
});

test("every line of a log is a record with a type", () => {
  const logs = [...treeOf(3, 2_000_000).files].filter(([path]) => path.endsWith(".jsonl"));
  expect(logs.length).toBeGreaterThan(1);
  for (const [, text] of logs) {
    expect(text.endsWith("\n")).toBe(true);
    for (const line of text.slice(0, -1).split("\n")) expect(typeof JSON.parse(line).type).toBe("string");
  }
});

test("what the manifest counts is what a plain reading counts", () => {
  for (const seed of [1, 2, 3]) {
    const { truth, files } = treeOf(seed, 1_500_000, seed === 3);
    expect(truth.files).toBe(files.size);
    for (const session of truth.sessions) expectTruth(files, session);
  }
});

test.each(VERSIONS)("a long session of %s has all that the manifest speaks of", (version) => {
  const storage = memoryStorage();
  const session = generateSession({ seed: 5, bytes: 4_000_000, version, storage });
  expectTruth(storage.files, session);
  for (const count of ["turns", "toolErrors", "thinking", "images", "compactions", "agents"] as const) {
    expect(session[count], count).toBeGreaterThan(0);
  }
  expect(session.branches).toBeGreaterThan(1);
});

test("planted words stand where the manifest says, and nowhere else", () => {
  const { truth, files } = treeOf(4, 3_000_000);
  const plants = truth.sessions.flatMap((session) => session.plants);
  expect(new Set(plants.map((plant) => plant.place)).size).toBe(6);
  expect(new Set(plants.map((plant) => plant.word)).size).toBe(plants.length);
  const lines = [...files]
    .filter(([path]) => path.endsWith(".jsonl"))
    .flatMap(([, text]) => text.split("\n"));
  for (const { word, uuid } of plants) {
    const found = lines.filter((line) => line.includes(word) && !line.startsWith('{"type":"last-prompt"'));
    expect(found.length, word).toBe(1);
    expect(found[0]).toContain(`"uuid":"${uuid}"`);
  }
});

test("trees and sessions are as large as wanted", () => {
  for (const bytes of [100_000, 1_000_000, 5_000_000]) {
    const { truth, files } = treeOf(1, bytes);
    expect(Math.abs(truth.bytes / bytes - 1)).toBeLessThan(0.03);
    const written = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(written).toBe(truth.bytes);
  }
  const session = generateSession({ seed: 1, records: 5000, textScale: 0.1, storage: memoryStorage() });
  expect(Math.abs(session.records / 5000 - 1)).toBeLessThan(0.01);
});

test("agents lie where each version puts them, and a folder holds what memory does", () => {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-generate-"));
  try {
    for (const version of VERSIONS) {
      const session = generateSession({
        seed: 9,
        bytes: 400_000,
        version,
        dir: join(dir, version),
        agents: 2,
      });
      const storage = memoryStorage();
      generateSession({ seed: 9, bytes: 400_000, version, storage, agents: 2 });
      const paths = [...storage.files.keys()];
      for (const path of paths)
        expect(readFileSync(join(dir, version, path), "utf8")).toBe(storage.files.get(path));
      expect(paths.filter((path) => path.endsWith(".meta.json")).length).toBe(
        version === "2.1.330" ? session.agents : 0,
      );
      const beside = readdirSync(join(dir, version, "projects", "-home-dev-ledger")).filter((name) =>
        name.startsWith("agent-"),
      );
      expect(beside.length).toBe(version === "2.0.76" ? session.agents : 0);
      expect(Math.round(statSync(join(dir, version, session.path)).mtimeMs)).toBe(session.lastActiveAtMs);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});
