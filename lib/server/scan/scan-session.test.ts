import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionTable } from "@/lib/log/table/session-table";
import { makeTree, prompt, toText } from "@/lib/testing/log-tree";
import { type ScanFile, scanSession } from "./scan-session";

/** How often the keys of a session's files are looked at when it is read on, that many agents' among them. */
function looksAtKeys(agents: number): number {
  const names = Array.from({ length: agents }, (_, n) => `agent-${n}.jsonl`);
  const root = makeTree(Object.fromEntries(["main.jsonl", ...names].map((name) => [name, [prompt(name)]])));
  const files = ["main.jsonl", ...names].map((name): ScanFile => {
    const agentId = name === "main.jsonl" ? null : name;
    return { path: join(root, name), key: name, agentId };
  });
  const { table, files: read } = scanSession(root, files);
  let looks = 0;
  const watched = files.map((file) =>
    Object.defineProperty({ ...file }, "key", {
      get: () => {
        looks += 1;
        return file.key;
      },
    }),
  );
  expect(scanSession(root, watched, { from: { table, files: read, seen: read } }).continued).toBe(true);
  return looks;
}

test("a session of many agents is read on with a look at each of its files, not at all for each of them", () => {
  expect(looksAtKeys(80)).toBeLessThan(9 * looksAtKeys(10));
});

test("what a main log gains stands before its agents' lines, or behind them where they are wanted as they come", () => {
  const root = makeTree({ "main.jsonl": [prompt("first")], "agent-1.jsonl": [prompt("of an agent")] });
  const files = ["main.jsonl", "agent-1.jsonl"].map((name, number): ScanFile => {
    return { path: join(root, name), key: name, agentId: number === 0 ? null : "1" };
  });
  const before = scanSession(root, files);
  appendFileSync(join(root, "main.jsonl"), toText([prompt("second")]));
  const filesOfRecords = (asTheyCome: boolean) => {
    const from = { table: new SessionTable(before.table.toData()), files: before.files };
    const { table, continued } = scanSession(root, files, { from, asTheyCome });
    expect(continued).toBe(true);
    return Array.from({ length: table.records.size }, (_, record) => table.records.file.at(record));
  };
  expect(filesOfRecords(false)).toEqual([0, 0, 1]);
  expect(filesOfRecords(true)).toEqual([0, 1, 0]);
});
