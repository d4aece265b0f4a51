import { describe, expect, test } from "vitest";
import { exportedParts } from "@/lib/testing/library/exports";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { ALL, openRecording, sessionsOf } from "@/lib/testing/recordings";
import {
  detailOf,
  gathered,
  idOf,
  type OpenFolder,
  openFolder,
  rowsOf,
  settled,
} from "@/lib/testing/transcript";
import type { ExportFormat } from "@/lib/wire/export-formats.mjs";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { ApiMessage } from "@/lib/wire/model-requests/messages";
import type { Row } from "@/lib/wire/rows";
import { choose, chosenPart, type WantedPart, WHOLE } from "./chosen-part";
import { exportSession } from "./export-session";
import { ALL_CONTENTS } from "./left-out";

async function exported(folder: OpenFolder, uuid: string, format: ExportFormat, wanted: Partial<WantedPart>) {
  const id = idOf(folder, uuid);
  const choice = await choose(folder.sessions, id, { ...WHOLE, ...wanted });
  let text = "";
  const files = folder.catalog.sessionFiles(id);
  const { pieces } = await exportSession(folder.sessions, files, { format, choice });
  for await (const piece of pieces)
    text += typeof piece === "string" ? piece : new TextDecoder().decode(piece);
  return text;
}

async function recorded(name: string, version: (typeof ALL)[number] = "2.1.330") {
  const { folder, scenarios } = await openRecording(version);
  const [uuid = ""] = sessionsOf(folder, scenarios[name] ?? { must: "" });
  return { folder, uuid, id: idOf(folder, uuid) };
}

/** A row without the ways that leave it. */
const asTurn = (row: Row) => (row.kind === "fork" ? null : row);

/** The blocks of messages in order: neighbours of one role are one message, also where two turns meet. */
const blocksOf = (messages: readonly ApiMessage[]) =>
  messages.flatMap(({ role, content }) =>
    (content as unknown[]).map((block) => `${role} ${JSON.stringify(block)}`),
  );

describe("a part of a session", () => {
  test("is a branch, by its number or its id, in every format", async () => {
    const { folder, uuid, id } = await recorded("tui-rewind");
    const { branches } = await detailOf(folder, id);
    const other = branches.find(({ active }) => !active);
    if (!other) throw new Error("The recording has another branch");
    const [own, active] = [other.prompt ?? "", branches[0]?.prompt ?? ""];
    expect(own).not.toBe("");
    for (const format of ["md", "html", "json", "messages"] as const) {
      const byNumber = await exported(folder, uuid, format, { branch: other.number });
      expect(await exported(folder, uuid, format, { branch: other.id }), format).toBe(byNumber);
      const conversation = format === "json" ? JSON.stringify(JSON.parse(byNumber).rows) : byNumber;
      expect(conversation, format).toContain(own);
      const whole = await exported(folder, uuid, format, {});
      expect(whole, format).toContain(active);
      // The session itself lists its branches.
      const rows = format === "json" ? JSON.stringify(JSON.parse(whole).rows.map(asTurn)) : whole;
      expect(rows, format).not.toContain(own);
    }
    expect(await exported(folder, uuid, "md", { branch: other.number })).toContain(`branch ${other.number}`);
  });

  test("is turns, by the numbers of that branch", async () => {
    const { folder, uuid } = await recorded("tui-basic");
    const whole: Row[] = JSON.parse(await exported(folder, uuid, "json", {})).rows;
    const prompts = whole.flatMap((row) => (row.kind === "turn" ? [row.prompt.text] : []));
    expect(prompts.length).toBeGreaterThan(2);
    const { part, rows } = JSON.parse(await exported(folder, uuid, "json", { turns: { from: 2, to: 3 } }));
    expect(part).toEqual({
      branch: null,
      turns: { from: 2, to: 3 },
      records: null,
      ...ALL_CONTENTS,
    });
    const bare = (row: Row) => ({ ...row, lanes: null, spine: null });
    expect(rows.map(bare)).toEqual(whole.filter(({ turn }) => turn === 2 || turn === 3).map(bare));
    const text = await exported(folder, uuid, "md", { turns: { from: 2, to: 2 } });
    expect(text).toContain(`turn 2 of ${prompts.length}`);
    expect([...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number)).toEqual(["2"]);
  });

  test("is single records, or all from one to another, with the results of their calls", async () => {
    const { folder, uuid, id } = await recorded("task-parallel");
    const whole: Row[] = JSON.parse(await exported(folder, uuid, "json", {})).rows;
    const call = whole.findIndex(({ kind }) => kind === "tool");
    const text = whole.findIndex(({ kind }, index) => kind === "text" && index > call);
    const [first, last] = [whole[call], whole[text]];
    if (!first || !last) throw new Error("The recording has a call and an answer behind it");
    const bare = (row: Row) => ({ ...row, lanes: null, spine: null });
    const between = { from: first.recordId, to: last.recordId };
    const range = JSON.parse(await exported(folder, uuid, "json", { records: between }));
    expect(range.rows.map(bare)).toEqual(whole.slice(call, text + 1).map(bare));
    expect(range.part.turns).toEqual({ from: first.turn, to: last.turn });
    const backwards = { from: last.recordId, to: first.recordId };
    expect(JSON.parse(await exported(folder, uuid, "json", { records: backwards }))).toEqual(range);

    const one = { records: [first.recordId] };
    const { rows } = JSON.parse(await exported(folder, uuid, "json", one));
    expect(rows.map(bare)).toEqual(whole.filter(({ recordId }) => recordId === first.recordId).map(bare));
    const messages: ApiMessage[] = JSON.parse(await exported(folder, uuid, "messages", one)).messages;
    expect(blocksOf(messages).map((block) => /"type":"(\w+)"/.exec(block)?.[1])).toEqual(
      expect.arrayContaining(["tool_use", "tool_result"]),
    );
    expect(messages.length).toBe(2);
    expect(await exported(folder, uuid, "md", one)).toContain("2 chosen records");
    expect(await exported(folder, uuid, "html", one)).toContain("2 chosen records");
    // Elsewhere: of no log, and of an agent's.
    for (const records of [["m~zzzzzz"], { from: first.recordId, to: "a~1" }] as WantedPart["records"][])
      await expect(choose(folder.sessions, id, { ...WHOLE, records })).rejects.toMatchObject({
        code: "record-not-found",
      });
  });

  test("without thinking has none of it, and with it the signatures as they were", async () => {
    const { folder, uuid } = await recorded("thinking");
    const signed = /"signature":\s*"([^"]+)"/g;
    const [whole, without] = await Promise.all([
      exported(folder, uuid, "messages", {}),
      exported(folder, uuid, "messages", { thinking: false }),
    ]);
    expect([...whole.matchAll(signed)].length).toBeGreaterThan(0);
    expect(without).not.toMatch(/"(?:redacted_)?thinking"/);
    const { rows } = JSON.parse(await exported(folder, uuid, "json", { thinking: false }));
    expect(rows.map(({ kind }: Row) => kind)).not.toContain("thinking");
    expect(rows.map(({ kind }: Row) => kind)).toContain("text");
    const page = await exported(folder, uuid, "html", { thinking: false });
    expect(page).toContain("without thinking");
    expect(page).not.toContain("<summary>Thinking</summary>");
  });

  test("without tools has no call, no result and no agent", async () => {
    const { folder, uuid } = await recorded("task-parallel");
    const { rows, agents } = JSON.parse(await exported(folder, uuid, "json", { tools: false }));
    expect(new Set(rows.map(({ kind }: Row) => kind))).not.toContain("tool");
    expect(agents).toEqual([]);
    const messages = await exported(folder, uuid, "messages", { tools: false });
    expect(messages).not.toMatch(/tool_(?:use|result)/);
    const roles = JSON.parse(messages).messages.map(({ role }: ApiMessage) => role);
    for (const [index, role] of roles.entries()) expect(role).not.toBe(roles[index + 1]);
    const page = await exported(folder, uuid, "html", { tools: false });
    expect(page).not.toMatch(/class="(?:call|agent)"/);
  });

  test("without agents has what called them and what they answered, and no thread of theirs", async () => {
    const { folder, uuid } = await recorded("task-parallel");
    const whole = JSON.parse(await exported(folder, uuid, "json", {}));
    const { rows, agents, part } = JSON.parse(await exported(folder, uuid, "json", { agents: false }));
    expect([whole.agents.length, agents, part.agents]).toEqual([3, [], false]);
    const calls = (of: Row[]) =>
      of.flatMap((row) => (row.kind === "tool" ? [[row.recordId, row.result]] : []));
    expect(calls(rows)).toEqual(calls(whole.rows));
    const leads = (row: Row) =>
      row.lanes ?? (row.kind === "tool" ? (row.agent ?? row.agents) : row.kind === "turn" && row.agentsUsage);
    expect(whole.rows.filter(leads).length).toBeGreaterThan(0);
    expect(rows.filter(leads)).toEqual([]);
    expect(await exported(folder, uuid, "messages", { agents: false })).toBe(
      await exported(folder, uuid, "messages", {}),
    );
    const text = await exported(folder, uuid, "md", { agents: false });
    expect(text).toContain("without agents");
    expect(text).toContain("What its agents did is not in this file");
    expect(text).not.toMatch(/^# Agents/m);
    const page = await exported(folder, uuid, "html", { agents: false });
    expect(page).toContain("What its agents did is not in this file");
    expect(page).not.toMatch(/class="agent"|data-rows="[^"]/);
    // An agent's own words, which no answer to its caller has.
    const threads: Row[] = whole.agents.flatMap((agent: { rows: Row[] }) => agent.rows);
    const inside = threads.flatMap((row) => (row.kind === "tool" && row.toolUseId ? [row.toolUseId] : []));
    expect(inside.length).toBeGreaterThan(0);
    for (const one of inside) expect(text + page + JSON.stringify(rows)).not.toContain(one);
  });

  test.each(
    (["1.0.60", "2.0.76", "2.1.330"] as const).flatMap((version) => [
      [version, "image"] as const,
      [version, "tui-image"] as const,
    ]),
  )("%s, %s: without images has a word in the place of each", async (version, scenario) => {
    const { folder, uuid, id } = await recorded(scenario, version);
    const { counts } = await detailOf(folder, id);
    expect(counts.images).toBeGreaterThan(0);
    const all = await exported(folder, uuid, "messages", {});
    const [bytes = ""] = /[A-Za-z0-9+/=]{60,}/.exec(all) ?? [];
    expect(bytes).not.toBe("");
    for (const format of ["html", "json", "messages", "md", "jsonl"] as const) {
      const text = await exported(folder, uuid, format, { images: false });
      expect(text.includes(bytes.slice(0, 60)), format).toBe(false);
    }
    const page = await exported(folder, uuid, "html", {});
    expect(page.includes(bytes.slice(0, 60))).toBe(true);
    const messages = await exported(folder, uuid, "messages", { images: false });
    expect(messages).toContain('"[image]"');
    expect(messages).not.toContain('"image"');
    const shape = (text: string) =>
      (JSON.parse(text).messages as ApiMessage[]).map(({ role, content }) => [
        role,
        (content as unknown[]).length,
      ]);
    expect(shape(messages)).toEqual(shape(all));
    expect(await exported(folder, uuid, "md", { images: false })).toContain("without images");
  });

  test("counts only what it contains, in its turns and in its outline", async () => {
    const { folder, uuid, id } = await recorded("task-parallel");
    const whole: Row[] = JSON.parse(await exported(folder, uuid, "json", {})).rows;
    const text = whole.findLast(({ kind }) => kind === "text")?.recordId as RecordId;
    const prompt = whole.find(({ kind }) => kind === "turn")?.recordId as RecordId;
    const turnsOf = (rows: readonly Row[]) =>
      rows.flatMap((row) => (row.kind === "turn" ? [row.partial ?? false] : []));
    expect(turnsOf(whole)).toEqual([false]);
    for (const wanted of [{ tools: false }, { records: [prompt, text] }]) {
      expect(turnsOf(JSON.parse(await exported(folder, uuid, "json", wanted)).rows)).toEqual([true]);
      expect(await exported(folder, uuid, "html", wanted)).not.toMatch(/\d+ tools?</);
      const choice = await choose(folder.sessions, id, { ...WHOLE, ...wanted });
      const { outline } = chosenPart(folder.sessions, id, choice);
      const query = { branch: null, detail: "tools", fold: [], from: 0, count: 9 } as const;
      const { turns } = await settled(() => outline(id, { ...query, fold: [] }));
      expect(turns).toMatchObject([{ toolCalls: 0, errors: 0, added: 0, removed: 0, agents: 0 }]);
    }
  });

  test("has the agents of its own calls, and no others", async () => {
    const { folder, uuid } = await recorded("tui-agents");
    const whole = JSON.parse(await exported(folder, uuid, "json", {}));
    const turns = (whole.rows as Row[]).flatMap((row) =>
      row.kind === "tool" && row.agent ? [row.turn] : [],
    );
    expect(whole.agents.length).toBeGreaterThan(0);
    const all = (whole.rows as Row[]).flatMap((row) => (row.kind === "turn" ? [row.turn] : []));
    for (const turn of all) {
      const { agents } = JSON.parse(
        await exported(folder, uuid, "json", { turns: { from: turn, to: turn } }),
      );
      expect(agents.length > 0, `turn ${turn}`).toBe(turns.includes(turn));
    }
  });

  test("that a session does not have is refused, with the available ones", async () => {
    const { folder, id } = await recorded("tui-rewind");
    const { branches, counts } = await detailOf(folder, id);
    const turns = branches[0]?.turns ?? 0;
    const refusal = (wanted: Partial<WantedPart>) =>
      choose(folder.sessions, id, { ...WHOLE, ...wanted }).catch(({ code, status, hint }) => ({
        code,
        status,
        hint,
      }));
    expect(await refusal({ turns: { from: 1, to: turns + 1 } })).toEqual({
      code: "turns-not-found",
      status: 400,
      hint: `Allowed are turns from 1 to ${turns}, like 1-${turns}.`,
    });
    expect(await refusal({ turns: { from: 2, to: 1 } })).toMatchObject({ code: "turns-not-found" });
    expect(await refusal({ branch: 99 })).toMatchObject({
      code: "branch-not-found",
      hint: expect.stringContaining(`the numbers from 1 to ${counts.branches},`),
    });
  });
});

test.each(ALL)("%s: the messages of a session’s turns are together those of the session", async (version) => {
  const { folder } = await openRecording(version);
  let compared = 0;
  for (const { id } of folder.catalog.summaries()) {
    const { branches, counts } = await detailOf(folder, id);
    const turns = branches[0]?.turns ?? 0;
    const { rows } = await rowsOf(folder, id, "everything");
    // What a compaction takes away and what it keeps is not in the turns.
    if (
      turns < 2 ||
      counts.compactions > 0 ||
      rows.some((row) => row.kind === "turn" && row.source === "queued") ||
      // Nor is in earlier turns what the client cleared of them later.
      rows.some((row) => row.kind === "event" && row.label === "Old tool results cleared from the context")
    )
      continue;
    const ask = (from: number, to: number) =>
      gathered(folder.sessions.conversation(id, { branch: null, turns: { from, to }, records: null }));
    const whole = blocksOf(await gathered(folder.sessions.conversation(id)));
    const middle = Math.ceil(turns / 2);
    const parts = [...blocksOf(await ask(1, middle)), ...blocksOf(await ask(middle + 1, turns))];
    compared += 1;
    // What precedes the first prompt is in no turn. A text that ends one half is merged with the next one in the whole.
    expect(parts.map(unjoined), id).toEqual(whole.slice(whole.length - parts.length).map(unjoined));
    expect(
      parts.some((block) => block.startsWith("user")),
      id,
    ).toBe(true);
  }
  expect(compared).toBeGreaterThan(0);
});

/** A block without the newline with which the client ends a text that it merges with the next one (2.1.78 and later). */
function unjoined(block: string): string {
  return block.replace(/\\n"\}$/, '"}');
}

/**
 * A session that left a branch for another. On each a prompt, an answer whose text is cut in its row, with a thought, a call
 * and what nobody knows on its line, another call, both results on one line, the first of which is cut, and what was typed beside
 * them.
 */
async function openParts() {
  let count = 0;
  const line = (id: number, parent: number | null) => ({
    ...{ uuid: uuid(id), parentUuid: parent === null ? null : uuid(parent), sessionId: uuid(1) },
    ...{ cwd: "/home/dev/shop", version: "2.1.330", isSidechain: false },
    timestamp: new Date(Date.UTC(2026, 0, 2, 3, 4, ++count)).toISOString(),
  });
  const said = (id: number, parent: number, content: object[], message = id) => ({
    ...{ type: "assistant", ...line(id, parent) },
    message: { id: `m${message}`, role: "assistant", model: "claude-x", content },
  });
  const bash = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
  const result = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content });
  const branch = (name: string, first: number) => [
    prompt(`${name} prompt`, line(first, 11)),
    said(first + 1, first, [
      { type: "thinking", thinking: `${name} thought`, signature: "x" },
      { type: "text", text: `${name} answer ${"word ".repeat(20_000)}` },
      { type: "holograph", shape: `${name} shape` },
      bash(`${name}1`, `${name} first command`),
    ]),
    said(first + 2, first + 1, [bash(`${name}2`, `${name} second command`)], first + 1),
    {
      ...{ type: "user", ...line(first + 3, first + 2) },
      toolUseResult: { stdout: `${name} first output` },
      message: {
        role: "user",
        content: [
          result(`${name}1`, `${name} first output ${"line ".repeat(20_000)}`),
          result(`${name}2`, `${name} second output`),
          { type: "text", text: `${name} aside` },
        ],
      },
    },
    said(first + 4, first + 3, [{ type: "text", text: `${name} end` }]),
  ];
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      prompt("first", line(10, null)),
      said(11, 10, [{ type: "text", text: "hello" }]),
      ...branch("left", 20),
      ...branch("active", 30),
    ],
  });
  const folder = await openFolder(root);
  const session = await folder.sessions.latest(uuid(1) as SessionId);
  const html = async (wanted: Partial<WantedPart>) => {
    const { shown, data } = exportedParts(await exported(folder, uuid(1), "html", wanted));
    return `${shown}${JSON.stringify([...data])}`;
  };
  return { folder, html, record: (id: number) => session.recordId(session.findUuid(uuid(id))) };
}

test("a call that continues in the background has the part of its later output that was chosen with it", async () => {
  const { folder, uuid: session, id } = await recorded("bash-background");
  const whole: Row[] = JSON.parse(await exported(folder, session, "json", {})).rows;
  const calls = whole.filter(({ kind }) => kind === "tool");
  const details = await Promise.all(
    calls.map(({ recordId, block }) => settled(() => folder.sessions.call(id, recordId, block))),
  );
  const begun = details.find(({ later }) => later.some(({ told }) => told === null));
  const [check] = begun?.later ?? [];
  if (!begun || !check) throw new Error("The recording has a call whose output another call read");
  const callsIn = async (records: RecordId[]) => {
    const { data } = exportedParts(await exported(folder, session, "html", { records }));
    return [...data.keys()].filter((key) => key.startsWith('id="call'));
  };
  const [own, other] = [begun, check].map(({ recordId, block }) => `id="call ${recordId}.${block}"`);
  expect(await callsIn([begun.recordId])).toEqual([own]);
  expect(await callsIn([begun.recordId, check.recordId])).toEqual([own, other]);
});

describe("an HTML file of a part contains nothing of the rest, wherever that might be", () => {
  test("of a branch: the briefs of its own turns", async () => {
    const { folder, html } = await openParts();
    const { branches } = await detailOf(folder, uuid(1) as SessionId);
    const text = await html({ branch: branches.find(({ active }) => !active)?.id ?? null });
    expect(text).toContain("left first command");
    expect(text).not.toContain("active ");
  });

  test("without thinking and without tools, also beside a text that is shown in full", async () => {
    const { html } = await openParts();
    const whole = /word word "/;
    expect(await html({})).toMatch(/active thought[^]*active first command/);
    const unthought = await html({ thinking: false });
    expect(unthought).toMatch(/active first command/);
    expect(unthought).toMatch(whole);
    expect(unthought).not.toContain("active thought");
    const untooled = await html({ tools: false });
    expect(untooled).toContain("active thought");
    expect(untooled).toContain("active shape");
    expect(untooled).toContain("active aside");
    expect(untooled).not.toMatch(/(first|second) (command|output)/);
  });

  test("of single records: no call that was not chosen, neither in a brief nor beside a result", async () => {
    const { html, record } = await openParts();
    const asked = await html({ records: [record(30)] });
    expect(asked).toContain("active prompt");
    expect(asked).not.toMatch(/(first|second) (command|output)/);
    const called = await html({ records: [record(30), record(31)] });
    expect(called).toMatch(/active first output/);
    expect(called).toMatch(/line line "/);
    expect(called).not.toMatch(/second (command|output)/);
  });
});
