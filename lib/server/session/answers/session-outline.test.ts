import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { READINGS } from "@/lib/testing/readings";
import { type Recording, sharedRecording } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { detailOf, idOf, type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { ErrorsQuery } from "@/lib/wire/requests/threads";
import { errorsOf as errorsIn } from "./session-outline";

/** 1.0.128: rewound to before an edit; what failed is on the branch that went on. */
const REWOUND = "c5797ef5-4f60-4a9f-8ad4-61fc8e9654bb";
/** 1.0.128: three agents, in one of which a call failed. */
const DELEGATED = "10c8bbec-584f-48bb-98ba-7edc5c0c4e79";
/** 1.0.128: an answer that the API refused to give. */
const REFUSED = "5c74d28a-7259-46c0-b541-8cbea3f515df";
/** 1.0.128: a call refused, and then one stopped. */
const DENIED = "3c05a016-7777-480b-b55a-a1d2a0fd450a";
/** 2.1.42: a call failed in each of two agents that worked at the same time. */
const FAILED_IN_TWO = "95a6c5bf-67bc-4acc-bb38-d7b0f50bda3d";

let recording: Recording;
let folder: OpenFolder;
beforeAll(async () => {
  recording = sharedRecording("1.0.128");
  folder = await openFolder(recording.claudeDir);
});
afterAll(() => recording[Symbol.dispose]());

const THREAD: ErrorsQuery = { branch: null, agent: null, detail: "tools", fold: [] };
const errorsOf = (uuid: string, query: Partial<ErrorsQuery> = {}) =>
  settled(() => folder.sessions.errors(idOf(folder, uuid), { ...THREAD, ...query }));
const shown = async (uuid: string) => {
  const [{ rows }, errors] = [await rowsOf(folder, idOf(folder, uuid), "tools"), await errorsOf(uuid)];
  return errors.rows.map((index) => {
    const row = rows[index];
    return row?.kind === "tool" ? `${row.name} ${row.state}` : row?.kind === "event" ? row.label : row?.kind;
  });
};

describe("where errors are", () => {
  it("names the rows: calls that failed or were refused, and answers that the API did not give", async () => {
    expect(await shown(REWOUND)).toEqual(["Edit error", "Edit error"]);
    expect(await shown(DENIED)).toEqual(["Bash error", "Write denied"]);
    expect(await shown(REFUSED)).toEqual(["API error"]);
  });

  it("counts errors that the view hides by its detail or in a folded turn", async () => {
    expect(await errorsOf(REWOUND, { detail: "conversation" })).toMatchObject({ rows: [], hidden: 2 });
    expect(await errorsOf(REWOUND, { fold: [2] })).toMatchObject({ rows: [], hidden: 2, elsewhere: 0 });
  });

  it("says on which branch the others are", async () => {
    const { branches } = await detailOf(folder, idOf(folder, REWOUND));
    const other = branches.find(({ active }) => !active);
    const errors = await errorsOf(REWOUND, { branch: other?.id ?? null });
    expect(errors).toMatchObject({ rows: [], hidden: 0, elsewhere: 2 });
    expect(errors.places.map(({ tool, agentId, branch }) => [tool, agentId, branch])).toEqual([
      ["Edit", null, null],
      ["Edit", null, null],
    ]);
  });

  it("names the branch of those on one that was left", async () => {
    const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "false" } }];
    const failed = { type: "tool_result", tool_use_id: "t1", content: "Exit code 1", is_error: true };
    const left = await openFolder(
      makeTree({
        [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
          prompt("one", { parentUuid: null }),
          answer("done", { parentUuid: "u-one" }),
          prompt("two", { parentUuid: "a-done" }),
          {
            ...answer("", { uuid: "c", parentUuid: "u-two" }),
            message: { id: "m", role: "assistant", content },
          },
          prompt("", { uuid: "r", parentUuid: "c", message: { role: "user", content: [failed] } }),
          prompt("two again", { parentUuid: "a-done" }),
        ],
      }),
    );
    const id = idOf(left, uuid(1));
    const other = (await detailOf(left, id)).branches.find(({ active }) => !active);
    const { elsewhere, places } = await settled(() => left.sessions.errors(id, { ...THREAD, runs: null }));
    expect([elsewhere, places.map(({ tool, branch }) => [tool, branch])]).toEqual([1, [["Bash", other?.id]]]);
  });

  it("says in which agent they are, and there that its thread has them", async () => {
    const { places, elsewhere, rows } = await errorsOf(DELEGATED);
    expect([rows, elsewhere, places[0]?.tool]).toEqual([[], 1, "Read"]);
    const inAgent = await errorsOf(DELEGATED, { agent: places[0]?.agentId ?? null });
    expect(inAgent).toMatchObject({ hidden: 0, elsewhere: 0 });
    expect(inAgent.rows).toHaveLength(1);
  });

  it("lists them in the order of the logs, however the session was opened", async () => {
    const { folder: parallel } = await openRecording("2.1.42");
    const id = idOf(parallel, FAILED_IN_TWO);
    const places: Record<string, string[]> = {};
    for (const [reading, open] of Object.entries(READINGS)) {
      const session = await open(parallel.catalog.sessionFiles(id));
      places[reading] = errorsIn(session, { ...THREAD, runs: null }).places.map(({ recordId }) => recordId);
    }
    const [first] = Object.values(places);
    expect(first?.length).toBeGreaterThan(1);
    expect(places).toEqual(Object.fromEntries(Object.keys(READINGS).map((name) => [name, first])));
  });
});

it("a turn names only the agents of its own calls, and an agent the one that started it, whatever ran meanwhile", async () => {
  const SESSION = uuid(1);
  const time = (second: number) => ({
    timestamp: new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString(),
  });
  const start = (id: string, parentUuid: string, second: number) => ({
    ...{ type: "assistant", uuid: `c-${id}`, parentUuid, ...time(second) },
    message: {
      ...{ id: `m-${id}`, role: "assistant" },
      content: [{ type: "tool_use", id, name: "Agent", input: { prompt: `look ${id}`, description: id } }],
    },
  });
  // Rewound to behind the first turn's call, after one that started an agent too.
  const main = [
    prompt("one", { parentUuid: null, ...time(1) }),
    start("a", "u-one", 2),
    prompt("two", { parentUuid: "c-a", ...time(4) }),
    start("b", "u-two", 5),
    prompt("two again", { parentUuid: "c-a", ...time(9) }),
  ];
  const agent = (id: string, second: number, lines: object[] = []) => {
    const own = { isSidechain: true, agentId: id, sessionId: SESSION };
    const first = prompt(`look ${id}`, { uuid: `p-${id}`, parentUuid: null, ...time(second) });
    return [first, ...lines].map((line) => ({ ...line, ...own }));
  };
  const folder = `projects/-home-dev-shop/${SESSION}`;
  const files: Record<string, object[]> = {
    a: agent("a", 3, [start("inner", "p-a", 6)]),
    b: agent("b", 6),
    inner: agent("inner", 7),
  };
  const opened = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: main,
      ...Object.fromEntries(
        Object.entries(files).flatMap(([id, lines]): [string, Record<string, unknown>[]][] => [
          [`${folder}/subagents/agent-${id}.jsonl`, lines as Record<string, unknown>[]],
          [`${folder}/subagents/agent-${id}.meta.json`, [{ agentType: "x", toolUseId: id }]],
        ]),
      ),
    }),
  );
  const id = idOf(opened, SESSION);
  const { agents } = await settled(() => opened.sessions.agents(id, { limit: 9, cursor: null }));
  expect(agents.map(({ agentId, parentAgentId }) => [agentId, parentAgentId])).toEqual([
    ["a", null],
    ["b", null],
    ["inner", "a"],
  ]);
  const view = { branch: null, detail: "tools" as const, fold: [], runs: null, from: 0, count: 9 };
  const { turns } = await settled(() => opened.sessions.outline(id, view));
  expect(turns.map(({ turn, agentIds }) => [turn, agentIds])).toEqual([
    [1, ["a"]],
    [2, []],
  ]);
});
