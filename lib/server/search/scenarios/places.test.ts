import { expect, it } from "vitest";
import { parseQuery } from "@/lib/query/parse-query";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import { ChunkIndex } from "../chunk-index";
import { checkRegex } from "../find-in-text";
import { runSearch } from "../search-run";
import { SearchListing } from "../sources";

async function openWorld(files: Parameters<typeof makeTree>[0]) {
  const world = await searchedLibrary(makeTree(files));
  const { search } = world;
  const all = async (q: string, session: string | null = null) => {
    const hits: SearchHit[] = [];
    const query = { q, project: null, session: session as SessionId | null, cursor: null };
    for await (const event of search.events(query, new AbortController().signal))
      if (event.kind === "hits") hits.push(...event.hits);
    return hits;
  };
  return { world, search, all };
}

let parent: string | null = null;
/** Lines that hang from each other; a call and its result by its id. */
function line(record: Record<string, unknown>): Record<string, unknown> {
  const linked = { ...record, parentUuid: parent, timestamp: "2026-01-02T03:04:05.000Z" };
  parent = String(record.uuid);
  return linked;
}
const call = (id: string, name: string, input: object) =>
  line({
    type: "assistant",
    uuid: `c-${id}`,
    message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  });
const result = (id: string, text: string, isError: boolean) =>
  line({
    type: "user",
    uuid: `r-${id}`,
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: text, is_error: isError }],
    },
  });

it("a hit has a turn, and a call with its state; an agent's hit has the turn that started the agent", async () => {
  parent = null;
  const main = [
    line(prompt("first walrus")),
    line(answer("answering walrus")),
    line(prompt("second walrus")),
    call("t1", "Bash", { command: "walrus now" }),
    result("t1", "walrus failed", true),
    call("t2", "Agent", { description: "look", prompt: "look", subagent_type: "Explore" }),
    result("t2", "walrus seen", false),
    line(prompt("third, with many")),
    call("t3", "Workflow", { script: "look" }),
    { ...result("t3", "Workflow launched in background.", false), toolUseResult: { runId: "wf_1" } },
  ];
  parent = null;
  const agent = [
    line({ ...prompt("look", { uuid: "ag-1" }), isSidechain: true, agentId: "a1" }),
    line({ ...answer("agent walrus"), uuid: "ag-2", isSidechain: true, agentId: "a1" }),
  ];
  parent = null;
  const ofRun = [
    line({ ...prompt("look", { uuid: "wf-1" }), isSidechain: true, agentId: "a2" }),
    line({ ...answer("one of many, a walrus"), uuid: "wf-2", isSidechain: true, agentId: "a2" }),
  ];
  const { all, search } = await openWorld({
    [`projects/-a/${uuid(1)}.jsonl`]: main,
    [`projects/-a/${uuid(1)}/subagents/workflows/wf_1/agent-a2.jsonl`]: ofRun,
    [`projects/-a/${uuid(1)}/subagents/agent-a1.jsonl`]: agent,
    [`projects/-a/${uuid(1)}/subagents/agent-a1.meta.json`]: [{ agentType: "Explore", toolUseId: "t2" }],
  });
  const hits = (await all("walrus")).filter(({ field }) => field !== "title" && field !== "meta");
  const places = await search.places(
    hits.map(({ sessionId, recordId, block }) => ({ session: sessionId, recordId, block })),
  );
  const told = hits.map(({ snippet }, at) => {
    const place = places[at];
    return `${snippet}: ${place?.turn} ${place?.tool ?? "-"} ${place?.state ?? "-"}`;
  });
  expect(told.sort()).toEqual([
    "agent walrus: 2 - -",
    "answering walrus: 1 - -",
    "first walrus: 1 - -",
    "one of many, a walrus: 3 - -",
    "second walrus: 2 - -",
    "walrus failed: 2 Bash error",
    "walrus now: 2 Bash error",
    "walrus seen: 2 Agent ok",
  ]);
  const gone = {
    session: hits[0]?.sessionId as SessionId,
    recordId: "m~zzz" as SearchHit["recordId"],
    block: 0,
  };
  expect(await search.places([gone, { ...gone, session: "nobody" as SessionId }])).toEqual([null, null]);
});

it("a hit on a branch that was left says which, and so does one of an agent that was started there", async () => {
  const on = (parentUuid: string | null, record: Record<string, unknown>) => ({ ...record, parentUuid });
  const use = { type: "tool_use", id: "t1", name: "Agent", input: { prompt: "look" } };
  const main = [
    on(null, prompt("stem walrus", { uuid: "p1" })),
    on("p1", answer("stem", { uuid: "a1" })),
    on("a1", prompt("left walrus", { uuid: "p2" })),
    on("p2", { type: "assistant", uuid: "a2", message: { id: "m2", role: "assistant", content: [use] } }),
    on("a1", prompt("active walrus", { uuid: "p3" })),
    on("p3", answer("done", { uuid: "a3" })),
  ];
  const agent = [
    { ...prompt("agent walrus", { uuid: "ag" }), parentUuid: null, isSidechain: true, agentId: "x1" },
  ];
  const { all, search } = await openWorld({
    [`projects/-a/${uuid(1)}.jsonl`]: main,
    [`projects/-a/${uuid(1)}/subagents/agent-x1.jsonl`]: agent,
    [`projects/-a/${uuid(1)}/subagents/agent-x1.meta.json`]: [{ agentType: "Explore", toolUseId: "t1" }],
  });
  const hits = (await all("walrus")).filter(({ field }) => field === "prompt");
  const places = await search.places(
    hits.map(({ sessionId, recordId, block }) => ({ session: sessionId, recordId, block })),
  );
  expect(
    hits.map(({ snippet }, at) => `${snippet}: ${places[at]?.turn} ${places[at]?.branch}`).sort(),
  ).toEqual(["active walrus: 2 null", "agent walrus: 2 1", "left walrus: 2 1", "stem walrus: 1 null"]);
});

it("filters alone give the hits of the newest session before others are looked through", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => {
      parent = null;
      const lines = [
        line(prompt(`go ${n}`)),
        call(`t${n}`, "Bash", { command: `run ${n}` }),
        result(`t${n}`, "no", true),
      ];
      return [`projects/-a/${uuid(n + 1)}.jsonl`, lines];
    }),
  );
  const { world } = await openWorld(files);
  const chunks = new ChunkIndex();
  expect(chunks.refresh(world.index.state.path)).toBe(true);
  let looked = 0;
  const steps = runSearch({
    query: parseQuery("in:input", { checkRegex }).query,
    sources: new SearchListing(world).now().sources.map((source) => ({
      ...source,
      get files() {
        looked += 1;
        return source.files;
      },
    })),
    chunks,
    calls: () => null,
    nowMs: 0,
  });
  // The progress counts what every session has at first.
  steps.next();
  looked = 0;
  const first = steps.next().value as { hits: SearchHit[] };
  expect(first.hits).toHaveLength(1);
  expect(looked).toBeLessThan(8);
  chunks.close();
});

it("a session's hits are known to the server, of every field that a detail shows", async () => {
  parent = null;
  const { search, all } = await openWorld({
    [`projects/-a/${uuid(1)}.jsonl`]: [
      line(prompt("walrus asked")),
      line(answer("walrus answered")),
      call("t1", "Bash", { command: "walrus" }),
      result("t1", "walrus", false),
    ],
  });
  const session = uuid(1) as SessionId;
  const { signal } = new AbortController();
  const id = (await all("walrus"))[0]?.sessionId ?? session;
  const count = async (detail: "prompts" | "conversation" | "tools") =>
    (await search.records({ q: "walrus", session: id, detail }, signal)).length;
  expect([await count("prompts"), await count("conversation"), await count("tools")]).toEqual([1, 2, 4]);
});

it("the last answer of a turn, which 2.1.29 writes into the log of its prediction of a prompt, is the thread's own", async () => {
  parent = null;
  const main = [line(prompt("first")), line(answer("begun"))];
  const last = line({ ...answer("in the end a walrus"), uuid: "last" });
  const predicted = [
    last,
    line({
      ...prompt("guess the walrus", { uuid: "p-1" }),
      isSidechain: true,
      agentId: "aprompt_suggestion-1",
    }),
    line({ ...answer("walrus next"), uuid: "p-2", isSidechain: true, agentId: "aprompt_suggestion-1" }),
  ];
  const id = uuid(1);
  const { all } = await openWorld({
    [`projects/-a/${id}.jsonl`]: [...main, { ...prompt("next", { uuid: "n" }), parentUuid: "last" }],
    [`projects/-a/${id}/subagents/agent-aprompt_suggestion-1.jsonl`]: predicted,
  });
  const agents = (hits: SearchHit[]) =>
    hits.flatMap(({ field, agentId, snippet }) => (field === "text" ? [`${snippet}: ${agentId}`] : []));
  expect(agents(await all("walrus")).sort()).toEqual([
    "in the end a walrus: null",
    "walrus next: aprompt_suggestion-1",
  ]);
  expect(agents(await all("walrus in:agent"))).toEqual(["walrus next: aprompt_suggestion-1"]);
});
