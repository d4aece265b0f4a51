import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type GuestLibrary, openShares, shareBody } from "@/lib/testing/opened-shares";
import { type HitState, type SearchHit, TEXT_STATES } from "@/lib/wire/search";
import { sessionFilter } from "../match-session";

type Line = Record<string, unknown>;

const MAIN = `projects/-a/${uuid(1)}.jsonl`;
const PLAIN = `projects/-a/${uuid(2)}.jsonl`;
const AGENT = `projects/-a/${uuid(1)}/subagents/agent-x1.jsonl`;

const REFUSAL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

const on = (parentUuid: string | null, record: Record<string, unknown>) => ({ ...record, parentUuid });
const call = (id: string, name: string, input: object) => ({
  type: "assistant",
  uuid: `c-${id}`,
  message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
});
const result = (id: string, text: string, isError: boolean) => ({
  type: "user",
  uuid: `r-${id}`,
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: text, is_error: isError }],
  },
});
const compaction = (logicalParentUuid: string) => ({
  type: "system",
  subtype: "compact_boundary",
  uuid: "cb",
  parentUuid: null,
  logicalParentUuid,
  content: "Conversation compacted",
});

/** Two turns of which the second was rewound, a compaction, and one turn behind it. */
const LINES = [
  on(null, prompt("first walrus", { uuid: "p1" })),
  on("p1", call("t1", "Bash", { command: "walrus fails" })),
  on("c-t1", result("t1", "walrus failed", true)),
  on("r-t1", answer("stem walrus", { uuid: "a1" })),
  on("a1", prompt("left walrus", { uuid: "p2" })),
  on("p2", call("t2", "Agent", { description: "walrus", prompt: "look" })),
  on("c-t2", result("t2", "seen", false)),
  on("a1", prompt("other walrus", { uuid: "p3" })),
  on("p3", call("t3", "Bash", { command: "walrus denied" })),
  on("c-t3", result("t3", REFUSAL, true)),
  compaction("r-t3"),
  on("cb", prompt("after walrus", { uuid: "p4" })),
  on("p4", call("t4", "Bash", { command: "walrus unanswered" })),
];
const AGENTS = [
  { ...prompt("agent walrus", { uuid: "ag" }), parentUuid: null, isSidechain: true, agentId: "x1" },
];

/** A folder with that session, its agent and another session. */
function makeLogs(lines: Line[]): string {
  return makeTree({
    [MAIN]: lines,
    [AGENT]: AGENTS,
    [AGENT.replace(/jsonl$/, "meta.json")]: [{ agentType: "Explore", toolUseId: "t2" }],
    [PLAIN]: [on(null, prompt("plain walrus", { uuid: "q1" })), on("q1", answer("fine", { uuid: "q2" }))],
  });
}

async function openWorld(lines: Line[], isIndexed = true, path = makeLogs(lines)) {
  const world = await searchedLibrary(path, isIndexed);
  const all = async (q: string) => {
    const hits: SearchHit[] = [];
    const query = { q, project: null, session: null, cursor: null };
    for await (const event of world.search.events(query, new AbortController().signal))
      if (event.kind === "hits") hits.push(...event.hits);
    return hits.filter(({ field }) => field !== "meta");
  };
  const named = (hits: readonly SearchHit[]) =>
    hits.map(({ sessionId: session, recordId, block, field }) => ({ session, recordId, block, field }));
  /** The states of all finds, by the states that are told of them and by the filters. */
  const both = async (word: string) => {
    const hits = await all(word);
    const states = await world.search.states(named(hits));
    const told = hits.map(({ snippet, field }, nth) => `${field} ${snippet}: ${states[nth]?.join(" ")}`);
    const filtered = new Map<string, HitState[]>(hits.map((hit) => [keyOf(hit), []]));
    for (const state of TEXT_STATES)
      for (const hit of await all(`${word} is:${state}`)) filtered.get(keyOf(hit))?.push(state);
    return { told: told.sort(), byStates: states, byFilters: hits.map((hit) => filtered.get(keyOf(hit))) };
  };
  return { ...world, path, all, both, named };
}

function keyOf({ sessionId, recordId, block, field }: SearchHit): string {
  return `${sessionId} ${recordId}.${block} ${field}`;
}

it.each([
  ["warm", true],
  ["without an index", false],
])("texts are found by their state, and hits told the same: %s", async (_name, isIndexed) => {
  const { both, all } = await openWorld(LINES, isIndexed);
  const { told, byStates, byFilters } = await both("walrus");
  expect(told).toEqual([
    "input walrus denied: denied compacted",
    "input walrus fails: error compacted",
    "input walrus look: abandoned",
    "input walrus unanswered: running",
    "output walrus failed: error compacted",
    "prompt after walrus: ",
    "prompt agent walrus: abandoned",
    "prompt first walrus: compacted",
    "prompt left walrus: abandoned",
    "prompt other walrus: compacted",
    "prompt plain walrus: ",
    "text stem walrus: compacted",
  ]);
  expect(byStates).toEqual(byFilters);
  const snippets = (hits: SearchHit[]) => hits.map(({ snippet }) => snippet).sort();
  expect(snippets(await all("walrus in:prompt -is:abandoned -is:compacted"))).toEqual([
    "after walrus",
    "plain walrus",
  ]);
});

it("a rewind and a compaction that are written while the session runs count at once", async () => {
  const { both, path, catalog } = await openWorld(LINES.slice(0, 7));
  expect((await both("walrus")).told).toContain("prompt left walrus: ");
  appendFileSync(
    join(path, MAIN),
    LINES.slice(7)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  // Heard of, as from the watcher, but not scanned.
  await catalog.list();
  const grown = await both("walrus");
  expect(grown.told).toContain("prompt left walrus: abandoned");
  expect(grown.told).toContain("prompt first walrus: compacted");
  expect(grown.byStates).toEqual(grown.byFilters);
});

it("a guest finds the same in the copy that they read", async () => {
  const { shares } = await openShares(makeLogs(LINES));
  const { token } = await shares.create(shareBody());
  const copy = (await (await shares.guest(token))?.library()) as GuestLibrary;
  const { told, byStates, byFilters } = await (await openWorld(LINES, true, copy.logs)).both("walrus");
  const owners = await (await openWorld(LINES)).both("walrus");
  expect(told).toEqual(owners.told.filter((line) => !line.includes("plain")));
  expect(byStates).toEqual(byFilters);
});

it("the library lists the sessions that have such texts", async () => {
  const { catalog, scanner } = await openWorld(LINES);
  const listed = (q: string) => {
    const { keep } = sessionFilter({ catalog, scanner }, q);
    return catalog.summaries().flatMap((one) => (keep?.(one) ? [one.title] : []));
  };
  expect(listed("is:abandoned")).toEqual(["first walrus"]);
  expect(listed("is:compacted")).toEqual(["first walrus"]);
  expect(listed("-is:abandoned -is:compacted")).toEqual(["plain walrus"]);
});

it("a hit of a session that is gone, or was rewritten, is in no state", async () => {
  const { all, search, named, path, readOn } = await openWorld(LINES);
  const hits = named((await all("walrus")).filter(({ snippet }) => snippet === "left walrus"));
  expect(await search.states(hits)).toEqual([["abandoned"]]);
  writeFileSync(join(path, MAIN), `${JSON.stringify(on(null, prompt("anew", { uuid: "n1" })))}\n`);
  await readOn();
  expect(await search.states(hits)).toEqual([[]]);
  rmSync(join(path, MAIN));
  rmSync(join(path, AGENT));
  await readOn();
  expect(await search.states(hits)).toEqual([[]]);
});

it("texts of a session that ended with a question are told and found as unanswered", async () => {
  const end = on("p1", call("t9", "AskUserQuestion", { question: "which walrus" }));
  const { all, search, named } = await openWorld([on(null, prompt("first walrus", { uuid: "p1" })), end]);
  const hits = (await all("walrus")).filter(({ sessionId }) => sessionId.includes(uuid(1)));
  const states = await search.states(named(hits));
  const told = hits.map(({ snippet }, nth) => `${snippet}: ${states[nth]?.join(" ")}`);
  expect(told.filter((line) => !line.startsWith("agent")).sort()).toEqual([
    "first walrus: unanswered",
    "which walrus: running unanswered",
  ]);
  const found = await all("walrus is:unanswered");
  expect(new Set(found.map(({ snippet }) => snippet))).toEqual(new Set(hits.map(({ snippet }) => snippet)));
});
