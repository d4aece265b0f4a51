import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, prompt } from "@/lib/testing/log-tree";
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
