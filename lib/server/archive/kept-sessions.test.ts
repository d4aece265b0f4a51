import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { keptSessions } from "./kept-sessions";
import type { KeptFile } from "./manifest";

/** The sessions of the files kept at these paths of a root, a line each: its place, its files below it, or their paths. */
function told(
  names: string[],
  { root = makeTree({}), namedIn = {} }: { root?: string; namedIn?: Record<string, string> } = {},
): string[] {
  const kept = names.map((name, at): KeptFile => {
    const kind = name.endsWith(".jsonl") ? "log" : "file";
    return { path: join(root, name), root, kind, bytes: 10, mtimeMs: at } as KeptFile;
  });
  const nameOf = ({ path }: KeptFile) => path.slice(root.length + 1).replaceAll("\\", "/");
  return keptSessions(kept, (file) => namedIn[nameOf(file)] ?? null).map(
    ({ place, project, files, bytes, isGone }) => {
      const own = nameOf({ path: place } as KeptFile);
      const below = files.map((file) => nameOf(file).replace(own, ""));
      return `${own} of ${project}${isGone ? ", gone" : ""}: ${below.join(" ")} (${bytes})`;
    },
  );
}

const [ONE, TWO] = [uuid(1), uuid(2)];

test("files belong to the session in whose folder they are, or whose id is in their names", () => {
  expect(
    told([
      `projects/-shop/${ONE}.jsonl`,
      `projects/-shop/${ONE}/subagents/agent-a1.jsonl`,
      `projects/-shop/${ONE}/subagents/workflows/w1/agent-a2.jsonl`,
      `projects/-shop/${ONE}/tool-results/t1.txt`,
      `todos/${ONE}-agent-${ONE}.json`,
      `file-history/${TWO}/f1@v1`,
      "projects/-shop/memory/notes.md",
      "history.jsonl",
    ]),
  ).toEqual([
    `projects/-shop/${ONE} of -shop, gone: .jsonl /subagents/agent-a1.jsonl /subagents/workflows/w1/agent-a2.jsonl /tool-results/t1.txt todos/${ONE}-agent-${ONE}.json (50)`,
  ]);
});

test("a log that somebody has named is a session with its folder, also where a folder above is called like one's", () => {
  expect(
    told([
      "projects/-shop/a-good-one.jsonl",
      "projects/-shop/a-good-one/subagents/agent-a1.jsonl",
      `workflows/projects/-shop/${ONE}/subagents/agent-a2.jsonl`,
    ]),
  ).toEqual([
    `workflows/projects/-shop/${ONE} of -shop, gone: /subagents/agent-a2.jsonl (10)`,
    "projects/-shop/a-good-one of -shop, gone: .jsonl /subagents/agent-a1.jsonl (20)",
  ]);
});

test("an agent's log beside its session's is of the one that its lines name, where that is kept (up to 2.0.76)", () => {
  const names = [`${ONE}.jsonl`, "agent-a1.jsonl", "agent-a2.jsonl", "agent-a3.jsonl"].map(
    (name) => `projects/-shop/${name}`,
  );
  const namedIn = { [names[1] as string]: ONE, [names[2] as string]: TWO };
  expect(told(names, { namedIn })).toEqual([
    "projects/-shop/agent-a3 of -shop, gone: .jsonl (10)",
    "projects/-shop/agent-a2 of -shop, gone: .jsonl (10)",
    `projects/-shop/${ONE} of -shop, gone: .jsonl projects/-shop/agent-a1.jsonl (20)`,
  ]);
});

test("a session is not gone as long as one of its logs is on disk, and none without a log", () => {
  const root = makeTree({ "projects/-shop/other.jsonl": [], [`projects/-shop/${ONE}.jsonl`]: [] });
  const names = [`projects/-shop/${ONE}.jsonl`, `projects/-shop/${ONE}/subagents/agent-a1.jsonl`];
  expect(told(names, { root })).toEqual([
    `projects/-shop/${ONE} of -shop: .jsonl /subagents/agent-a1.jsonl (20)`,
  ]);
  // What is right below the root is of no project.
  writeFileSync(join(root, `${TWO}.jsonl`), "");
  expect(told([`${TWO}.jsonl`, `projects/-shop/${ONE}/tool-results/t1.txt`], { root })).toEqual([
    `${TWO} of null: .jsonl (10)`,
  ]);
});
