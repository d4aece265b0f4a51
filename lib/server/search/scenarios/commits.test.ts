import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { sessionFilter } from "@/lib/server/search/match-session";
import { makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { fixtureFolder } from "@/lib/testing/recorded";
import { idOf, type OpenFolder, openFolder, settled } from "@/lib/testing/transcript";

type Line = Record<string, unknown>;

let seconds = 0;
const timestamp = () => new Date(Date.UTC(2026, 0, 2, 3, 4, ++seconds)).toISOString();

/** A call of a shell and what it printed. */
function shell(id: string, command: string, output: string, more: Line = {}): Line[] {
  const use = { type: "tool_use", id, name: "Bash", input: { command } };
  const result = { type: "tool_result", tool_use_id: id, content: output };
  return [
    {
      type: "assistant",
      uuid: `c-${id}`,
      timestamp: timestamp(),
      message: { id: `m-${id}`, content: [use] },
      ...more,
    },
    {
      type: "user",
      uuid: `r-${id}`,
      timestamp: timestamp(),
      message: { role: "user", content: [result] },
      ...more,
    },
  ];
}

/** Lines that hang from one another. */
const chain = (lines: readonly Line[]): Line[] =>
  lines.map((line, index) => ({ parentUuid: index === 0 ? null : lines[index - 1]?.uuid, ...line }));

const FOLDER = "projects/-home-dev-shop";
const URL = "https://github.com/dev/shop/pull/12";

function lines(): { main: Line[]; agent: Line[] } {
  const task = { type: "tool_use", id: "t1", name: "Agent", input: { prompt: "go", description: "go" } };
  const main = chain([
    prompt("fix it", { timestamp: timestamp() }),
    ...shell("b1", 'git commit -m "Fix it"', "[fix 1a2b3c4] Fix it\n 1 file changed"),
    ...shell("b2", "git log --oneline", "9999999 Something older"),
    prompt("now publish it", { timestamp: timestamp() }),
    { type: "assistant", uuid: "c-t1", timestamp: timestamp(), message: { id: "m-t1", content: [task] } },
    { type: "pr-link", prNumber: 12, prUrl: URL, prRepository: "dev/shop", timestamp: timestamp() },
  ]);
  const inAgent = { isSidechain: true, agentId: "a1", sessionId: uuid(1) };
  const agent = chain([
    {
      type: "user",
      uuid: "g0",
      timestamp: timestamp(),
      message: { role: "user", content: "go" },
      ...inAgent,
    },
    ...shell("b3", "git push", "   0000000..1a2b3c4d5  fix -> fix", inAgent),
    ...shell("b4", "gh pr create --fill", URL, inAgent),
  ]);
  return { main, agent };
}

function tree(): string {
  const { main, agent } = lines();
  const end = {
    type: "user",
    uuid: "r-t1",
    parentUuid: "c-t1",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "done" }] },
    toolUseResult: { status: "completed", agentId: "a1" },
  };
  return makeTree({
    [`${FOLDER}/${uuid(1)}.jsonl`]: [...main, end],
    [`${FOLDER}/${uuid(1)}/subagents/agent-a1.jsonl`]: agent,
    [`${FOLDER}/${uuid(2)}.jsonl`]: chain([
      prompt("look at it", { timestamp: timestamp() }),
      ...shell("z1", "git show 1a2b3c4", "commit 1a2b3c4\n\n    Fix it"),
      ...shell("z2", "cat notes", "[fix 5555555] Not of this session"),
    ]),
  });
}

async function commitsOf(folder: OpenFolder, session: string): Promise<string[]> {
  const { commits, pullRequests } = await settled(() => folder.sessions.commits(idOf(folder, session)));
  return [
    ...commits.map(
      ({ hash, how, ref, pushedTo, turn, agentId, subject }) =>
        `${how} ${hash} on ${ref ?? "–"} “${subject ?? "–"}”, turn ${turn}${agentId ? ` by ${agentId}` : ""}${pushedTo ? `, pushed to ${pushedTo}` : ""}`,
    ),
    ...pullRequests.map(
      ({ number, repository, turn, agentId }) =>
        `#${number} of ${repository}, turn ${turn}${agentId ? ` by ${agentId}` : ""}`,
    ),
  ];
}

test("a session's commits are those that its own commands printed, each with its turn", async () => {
  const folder = await openFolder(tree());
  expect(await commitsOf(folder, uuid(1))).toEqual([
    "made 1a2b3c4d5 on fix “Fix it”, turn 1, pushed to fix",
    "#12 of dev/shop, turn 2 by a1",
  ]);
  expect(await commitsOf(folder, uuid(2))).toEqual([]);
});

test("a commit is found behind a file that the same command writes", async () => {
  const written = `cat > notes.md <<'EOF'\n${"a line of the notes, about git\n".repeat(400)}EOF`;
  const root = makeTree({
    [`${FOLDER}/${uuid(1)}.jsonl`]: chain([
      prompt("note it", { timestamp: timestamp() }),
      ...shell("b1", `${written}\ngit add -A && git commit -m "Notes"`, "[main 1a2b3c4] Notes"),
    ]),
  });
  const folder = await openFolder(root);
  expect(await commitsOf(folder, uuid(1))).toEqual(["made 1a2b3c4 on main “Notes”, turn 1"]);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  await scanner.run();
  expect(finderOf(folder, scanner)("commit:1a2b3c4")).toEqual(["note it"]);
});

test("a commit of an agent is listed where it was made, even if the main thread pushed it", async () => {
  const call = { type: "tool_use", id: "t1", name: "Agent", input: { prompt: "go", description: "go" } };
  const task = { type: "assistant", uuid: "c-t1", message: { id: "m-t1", content: [call] } };
  const start = [prompt("fix it", { timestamp: timestamp() }), { ...task, timestamp: timestamp() }];
  const inAgent = { isSidechain: true, agentId: "a1", sessionId: uuid(1) };
  const agent = chain([
    prompt("go", { uuid: "g0", timestamp: timestamp(), ...inAgent }),
    ...shell("b1", 'git commit -m "Fix it"', "[fix 1a2b3c4] Fix it\n 1 file changed", inAgent),
  ]);
  const main = chain([...start, ...shell("b2", "git push", "   0000000..1a2b3c4  fix -> fix")]);
  const folder = await openFolder(
    makeTree({
      [`${FOLDER}/${uuid(1)}.jsonl`]: main,
      [`${FOLDER}/${uuid(1)}/subagents/agent-a1.jsonl`]: agent,
      [`${FOLDER}/${uuid(1)}/subagents/agent-a1.meta.json`]: ['{"agentType":"x","toolUseId":"t1"}'],
    }),
  );
  expect(await commitsOf(folder, uuid(1))).toEqual([
    "made 1a2b3c4 on fix “Fix it”, turn 1 by a1, pushed to fix",
  ]);
});

test("a pull request that only the client links is listed (older)", async () => {
  const folder = await openFolder(fixtureFolder("older"));
  expect(await commitsOf(folder, "0a000000-0000-4000-8000-00000000aaa1")).toEqual([
    "#3 of dev/widgets, turn 1",
  ]);
});

/** The sessions that a query of the library leaves. */
function finderOf({ catalog }: OpenFolder, scanner: Scanner): (q: string) => string[] {
  return (q) => {
    const { keep, problems } = sessionFilter({ catalog, scanner }, q);
    if (problems().length > 0) return problems().map(({ message }) => message);
    return catalog
      .summaries()
      .filter((one) => keep?.(one) ?? true)
      .map(({ title }) => title);
  };
}

test("commit: and pr: find the session, also where the result comes after the call has been indexed", async () => {
  const root = tree();
  const folder = await openFolder(root);
  const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
  await scanner.run();
  const found = finderOf(folder, scanner);
  for (const q of [
    "commit:1a2b3c4",
    "commit:1A2B",
    "commit:1a2b3c4d5e6f",
    "pr:12",
    "pr:#12",
    "pr:dev/shop#12",
    `pr:"${URL}"`,
  ])
    expect(found(q), q).toEqual(["fix it"]);
  for (const q of [
    ...["commit:9999999", "commit:5555555", "pr:1", "pr:dev/other"],
    // A number is one, not the beginning of another.
    ...["pr:dev/shop#1", "pr:https://github.com/dev/shop/pull/1"],
  ])
    expect(found(q), q).toEqual([]);
  expect(found("-commit:1a2b3c4")).toEqual(["look at it"]);
  expect(found("commit:xyz")).toEqual([expect.stringContaining("hash")]);

  const [use = {}, result = {}] = shell(
    "z3",
    "git commit -qam 'Later' && git rev-parse HEAD",
    "abcdef0".repeat(5) + "abcde",
  );
  const log = join(root, FOLDER, `${uuid(2)}.jsonl`);
  appendFileSync(log, toText([{ ...use, parentUuid: "r-z2" }]));
  await folder.catalog.list();
  await scanner.run();
  expect(found("commit:abcdef0")).toEqual([]);
  appendFileSync(log, toText([{ ...result, parentUuid: "c-z3" }]));
  await folder.catalog.list();
  await scanner.run();
  expect(found("commit:abcdef0")).toEqual(["look at it"]);
});
