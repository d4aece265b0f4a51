import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { OpenSession } from "@/lib/server/session/open-session";
import { namesInZip } from "@/lib/testing/library/exports";
import { answer, makeTree, prompt, uuid as uuidOf } from "@/lib/testing/log-tree";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { openRecording, sessionsOf } from "@/lib/testing/recordings";
import { sampleOf } from "@/lib/testing/runs";
import {
  detailOf,
  gathered,
  idOf,
  type OpenFolder,
  openFolder,
  rowsOf,
  settled,
} from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { ApiMessage } from "@/lib/wire/model-requests/messages";
import type { Row } from "@/lib/wire/rows";
import { choose, chosenPart, type WantedPart, WHOLE } from "../chosen-part";
import { exportSession } from "../export-session";
import { cloneSession } from "./clone-session";

const PAGE = { limit: 1000, cursor: null };

/**
 * The sessions of a recording of which clones are made: in `npm test` every `nth`, others of each version, so that the
 * nine recordings together have all scenarios.
 */
function sessionsToClone({ catalog }: OpenFolder, version: RecordedVersion, nth = 6): SessionId[] {
  const ids = catalog.summaries().map(({ id }) => id);
  return sampleOf(ids, nth, RECORDED_VERSIONS.indexOf(version));
}

type Line = Record<string, unknown> & { message?: { content?: unknown; model?: string } };

const NEW = "00000000-0000-4000-8000-9";

/** Ids in a row, all of which begin with `NEW`. */
function counted(): () => string {
  let count = 9e11;
  return () => uuidOf(++count);
}

/** A clone of a session in a folder of its own, opened, with its files as text by their paths. */
async function cloned({ sessions }: OpenFolder, id: SessionId, wanted: Partial<WantedPart> = {}) {
  const choice = await choose(sessions, id, { ...WHOLE, ...wanted });
  const clone = await cloneSession(sessions, id, choice, null, counted());
  const root = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-clone-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files: Record<string, string> = {};
  for (const { path, pieces } of clone.files) {
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(Buffer.from(piece));
    const to = join(root, "projects/-home-dev-clone", path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, Buffer.concat(bytes));
    files[path] = Buffer.concat(bytes).toString();
  }
  const folder = await openFolder(root);
  const lines = (files[`${clone.id}.jsonl`] ?? "").split("\n").filter(Boolean);
  return {
    folder,
    id: idOf(folder, clone.id),
    uuid: clone.id,
    files,
    lines: lines.map((line) => JSON.parse(line) as Line),
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * All that is shown of a session, by branch and agent, with `UUID` for each: bookkeeping shows some. An agent's log has
 * another key where it has another path.
 */
async function shown(folder: OpenFolder, id: SessionId): Promise<Record<string, Row[]>> {
  const { branches } = await settled(() => folder.sessions.branches(id, PAGE));
  const { agents } = await settled(() => folder.sessions.agents(id, PAGE));
  const threads: Record<string, Row[]> = {};
  // What a neighbouring session has of it is another matter, and the clone's neighbours are not here.
  const bare = (rows: readonly Row[]) =>
    JSON.parse(
      JSON.stringify(rows.map((row) => ({ ...row, carried: undefined })))
        .replace(/"[0-9a-f]{8}~/g, '"a~')
        .replaceAll('"Result of ExitPlanMode"', '"A result whose call is not in the log"')
        .replace(UUID, "UUID"),
    ) as Row[];
  for (const branch of branches)
    threads[`branch ${branch.number}`] = bare(
      (await rowsOf(folder, id, "everything", { branch: branch.id })).rows,
    );
  for (const { agentId } of agents)
    threads[`agent ${agentId}`] = bare((await rowsOf(folder, id, "everything", { agent: agentId })).rows);
  return threads;
}

type Block = { type?: string; id?: string; tool_use_id?: string; signature?: string };

/** The blocks of all lines of a log. */
function blocksOf(lines: readonly Line[]): Block[] {
  return lines.flatMap(({ message }) =>
    Array.isArray(message?.content) ? (message.content as Block[]) : [],
  );
}

function linesIn(text: string): Line[] {
  return text
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Line];
      } catch {
        return [];
      }
    });
}

/** The calls without a result and the results without a call. */
function unpaired(blocks: readonly Block[]): string[] {
  const uses = new Set(blocks.flatMap(({ type, id }) => (type === "tool_use" && id ? [id] : [])));
  const results = new Set(blocks.flatMap(({ tool_use_id }) => tool_use_id ?? []));
  return [...[...uses].filter((id) => !results.has(id)), ...[...results].filter((id) => !uses.has(id))];
}

test.each(RECORDED_VERSIONS)("%s: a clone is the same session with other names", async (version) => {
  const { folder } = await openRecording(version);
  let compared = 0;
  for (const id of sessionsToClone(folder, version)) {
    const original = await folder.sessions.latest(id);
    const clone = await cloned(folder, id);
    expect(await shown(clone.folder, clone.id), id).toEqual(await shown(folder, id));
    const ask = (of: OpenFolder, session: SessionId) => gathered(of.sessions.conversation(session));
    expect(await ask(clone.folder, clone.id), id).toEqual(await ask(folder, id));
    // No line has its name from the original, and none is named by it.
    const isOld = (name: unknown) => typeof name === "string" && original.findUuid(name) !== -1;
    const old = clone.lines.filter((line) => [line.uuid, line.parentUuid, line.leafUuid].some(isOld));
    expect(old, id).toEqual([]);
    expect(
      clone.lines.filter(({ sessionId }) => sessionId === id),
      id,
    ).toEqual([]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(5);
});

/** 2.1.42 takes images out of what is sent as soon as a later line says so, which a part may not hold. */
function withoutImages(messages: readonly ApiMessage[]): string {
  return JSON.stringify(messages).replace(
    /\{"type":"image","source":\{[^}]*\}\}/g,
    '{"type":"text","text":"[image]"}',
  );
}

type Cloned = Awaited<ReturnType<typeof cloned>>;

const allLines = ({ files }: Cloned) => Object.values(files).flatMap(linesIn);

/**
 * What is wrong with the clone of a part: parents that are nowhere, calls and results that lost each other, answers
 * that claim that their usage is exact, signatures that are not those of the whole.
 */
function faults(original: OpenSession, whole: Cloned, clone: Cloned): string[] {
  const before = new Set(unpaired(blocksOf(allLines(whole))));
  const signatures = new Set(blocksOf(allLines(whole)).map(({ signature }) => signature));
  const lines = allLines(clone);
  const uuids = new Set(lines.map(({ uuid }) => uuid));
  // What was nowhere before is nowhere now, under its old name.
  const isLost = (parent: unknown) =>
    typeof parent === "string" &&
    !uuids.has(parent) &&
    (parent.startsWith(NEW) || original.findUuid(parent) !== -1);
  const isExact = ({ type, message, usageIsExact }: Line) =>
    type === "assistant" && message?.model !== "<synthetic>" && usageIsExact !== false;
  return [
    ...lines
      .filter(({ parentUuid }) => isLost(parentUuid))
      .map(({ uuid }) => `${String(uuid)} hangs from nothing`),
    ...lines.filter(isExact).map(({ uuid }) => `${String(uuid)} is exact`),
    ...unpaired(blocksOf(lines)).filter((call) => !before.has(call)),
    ...blocksOf(lines).flatMap(({ signature }) => (signatures.has(signature) ? [] : "an altered signature")),
  ];
}

test.each(RECORDED_VERSIONS)(
  "%s: a clone of a part is sent what was chosen; nothing refers to what was left out, no call is alone",
  async (version) => {
    const { folder } = await openRecording(version);
    for (const id of sessionsToClone(folder, version, 8)) {
      const { branches } = await detailOf(folder, id);
      const [turns = 0] = branches.map((branch) => branch.turns);
      const original = await folder.sessions.latest(id);
      const whole = await cloned(folder, id);
      const parts: Partial<WantedPart>[] = [
        { tools: false },
        { thinking: false },
        { agents: false },
        { images: false },
        ...branches.slice(1).map(({ number }) => ({ branch: number })),
        ...(turns > 1 ? [{ turns: { from: 2, to: turns } }, { turns: { from: 1, to: 1 } }] : []),
      ];
      for (const part of parts) {
        const choice = await choose(folder.sessions, id, { ...WHOLE, ...part });
        const wanted = await gathered(chosenPart(folder.sessions, id, choice).conversation(id));
        const clone = await cloned(folder, id, part);
        const sent = await gathered(clone.folder.sessions.conversation(clone.id));
        const which = `${id} ${JSON.stringify(part)}`;
        expect(withoutImages(sent), which).toBe(withoutImages(wanted));
        expect(faults(original, whole, clone), which).toEqual([]);
      }
    }
  },
);

test("older turns become a digest after a boundary, and the rest descends from its summary", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const [uuid = ""] = sessionsOf(folder, scenarios["tui-basic"] ?? { must: "" });
  const id = idOf(folder, uuid);
  const whole = (await rowsOf(folder, id, "conversation")).rows;
  const prompts = whole.flatMap((row) => (row.kind === "turn" ? [row.prompt.text] : []));
  const clone = await cloned(folder, id, { digest: 1 });
  expect(
    clone.lines
      .map(({ type, subtype, isCompactSummary }) => subtype ?? (isCompactSummary ? "summary" : type))
      .slice(0, 2),
  ).toEqual(["compact_boundary", "summary"]);
  const [boundary, summary] = clone.lines;
  expect(boundary).toMatchObject({
    parentUuid: null,
    sessionId: clone.uuid,
    compactMetadata: { trigger: "manual" },
  });
  expect(summary).toMatchObject({ parentUuid: boundary?.uuid, isVisibleInTranscriptOnly: true });
  for (const prompt of prompts.slice(0, -1))
    expect(summary?.message?.content).toContain(prompt.trim().slice(0, 200));
  const { rows } = await rowsOf(clone.folder, clone.id, "conversation");
  expect(rows.map(({ kind }) => kind).slice(0, 2)).toEqual(["compaction", "turn"]);
  expect(rows.flatMap((row) => (row.kind === "turn" ? [row.prompt.text] : []))).toEqual(prompts.slice(-1));
  const sent = await gathered(clone.folder.sessions.conversation(clone.id));
  expect(JSON.stringify(sent[0])).toContain("This session is being continued");
  expect(faults(await folder.sessions.latest(id), await cloned(folder, id), clone)).toEqual([]);
});

test("a session with agents is a zip of its logs, any other one log", async () => {
  const { folder, scenarios } = await openRecording("2.1.330");
  const session = (name: string) =>
    folder.catalog.sessionFiles(idOf(folder, sessionsOf(folder, scenarios[name] ?? { must: "" })[0] ?? ""));
  const exported = (name: string, tools: boolean) => {
    const files = session(name);
    return choose(folder.sessions, files.id, { ...WHOLE, tools }).then((choice) =>
      exportSession(folder.sessions, files, { format: "jsonl", choice, newId: counted() }),
    );
  };
  const first = `${NEW}00000000001`;
  expect(await exported("edit-file", true)).toMatchObject({
    name: `${first}.jsonl`,
    mediaType: "application/jsonl",
  });
  expect(await exported("task-nested", false)).toMatchObject({ name: `${first}.jsonl` });
  const { name, mediaType, pieces } = await exported("task-nested", true);
  expect([name, mediaType]).toEqual([`${first}.zip`, "application/zip"]);
  const bytes: Uint8Array[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  const paths = namesInZip(Buffer.concat(bytes));
  expect(paths[0]).toBe(`${first}.jsonl`);
  expect(paths.slice(1).map((path) => path.replace(/agent-a[0-9a-f]{16}/, "agent-a…"))).toEqual([
    `${first}/subagents/agent-a….jsonl`,
    `${first}/subagents/agent-a….meta.json`,
    `${first}/subagents/agent-a….jsonl`,
    `${first}/subagents/agent-a….meta.json`,
  ]);
});

test("an agent's meta file that was deleted meanwhile is left out, and stops nothing", async () => {
  const agent = `projects/-home-dev-shop/${uuidOf(1)}/subagents/agent-a1`;
  const mine = { sessionId: uuidOf(1) };
  const root = makeTree({
    [`projects/-home-dev-shop/${uuidOf(1)}.jsonl`]: [prompt("go", mine), answer("done", mine)],
    [`${agent}.jsonl`]: [prompt("look", { ...mine, isSidechain: true, agentId: "a1" })],
    [`${agent}.meta.json`]: ['{"agentType":"Explore"}'],
  });
  const folder = await openFolder(root);
  await folder.sessions.latest(idOf(folder, uuidOf(1)));
  rmSync(join(root, `${agent}.meta.json`));
  const { files } = await cloned(folder, idOf(folder, uuidOf(1)));
  expect(Object.keys(files).map((path) => path.split("/").at(-1))).toEqual([
    expect.stringMatching(UUID),
    "agent-a1.jsonl",
  ]);
});

test.each(["md", "log"] as const)("%s has no digest, and the original log no part", async (format) => {
  const { folder } = await openRecording("2.1.330");
  const [{ id } = { id: "" as SessionId }] = folder.catalog.summaries();
  const choice = await choose(folder.sessions, id, { ...WHOLE, digest: 1 });
  const refused = exportSession(folder.sessions, folder.catalog.sessionFiles(id), { format, choice });
  await expect(refused).rejects.toMatchObject({
    code: "not-in-format",
    status: 400,
    hint: expect.stringContaining("jsonl"),
  });
});

test.each(RECORDED_VERSIONS)("%s: a clone of single records hangs together", async (version) => {
  const { folder } = await openRecording(version);
  let cut = 0;
  for (const id of sessionsToClone(folder, version)) {
    const original = await folder.sessions.latest(id);
    const { rows } = await rowsOf(folder, id, "tools");
    // Every third row, so that what stands above a record has mostly been left out.
    const records = rows
      .filter(({ kind, recordId }, index) => index % 3 === 0 && kind !== "fork" && recordId.startsWith("m~"))
      .map(({ recordId }) => recordId);
    if (records.length < 2) continue;
    const clone = await cloned(folder, id, { records });
    const named = new Set(clone.lines.map(({ uuid }) => uuid));
    const lost = clone.lines.filter(
      // 2.1.29 has logs whose first line follows one of another session.
      ({ parentUuid: above }) =>
        typeof above === "string" &&
        !named.has(above) &&
        (above.startsWith(NEW) || original.findUuid(above) !== -1),
    );
    expect(lost, id).toEqual([]);
    const alone = new Set(unpaired(blocksOf((await cloned(folder, id)).lines)));
    expect(
      unpaired(blocksOf(clone.lines)).filter((call) => !alone.has(call)),
      id,
    ).toEqual([]);
    const chosen = chosenPart(folder.sessions, id, await choose(folder.sessions, id, { ...WHOLE, records }));
    const ask = (of: Pick<OpenFolder["sessions"], "conversation">, session: SessionId) =>
      gathered(of.conversation(session));
    const [theirs, ours] = [await ask(clone.folder.sessions, clone.id), await ask(chosen, id)];
    cut += 1;
    // A compaction that is not among them takes nothing away any more.
    if (rows.some(({ kind }) => kind === "compaction")) continue;
    expect(textsOf(theirs), id).toEqual(textsOf(ours));
  }
  expect(cut).toBeGreaterThan(2);
});

/** The texts that the model wrote, in order. */
function textsOf(messages: readonly ApiMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    (content as { type: string; text?: string }[]).flatMap(({ type, text }) =>
      type === "text" && text && role === "assistant" ? [text] : [],
    ),
  );
}

test("a clone without tools has none of their results, even if a prompt is beside one", async () => {
  const line = { sessionId: uuidOf(1), cwd: "/home/dev/shop", version: "2.1.330", isSidechain: false };
  const returned = "what-the-tool-returned";
  const asked = prompt("go", { ...line, uuid: uuidOf(10), parentUuid: null });
  const call = { type: "tool_use", id: "t1", name: "mcp__x__look", input: { at: "what-was-asked" } };
  const called = answer("I look", { ...line, uuid: uuidOf(11), parentUuid: uuidOf(10) });
  const content = [{ type: "text", text: "I look" }, call];
  const lines = [
    asked,
    { ...called, message: { ...(called.message as object), content } },
    prompt("", {
      ...{ ...line, uuid: uuidOf(12), parentUuid: uuidOf(11), sourceToolAssistantUUID: uuidOf(11) },
      ...{ toolUseResult: { stdout: returned }, mcpMeta: { structuredContent: returned } },
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: returned },
          { type: "text", text: "and this beside it" },
        ],
      },
    }),
    answer("done", { ...line, uuid: uuidOf(13), parentUuid: uuidOf(12) }),
  ];
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${uuidOf(1)}.jsonl`]: lines }));
  const clone = await cloned(folder, uuidOf(1) as SessionId, { tools: false });
  const text = JSON.stringify(clone.lines);
  expect(text).toContain("and this beside it");
  expect(text).not.toMatch(/what-the-tool-returned|what-was-asked|toolUseResult|mcpMeta|sourceTool/);
});
