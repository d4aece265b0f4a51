import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { exportSession } from "@/lib/server/export/export-session";
import { Catalog } from "@/lib/server/library/catalog";
import {
  continuesFrom,
  formatStreamOffset,
  isSameEpoch,
  streamOffsetOf,
} from "@/lib/server/live/session-feed";
import { scan } from "@/lib/server/scan/scanned-session";
import { createSessions } from "@/lib/server/session/sessions";
import { searchedLibrary } from "@/lib/testing/library/searched-library";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { rowsOf, settled } from "@/lib/testing/transcript";
import type { ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { AgentId, SessionId } from "@/lib/wire/ids";

const SLUG = "projects/-home-dev-shop";
const FOLDER = `${SLUG}/${uuid(2)}`;
const ID = uuid(2) as SessionId;

const line = (id: string, text: string) =>
  prompt(text, { agentId: id, isSidechain: true, sessionId: ID, uuid: `${id}-1`, parentUuid: null });
const reply = (id: string, text: string, minute: number) =>
  answer(text, {
    agentId: id,
    isSidechain: true,
    sessionId: ID,
    uuid: `${id}-${minute}`,
    parentUuid: `${id}-1`,
    timestamp: `2026-01-02T03:${minute}:00.000Z`,
  });

/** A session of which two agents' logs are left, opened as the server does. */
async function openGone() {
  const root = makeTree({
    [`${FOLDER}/subagents/agent-a.jsonl`]: [line("a", "look here"), reply("a", "found-it", 10)],
    [`${FOLDER}/subagents/agent-b.jsonl`]: [
      { ...line("b", "look there"), timestamp: "2026-01-02T03:30:00.000Z" },
      reply("b", "nothing-there", 40),
    ],
  });
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  const sessions = createSessions(catalog, { scan });
  return { root, catalog, sessions };
}

const words = ({ rows }: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map((row) => (row.kind === "text" ? row.text.text : row.kind === "turn" ? row.prompt.text : row.kind));

test("its agents are its threads, and the first stands for the one that is gone", async () => {
  const folder = await openGone();
  expect(words(await rowsOf(folder, ID, "tools"))).toEqual(["look here", "found-it"]);
  const agent = (id: string) => rowsOf(folder, ID, "tools", { agent: id as AgentId });
  expect(words(await agent("a"))).toEqual(["look here", "found-it"]);
  expect(words(await agent("b"))).toEqual(["look there", "nothing-there"]);
  const { sessions } = folder;
  const { agents } = await settled(() => sessions.agents(ID, { limit: 10, cursor: null }));
  expect(agents.map(({ agentId, parentRecordId }) => `${agentId} ${parentRecordId}`)).toEqual([
    "a null",
    "b null",
  ]);
  const query = { branch: null, detail: "tools", fold: [], from: 0, count: 10 } as const;
  const { turns } = await settled(() => sessions.outline(ID, { ...query, fold: [] }));
  expect(turns.map((turn) => turn.prompt)).toEqual(["look here"]);
  const graph = await settled(() => sessions.graph(ID));
  expect(graph.lines.agent.filter((agent) => agent !== null)).toEqual(["a", "b"]);
  expect(graph.items.rows.length).toBeGreaterThan(0);
});

test("it is counted like any session, and says that its log is gone", async () => {
  const { sessions, catalog } = await openGone();
  const detail = await settled(() => sessions.detail(ID));
  expect(detail).toMatchObject({ title: "look here", logGone: true, agentCount: 2, resumeCommand: null });
  expect(detail.logs.map(({ path, records }) => `${path.slice(37)}: ${records}`)).toEqual([
    "subagents/agent-a.jsonl: 2",
    "subagents/agent-b.jsonl: 2",
  ]);
  const report = await new Doctor(catalog, examine).whole(null);
  expect(report).toMatchObject({ sessions: 1, files: 2, filesOutside: 0, records: 4, unread: [] });
  expect(report.gone).toMatchObject([{ sessionId: ID, files: 2 }]);
});

test.each<[ExportFormat, RegExp]>([
  ["md", /own log is gone.*# Agent a.*look here.*found-it.*# Agent b.*look there.*nothing-there/s],
  ["html", /own log is gone.*Agent a.*look here.*found-it.*Agent b.*look there.*nothing-there/s],
  ["json", /"logGone":true.*found-it.*nothing-there/s],
  ["log", /^\{.*"look here".*\}\n\{.*found-it.*\}\n\{.*"look there".*\}\n\{.*nothing-there.*\}\n$/],
  ["messages", /found-it/],
])("it is exported with all that is left: %s", async (format, expected) => {
  const { sessions, catalog } = await openGone();
  let text = "";
  const { pieces } = await exportSession(sessions, catalog.sessionFiles(ID), { format });
  for await (const piece of pieces)
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  expect(text).toMatch(expected);
});

test("each of its logs begins on a line of its own, also where a client was killed as it wrote one", async () => {
  const { root, catalog, sessions } = await openGone();
  const cut = { ...reply("a", "cut", 11), uuid: "a-cut" };
  appendFileSync(join(root, `${FOLDER}/subagents/agent-a.jsonl`), JSON.stringify(cut));
  let text = "";
  const { pieces } = await exportSession(sessions, catalog.sessionFiles(ID), { format: "log" });
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  const uuids = text
    .trimEnd()
    .split("\n")
    .map((one) => (JSON.parse(one) as { uuid: string }).uuid);
  expect(uuids).toEqual(["a-1", "a-10", "a-cut", "b-1", "b-40"]);
});

test("it has no clone: there is nothing to resume", async () => {
  const { sessions, catalog } = await openGone();
  const clone = exportSession(sessions, catalog.sessionFiles(ID), { format: "jsonl" });
  await expect(clone).rejects.toMatchObject({ code: "log-gone", status: 400 });
});

test.each([[true], [false]])("it is found by its agents' texts (index: %s)", async (indexed) => {
  const { root } = await openGone();
  const { catalog, search } = await searchedLibrary(root, indexed);
  const query = { q: "in:text nothing-there", project: null, session: null, limit: 50 };
  const found: string[] = [];
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page = await search.page({ ...query, cursor });
    found.push(...page.hits.map(({ sessionId, agentId }) => `${sessionId} ${agentId}`));
    ({ nextCursor: cursor, complete } = page);
    expect(complete).toBe(cursor === null);
  }
  expect(found).toEqual([`${ID} b`]);
  expect(catalog.summary(ID)).toMatchObject({ indexed: true, agentCount: 2, problem: null });
  expect(catalog.due()).toEqual([]);
});

test("it is followed like any other, and starts over when its log is back", async () => {
  const { root, catalog, sessions } = await openGone();
  const before = await sessions.latest(ID);
  const place = streamOffsetOf(before);
  appendFileSync(join(root, FOLDER, "subagents/agent-a.jsonl"), toText([reply("a", "and-more", 50)]));
  const grown = await sessions.latest(ID);
  expect(isSameEpoch(place, streamOffsetOf(grown), grown)).toBe(true);
  expect(continuesFrom(formatStreamOffset(place), grown)).toBe("grown");
  expect(words(await rowsOf({ catalog, sessions }, ID, "tools"))).toContain("and-more");

  writeFileSync(join(root, `${FOLDER}.jsonl`), toText([prompt("back", { sessionId: ID })]));
  const back = await sessions.latest(ID);
  expect(isSameEpoch(place, streamOffsetOf(back), back)).toBe(false);
  expect(words(await rowsOf({ catalog, sessions }, ID, "tools"))).toEqual(["back"]);
  expect(catalog.summary(ID)).toMatchObject({ title: "back" });
  expect(catalog.summary(ID).logGone).toBeUndefined();
});
