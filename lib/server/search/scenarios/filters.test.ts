import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { openSearch, type Search } from "@/lib/server/search/search";
import { fixtureFolder } from "@/lib/testing/recorded";
import { type SearchHit, TEXT_STATES } from "@/lib/wire/search";

const FIXTURES = realpathSync(fixtureFolder());
const VERSIONS = readdirSync(FIXTURES).filter((name) => /^\d/.test(name));

type Block = {
  type: string;
  name?: string;
  id?: string;
  thinking?: string;
  tool_use_id?: string;
  is_error?: boolean;
  content?: unknown;
};
type Line = { type?: string; message?: { content?: unknown } };

/** How every version begins the result of a call that a person refused. */
const REFUSED = /^The user doesn't want to (?:proceed with|take) this (?:tool use|action)/;

/** What filters find, next to what the lines themselves say. */
describe.each(VERSIONS)("filters over the recording of %s", (version) => {
  let blocks: Block[] = [];
  let found: (q: string) => Promise<SearchHit[]>;
  let states: Search["states"];

  beforeAll(async () => {
    const catalog = new Catalog([{ path: join(FIXTURES, version), kind: "config" }]);
    await catalog.list();
    const index = openLibraryIndex(null);
    const scanner = new Scanner(catalog, index, new RequestActivity());
    await scanner.run();
    const search = openSearch({ catalog, scanner, index });
    states = (hits) => search.states(hits);
    found = async (q) => {
      const hits: SearchHit[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const request = { q, project: null, session: null, limit: 500, cursor: cursor ?? null };
        const page = await search.page(request);
        hits.push(...page.hits);
        cursor = page.nextCursor;
      }
      return hits;
    };
    const logs = catalog.summaries().flatMap(({ id }) => {
      const { main, agents } = catalog.sessionFiles(id);
      return [main, ...agents].map(({ path }) => readFileSync(path, "utf8"));
    });
    blocks = logs.flatMap((text) => text.split("\n").flatMap(blocksOf));
  });

  it("tool: finds every call of a tool", async () => {
    const calls = blocks.filter(({ type }) => type === "tool_use");
    expect(calls.length).toBeGreaterThan(0);
    for (const name of new Set(calls.map((call) => call.name ?? ""))) {
      const said = calls.filter((call) => call.name === name).length;
      expect([name, (await found(`tool:${name} in:input`)).length]).toEqual([name, said]);
    }
  });

  it("in: finds every thought", async () => {
    const said = blocks.filter(({ type, thinking }) => type === "thinking" && thinking);
    expect((await found("in:thinking")).length).toBe(said.length);
  });

  it("is:error or is:denied finds the call of every result that failed, never both", async () => {
    const failed = new Set(blocks.filter((block) => block.is_error).map((block) => block.tool_use_id));
    const calls = blocks.filter(({ type, id }) => type === "tool_use" && failed.has(id));
    const errors = await found("is:error in:input");
    const denied = await found("is:denied in:input");
    expect(errors.length + denied.length).toBeGreaterThanOrEqual(calls.length);
    const placeOf = ({ sessionId, recordId, block }: SearchHit) => `${sessionId} ${recordId}.${block}`;
    const places = [...errors, ...denied].map(placeOf);
    expect(new Set(places).size).toBe(places.length);
    const refused = blocks.filter(({ content }) => typeof content === "string" && REFUSED.test(content));
    expect(denied.length).toBeGreaterThanOrEqual(refused.length);
  });

  it("is: finds exactly the texts that are told to be in the state", async () => {
    const placeOf = ({ sessionId, recordId, block, field }: SearchHit) =>
      `${sessionId} ${recordId}.${block} ${field}`;
    const hits = await found("e");
    const named = hits.map(({ sessionId: session, recordId, block, field }) => {
      return { session, recordId, block, field };
    });
    const told = await states(named);
    for (const state of TEXT_STATES) {
      const inState = hits.filter((_hit, nth) => told[nth]?.includes(state)).map(placeOf);
      expect([state, (await found(`e is:${state}`)).map(placeOf).sort()]).toEqual([state, inState.sort()]);
    }
  });

  it("agent: finds agents' texts and nobody else's", async () => {
    const inAgents = await found("in:agent");
    const types = ["general-purpose", "Explore"];
    const hits = (await Promise.all(types.map((type) => found(`agent:${type}`)))).flat();
    expect(hits.every(({ agentId }) => agentId !== null)).toBe(true);
    // Warm-ups and the client's own errands have no type.
    expect(hits.length).toBeLessThanOrEqual(inAgents.length);
    expect(hits.length > 0).toBe(blocks.some(({ type, name }) => type === "tool_use" && isAgentCall(name)));
  });
});

function isAgentCall(name: string | undefined): boolean {
  return name === "Task" || name === "Agent";
}

function blocksOf(line: string): Block[] {
  if (line === "") return [];
  let parsed: Line;
  try {
    parsed = JSON.parse(line) as Line;
  } catch {
    return []; // a recording's torn line
  }
  const content = parsed.type === "user" || parsed.type === "assistant" ? parsed.message?.content : null;
  return Array.isArray(content) ? (content as Block[]) : [];
}
