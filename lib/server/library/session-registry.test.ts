import { expect, test } from "vitest";
import type { FolderSource } from "./find-folders";
import { noFacts } from "./log-facts";
import type { SessionDraft } from "./session-draft";
import { SessionRegistry } from "./session-registry";

const FOLDER = "C:\\Users\\dev\\.claude\\projects\\C--shop";

const SOURCE: FolderSource = {
  path: FOLDER,
  root: FOLDER,
  configRoot: null,
  slug: "C--shop",
  kind: "config",
  extent: "all",
  only: null,
};

function draft(stem: string, ino: number): SessionDraft {
  const name = `${stem}.jsonl`;
  const main = { path: `${FOLDER}\\${name}`, name, key: "m", bytes: 1, dev: 7, ino, mtimeMs: 1 };
  return {
    ...{ root: FOLDER, stem, main, agents: [], folder: null, facts: noFacts(), problem: null },
    ...{ path: "C:\\shop", pathGuessed: false, summaryTitle: null },
  };
}

/** The logs that are listed as sessions, of two with these numbers. */
function listed(one: number, other: number): string[] {
  const registry = new SessionRegistry();
  for (const session of [draft("one", one), draft("other", other)]) registry.put(SOURCE, session);
  return registry.entries().map(({ draft: { stem } }) => stem);
}

test("a log that is reached by two paths is one session", () => {
  expect(listed(5_066_549_581_028_165, 5_066_549_581_028_165)).toEqual(["one"]);
});

test("logs that the system cannot distinguish are a session each", () => {
  expect(listed(0, 0)).toEqual(["one", "other"]);
  // Two neighbours on NTFS, as a number holds them.
  const [one, other] = [0x0040_0000_0001_2344n, 0x0040_0000_0001_2345n].map(Number) as [number, number];
  expect(one).toBe(other);
  expect(listed(one, other)).toEqual(["one", "other"]);
});
