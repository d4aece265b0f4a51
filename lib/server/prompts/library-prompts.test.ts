import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { factNames, shareOf } from "@/lib/log/graph/session-share";
import type { Scanner } from "@/lib/server/index/scanner";
import { LibraryTotals } from "@/lib/server/library/library-totals";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scanSession } from "@/lib/server/scan/scan-session";
import { openForLook } from "@/lib/server/session/open-for-look";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { sharedRecording } from "@/lib/testing/recorded";
import { openFolder } from "@/lib/testing/transcript";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { PromptsResponse } from "@/lib/wire/search";
import { LibraryPrompts } from "./library-prompts";
import { listPrompts } from "./list-prompts";

const ALL = {
  q: "",
  project: null,
  fromMs: null,
  toMs: null,
  zone: null,
  limit: 1000,
  cursor: null,
  sort: "recent",
} as const;
const COSTLIEST = {
  project: null,
  fromMs: null,
  toMs: null,
  agents: true,
  sort: "cost",
  limit: 100,
} as const;
const OPUS = "claude-opus-4-5-20251101";
const SHOP = "projects/-home-dev-shop";

/** The prompts of a folder of logs, all of which have been read. */
async function promptsOf(path: string) {
  const folder = await openFolder(path);
  const { catalog } = folder;
  const totals = new LibraryTotals();
  const read = async () => {
    for (const { id } of catalog.summaries()) {
      const { root, files, logs } = await scanRequest(catalog.sessionFiles(id));
      const { table } = scanSession(root, files);
      const graph = buildGraph(table, logs);
      totals.put(id, shareOf(table, graph), factNames(table, graph));
    }
  };
  await read();
  const scanner = { totals, facets: () => null } as unknown as Scanner;
  const reads: SessionId[] = [];
  const prompts = new LibraryPrompts({ catalog, scanner }, [{ kind: "config", path }], (task) => {
    reads.push(task.files.id);
    return listPrompts(openForLook(task));
  });
  const whole = async (asked: Partial<Parameters<typeof prompts.list>[0]> = {}): Promise<PromptsResponse> => {
    for (;;) {
      const list = await prompts.list({ ...ALL, ...asked });
      if (list.complete) return list;
    }
  };
  const costliest = async (asked: Partial<Parameters<typeof prompts.costliest>[0]> = {}) => {
    for (;;) {
      const list = await prompts.costliest({ ...COSTLIEST, ...asked });
      if (list.complete) return list;
    }
  };
  return { catalog, prompts, whole, costliest, reads, read };
}

const at = (minute: number) =>
  new Date(Date.parse("2026-03-02T09:00:00.000Z") + minute * 60_000).toISOString();

/** A prompt and its answer. */
function turn(words: string, minute: number, tokens = 0, parent: string | null = null, name = words) {
  const asked = prompt(words, { uuid: `u ${name}`, parentUuid: parent, timestamp: at(minute) });
  const said = answer(`of ${name}`, {
    uuid: `a ${name}`,
    parentUuid: `u ${name}`,
    timestamp: at(minute + 1),
  });
  const usage = { input_tokens: 0, output_tokens: tokens };
  return [asked, { ...said, message: { ...(said.message as object), model: OPUS, usage } }];
}

const history = (words: string, minute: number, more: object = {}) => ({
  display: words,
  pastedContents: {},
  timestamp: Date.parse(at(minute)),
  project: "/home/dev/shop",
  sessionId: uuid(1),
  ...more,
});

function tree(): string {
  const first = [...turn("Run the tests", 0, 10), ...turn("Explain the cart", 10, 500, "a Run the tests")];
  return makeTree({
    [`${SHOP}/${uuid(1)}.jsonl`]: first,
    // A fork: what it copied is no use of its own.
    [`${SHOP}/${uuid(2)}.jsonl`]: [
      ...first,
      ...turn("run  the TESTS", 30, 20, "a Explain the cart", "again"),
    ],
    "history.jsonl": [
      history("Run the tests", 0),
      history("Run the tests", -600, { sessionId: uuid(9) }),
      history("Look at [Pasted text #1 +2 lines] please", -500, {
        sessionId: uuid(9),
        pastedContents: { 1: { id: 1, type: "text", content: "the walrus\nlog" } },
      }),
      history("/clear", -450, { sessionId: uuid(9) }),
      history("!ls", -440, { sessionId: uuid(9) }),
      "{ torn",
      { display: 7 },
    ],
  });
}

const told = ({ prompts }: PromptsResponse) =>
  prompts.map(
    ({ text, uses, sessions, gone }) => `${uses} × ${text.replaceAll("\n", "⏎")} (${sessions}, gone ${gone})`,
  );

test("a prompt used several times is one, with its uses in sessions and in logs that are gone", async () => {
  const { whole, prompts } = await promptsOf(tree());
  const list = await whole();
  expect(told(list)).toEqual([
    "3 × run  the TESTS (2, gone 1)",
    "1 × Explain the cart (1, gone 0)",
    "1 × Look at the walrus⏎log please (0, gone 1)",
  ]);
  expect(list).toMatchObject({ total: 3, uses: 5, sessions: { done: 2, total: 2 } });
  expect(told(await whole({ sort: "uses" }))[0]).toContain("3 × run");
  const { uses, text, total } = await prompts.uses(list.prompts[0]?.id ?? "", ALL);
  expect(text).toBe("run  the TESTS");
  expect(total).toBe(3);
  expect(
    uses.map(({ sessionId, recordId, title, projectPath }) => [
      sessionId === null ? null : sessionId.slice(-1),
      recordId === null,
      title === null,
      projectPath,
    ]),
  ).toEqual([
    [uuid(2).slice(-1), false, false, "/home/dev/shop"],
    [uuid(1).slice(-1), false, false, "/home/dev/shop"],
    [null, true, true, "/home/dev/shop"],
  ]);
});

test("words, dates and projects narrow both kinds, and a mistake in the words is told", async () => {
  const { whole, catalog } = await promptsOf(tree());
  expect(told(await whole({ q: "walrus" }))).toEqual(["1 × Look at the walrus⏎log please (0, gone 1)"]);
  expect(told(await whole({ q: "-walrus cart" }))).toEqual(["1 × Explain the cart (1, gone 0)"]);
  expect(told(await whole({ q: "tests before:2026-03-02T08:00" }))).toEqual([
    "1 × Run the tests (0, gone 1)",
  ]);
  expect(told(await whole({ q: "project:shop tests" }))).toEqual(["3 × run  the TESTS (2, gone 1)"]);
  const shop = catalog.projects()[0]?.id as ProjectId;
  expect((await whole({ project: shop })).total).toBe(3);
  expect((await whole({ q: "model:opus walrus" })).total).toBe(0);
  expect((await whole({ q: "is:nonsense" })).problems).toHaveLength(1);
  // Of a range, the uses in it: the end is not.
  const until = Date.parse(at(30));
  expect(told(await whole({ fromMs: Date.parse(at(0)), toMs: until }))).toEqual([
    "1 × Explain the cart (1, gone 0)",
    "1 × Run the tests (1, gone 0)",
  ]);
  expect(told(await whole({ fromMs: until }))).toEqual(["1 × run  the TESTS (1, gone 0)"]);
});

test("pages go on where the last one ended, and a cursor of nobody’s is refused", async () => {
  const { whole, prompts } = await promptsOf(tree());
  const all = await whole();
  const seen: string[] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const page = await prompts.list({ ...ALL, limit: 1, cursor });
    seen.push(...page.prompts.map(({ id }) => id));
    cursor = page.nextCursor;
    more = cursor !== null;
  }
  expect(seen).toEqual(all.prompts.map(({ id }) => id));
  const [first] = all.prompts;
  const one = await prompts.uses(first?.id ?? "", { ...ALL, limit: 2 });
  const two = await prompts.uses(first?.id ?? "", { ...ALL, limit: 2, cursor: one.nextCursor });
  expect([one.uses.length, two.uses.length, two.nextCursor]).toEqual([2, 1, null]);
  await expect(prompts.list({ ...ALL, cursor: "nonsense" })).rejects.toMatchObject({ code: "bad-cursor" });
});

test("a session that grows is looked through again, the others are not", async () => {
  const path = tree();
  const { whole, reads, catalog, read } = await promptsOf(path);
  await whole();
  expect(reads).toHaveLength(2);
  const lines = turn("Something new", 60, 5, "a Explain the cart");
  appendFileSync(
    join(path, SHOP, `${uuid(1)}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  await catalog.list();
  await read();
  expect(told(await whole())[0]).toContain("Something new");
  expect(reads).toHaveLength(3);
});

test("the costliest prompts are ordered by what came of them, a copied one once", async () => {
  const { costliest } = await promptsOf(tree());
  const list = await costliest();
  expect(
    list.prompts.map(({ prompt: text, output, sessionId }) => [text, output, sessionId.slice(-1)]),
  ).toEqual([
    ["Explain the cart", 500, uuid(1).slice(-1)],
    ["run the TESTS", 20, uuid(2).slice(-1)],
    ["Run the tests", 10, uuid(1).slice(-1)],
  ]);
  expect(list.totals).toMatchObject({ prompts: 3, tokens: 530 });
  expect(list.totals.costMicroUsd).toBe(530 * 25);
  expect(list.prompts.map(({ durationMs }) => durationMs)).toEqual([60_000, 60_000, 60_000]);
  const latest = await costliest({ sort: "time", limit: 1 });
  expect(latest.prompts.map(({ prompt: text }) => text)).toEqual(["run the TESTS"]);
  expect(latest.total).toBe(3);
  const early = await costliest({ toMs: Date.parse(at(5)) });
  expect(early.prompts.map(({ prompt: text }) => text)).toEqual(["Run the tests"]);
});

test("what each prompt of a recorded session used is all that its threads used", async () => {
  const { catalog, costliest } = await promptsOf(sharedRecording("2.1.330").claudeDir);
  const { prompts } = await costliest({ limit: 1000 });
  const own = await costliest({ limit: 1000, agents: false });
  expect(prompts.length).toBeGreaterThan(50);
  const withAgents = prompts.filter(({ agentsMicroUsd }) => (agentsMicroUsd ?? 0) > 0);
  expect(withAgents.length).toBeGreaterThan(3);
  const sum = (list: typeof prompts) => list.reduce((all, { costMicroUsd }) => all + (costMicroUsd ?? 0), 0);
  const agents = prompts.reduce((all, { agentsMicroUsd }) => all + (agentsMicroUsd ?? 0), 0);
  expect(sum(own.prompts) + agents).toBe(sum(prompts));
  expect(new Set(prompts.map(({ sessionId }) => sessionId)).size).toBeLessThanOrEqual(
    catalog.summaries().length,
  );
});
