import { expect, it } from "vitest";
import { formatFilter } from "@/lib/query/write-query";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { sessionFilter } from "../match-session";

/** What logs may name a tool, a type of agent, a branch or a model, and what could be read as something else. */
const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  'my "own" one',
  "C:\\a b",
  "fix(ui)",
  "-x",
  "/re/",
  "OR",
  "é",
  " ",
  "\u200b",
];

const MAIN = (n: number) => `projects/-a/${uuid(n)}.jsonl`;

/** A session in which everything that a query can name has this name. */
function session(n: number, name: string) {
  const call = (id: string, tool: string, input: object) => ({
    type: "assistant",
    uuid: `c-${id}`,
    parentUuid: "p",
    timestamp: "2026-01-02T03:04:06.000Z",
    message: {
      id: `m-${id}`,
      role: "assistant",
      model: name,
      content: [{ type: "tool_use", id, name: tool, input }],
    },
  });
  return {
    [MAIN(n)]: [
      prompt("walrus", { uuid: "p", parentUuid: null, gitBranch: name }),
      call(`t-${n}`, name, { command: "walrus" }),
      call(`g-${n}`, "Agent", { description: "walrus", prompt: "look", subagent_type: name }),
    ],
    [`projects/-a/${uuid(n)}/subagents/agent-a${n}.jsonl`]: [
      { ...prompt("walrus", { uuid: "ag" }), parentUuid: null, isSidechain: true, agentId: `a${n}` },
      { ...answer("walrus of an agent"), parentUuid: "ag", isSidechain: true, agentId: `a${n}` },
    ],
    [`projects/-a/${uuid(n)}/subagents/agent-a${n}.meta.json`]: [{ agentType: name, toolUseId: `g-${n}` }],
  };
}

it.each(["tool", "agent", "branch", "model"] as const)(
  "%s: finds whatever name a log has",
  async (filter) => {
    const tree = Object.assign({}, ...NAMES.map((name, n) => session(n, name)));
    const { catalog, scanner, search } = await searchedLibrary(makeTree(tree));
    const missed: string[] = [];
    for (const [n, name] of NAMES.entries()) {
      const q = formatFilter(filter, name);
      const page = await search.page({
        ...{ q: `walrus ${q}`, project: null, session: null },
        ...{ limit: 500, cursor: null },
      });
      const { keep } = sessionFilter({ catalog, scanner }, q);
      const isOwn = ({ id }: { id: string }) => id.includes(uuid(n));
      if (!page.hits.some(({ sessionId }) => isOwn({ id: sessionId }))) missed.push(`search ${q}`);
      if (!catalog.summaries().some((one) => isOwn(one) && keep?.(one))) missed.push(`library ${q}`);
    }
    expect(missed).toEqual([]);
  },
);
