import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { asArray, asObject, asString } from "@/lib/log/records/json";
import { makeTree } from "@/lib/testing/log-tree";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { detailOf, idOf, type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import type { ApiMessage, MessagesResponse } from "@/lib/wire/model-requests/messages";
import { rebuildRequest } from "./rebuild-request";

const WORDS = 28;

type Line = { type: string; uuid?: string; sessionId?: string; [field: string]: unknown };

/** The messages of a request, each by who speaks and the first words of its blocks. */
function told(messages: readonly ApiMessage[]): string[] {
  return messages.map(({ role, content }) => {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
    return `${role}: ${blocks.map((block) => words(asObject(block))).join(" / ")}`;
  });
}

function words(block: ReturnType<typeof asObject>): string {
  const text = asString(block?.text) ?? asString(block?.type) ?? "";
  const line = text
    .replace(/<[^>]*>|SCENARIO:\S+|\x1b\[\d+m/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > WORDS ? `${line.slice(0, WORDS).trimEnd()}…` : line;
}

function sentAt({ sessions }: OpenFolder, id: SessionId, uuid: string): Promise<MessagesResponse> {
  return settled(() => sessions.messages(id, uuid));
}

/** What led to an answer of a recorded session, by the first characters of its uuid. */
async function sentBefore(version: RecordedVersion, session: string, answer: string): Promise<string[]> {
  const { folder } = await openRecording(version);
  const id = idOf(folder, session);
  const uuid = linesOf(folder, id).find((line) => line.uuid?.startsWith(answer))?.uuid ?? "";
  return told((await sentAt(folder, id, uuid)).messages);
}

function linesOf({ catalog }: OpenFolder, id: SessionId): Line[] {
  const text = readFileSync(catalog.sessionFiles(id).main.path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

test("a caveat that commands share is sent ahead of each of them (1.0.60)", async () => {
  expect(await sentBefore("1.0.60", "4f7e3083", "1d1154")).toEqual([
    "user: What is this?",
    "assistant: Hello! This is **shop**, a s…",
    "user: Caveat: The messages below w… / echo from bash mode; ls noth… / from bash mode ls: cannot ac… / Caveat: The messages below w… / /cost cost / Total cost: $0.0135 Total du… / please",
  ]);
});

test("a compaction without a boundary starts the request with its summary (1.0.60)", async () => {
  expect(await sentBefore("1.0.60", "4f7e3083", "a09e59")).toEqual([
    "user: This session is being contin… / Caveat: The messages below w… / /compact compact / Compacted. ctrl+r to see ful… / After the compaction.",
  ]);
});

test("after /clear a request begins with the caveat of the process, and a later command repeats it (1.0.60)", async () => {
  expect(await sentBefore("1.0.60", "11fd862d", "e4a74d")).toEqual([
    "user: Caveat: The messages below w… / /clear clear /  / After the clear.",
    "assistant: Hello! This is **shop**, a s…",
    "user: /rename my renamed session",
    "assistant: Done.",
    "user: Caveat: The messages below w… / /export export / Export cancelled",
  ]);
});

/** A folder with these logs alone, by their names. */
async function folderOf(logs: Record<string, readonly Line[]>): Promise<OpenFolder> {
  const root = makeTree(
    Object.fromEntries(
      Object.entries(logs).map(([name, lines]) => [`projects/-home-dev-shop/${name}.jsonl`, lines]),
    ),
  );
  return openFolder(root);
}

test("a notification that is sent as a reminder separates two equal answers (2.1.280)", async () => {
  const session = "85d77204-b1e3-4b1e-aaeb-9364c1b70e02";
  const { folder } = await openRecording("2.1.330");
  const id = idOf(folder, session);
  const lines = linesOf(folder, id);
  const last = lines.findLast(({ type }) => type === "assistant")?.uuid ?? "";
  const recorded = await sentAt(folder, id, last);
  expect(recorded.source).toBe("recorded");
  // 2.1.280 writes the same lines and does not log its requests.
  const bare = lines
    .filter(({ type }) => !type.startsWith("api-request"))
    .map((line) => ({ ...line, requestRef: undefined }));
  const rebuilt = await folderOf({ [session]: bare });
  const sent = await sentAt(rebuilt, idOf(rebuilt, session), last);
  expect(sent.source).toBe("rebuilt");
  const answers = (messages: readonly ApiMessage[]) =>
    told(messages).filter((message) => message.startsWith("assistant") && !message.includes("tool_use"));
  expect(answers(recorded.messages)).toEqual([
    "assistant: All three sub-agents have an…",
    "assistant: Done.",
    "assistant: Done.",
  ]);
  expect(answers(sent.messages)).toEqual(answers(recorded.messages));
});

describe("the report of a background agent that begins a turn", () => {
  const REPORT =
    "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>";

  /** What a client of a version was sent, or `null` for nothing, of a report that one of another version has logged. */
  async function reportSent(logged: string, sender: string): Promise<string | null> {
    const session = "00000000-0000-4000-8000-000000000001";
    const at = { sessionId: session, timestamp: "2026-01-02T03:04:05.000Z" };
    const says = (uuid: string, parentUuid: string, version: string): Line => ({
      ...{ type: "assistant", uuid, parentUuid, version, ...at },
      message: { id: uuid, role: "assistant", content: [{ type: "text", text: uuid }] },
    });
    const lines: Line[] = [
      { type: "user", uuid: "u1", parentUuid: null, version: logged, ...at, message: { content: "go" } },
      says("started", "u1", logged),
      {
        ...{ type: "user", uuid: "report", parentUuid: "started", version: logged, ...at },
        ...{ message: { role: "user", content: REPORT }, origin: { kind: "task-notification" } },
        promptSource: "system",
      },
      says("read", "report", sender),
    ];
    const folder = await folderOf({ [session]: lines });
    const { messages } = await sentAt(folder, idOf(folder, session), "read");
    const [sent] = asArray(messages.findLast(({ role }) => role === "user")?.content);
    const text = asString(asObject(sent)?.text);
    return text === "go" ? null : text;
  }

  const HEAD = /^\[SYSTEM NOTIFICATION - NOT USER INPUT\]\n[^]*\n\n<task-notification>/;

  test("is sent as it is logged up to 2.1.204, and with the client's words from 2.1.205 on", async () => {
    for (const version of ["2.1.170", "2.1.204"]) expect(await reportSent(version, version)).toBe(REPORT);
    for (const version of ["2.1.205", "2.1.220", "2.1.233"])
      expect(await reportSent(version, version)).toMatch(HEAD);
  });

  test("is a reminder from 2.1.234 on, which is not rebuilt", async () => {
    for (const version of ["2.1.234", "2.1.332"]) expect(await reportSent(version, version)).toBeNull();
  });

  test("is sent as the client sends that goes on with a session, whichever logged it (2.1.204, 2.1.205, 2.1.332)", async () => {
    expect(await reportSent("2.1.205", "2.1.204")).toBe(REPORT);
    expect(await reportSent("2.1.204", "2.1.205")).toMatch(HEAD);
    expect(await reportSent("2.1.204", "2.1.332")).toBeNull();
  });
});

test("what comes while the model is at work is sent with the client's words around it (2.1.170, 2.1.234)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const at = { sessionId: session, timestamp: "2026-01-02T03:04:05.000Z", version: "2.1.170" };
  const queued = (uuid: string, parentUuid: string, prompt: string, commandMode: string): Line => ({
    ...{ type: "attachment", uuid, parentUuid, ...at },
    attachment: { type: "queued_command", prompt, commandMode },
  });
  const folder = await folderOf({
    [session]: [
      { type: "user", uuid: "u1", parentUuid: null, ...at, message: { content: "go" } },
      queued("typed", "u1", "and then", "prompt"),
      queued("report", "typed", "<task-notification>ended</task-notification>", "task-notification"),
    ],
  });
  const { messages } = await sentAt(folder, idOf(folder, session), "report");
  const [, system] = messages;
  expect(system?.role).toBe("system");
  expect(asArray(system?.content).map((block) => asString(asObject(block)?.text))).toEqual([
    expect.stringMatching(/^The user sent a new message while you were working:\nand then\n/),
    expect.stringMatching(/^\[SYSTEM NOTIFICATION - NOT USER INPUT\]\n[^]*\n\n<task-notification>ended</),
  ]);
});

/** Lines of one session, each with the one before it as its parent where it names none. */
function linesAfterEachOther(session: string, version: string, lines: readonly Line[]): Line[] {
  let parentUuid: string | null = null;
  return lines.map((line) => {
    const at = { sessionId: session, version, timestamp: "2026-01-02T03:04:05.000Z" };
    const linked: Line = line.uuid === undefined ? { ...at, ...line } : { ...at, parentUuid, ...line };
    parentUuid = line.uuid ?? parentUuid;
    return linked;
  });
}

test("an answer whose stream broke off is gone on with by words that are not logged, and its prompt is sent once (2.1.250)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const says = (uuid: string, more: object): Line => ({
    ...{ type: "assistant", uuid },
    message: { id: uuid, content: [{ type: "text", text: uuid }], stop_reason: "end_turn", ...more },
  });
  /** What is sent before the last answer, which follows one with these fields. */
  const sentAfter = async (first: object) => {
    const lines = linesAfterEachOther(session, "2.1.250", [
      { type: "queue-operation", operation: "enqueue", content: "go" },
      { type: "queue-operation", operation: "dequeue" },
      { type: "user", uuid: "u1", message: { content: "go" } },
      says("Half", first),
      says("Rest", { stop_details: null }),
    ]);
    const folder = await folderOf({ [session]: lines });
    return told((await sentAt(folder, idOf(folder, session), "Rest")).messages);
  };
  expect(await sentAfter({})).toEqual(["user: go", "assistant: Half", "user: Your response above was cut…"]);
  expect(await sentAfter({ stop_details: null })).toEqual(["user: go", "assistant: Half"]);
});

test("a note that the client adds in its own name is sent as a reminder (2.1.332)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const note = { type: "user", isMeta: true, message: { content: "Output token limit hit." } };
  const lines = linesAfterEachOther(session, "2.1.332", [
    { type: "user", uuid: "u1", message: { content: "go" } },
    { type: "assistant", uuid: "a1", message: { id: "m1", content: "Half", stop_reason: "max_tokens" } },
    { ...note, uuid: "n1", ownNote: true },
    { type: "assistant", uuid: "a2", message: { id: "m2", content: "Rest" } },
    { ...note, uuid: "n2" },
  ]);
  const folder = await folderOf({ [session]: lines });
  const { messages } = await sentAt(folder, idOf(folder, session), "n2");
  const notes = messages.slice(1).filter(({ role }) => role === "user");
  expect(notes.map(({ content }) => asObject(asArray(content)[0])?.text)).toEqual([
    "<system-reminder>\nOutput token limit hit.\n</system-reminder>",
    "Output token limit hit.",
  ]);
});

test("what a hook said at a turn's end is sent below the client's words about it (2.1.332)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const said = {
    type: "user",
    uuid: "h1",
    isMeta: true,
    message: { content: "Stop hook feedback:\nonce more" },
  };
  const lines = linesAfterEachOther(session, "2.1.332", [
    { type: "user", uuid: "u1", message: { content: "go" } },
    { type: "assistant", uuid: "a1", message: { id: "m1", content: "Done" } },
    { ...said, hookText: true, hookTextLead: "The text below is the output of a hook." },
  ]);
  const folder = await folderOf({ [session]: lines });
  const { messages } = await sentAt(folder, idOf(folder, session), "h1");
  expect(asObject(asArray(messages.at(-1)?.content)[0])?.text).toBe(
    "<system-reminder>\nThe text below is the output of a hook.\nStop hook feedback:\nonce more\n</system-reminder>",
  );
});

test("an agent that the client warmed up was told so, also where its log names a parent that no log has (2.1.5)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const agent = { isSidechain: true, agentId: "a1b2c3d" };
  const warm = { id: "m1", content: "I am ready." };
  const folder = await folderOf({
    [session]: linesAfterEachOther(session, "2.1.5", [
      { type: "user", uuid: "u1", message: { content: "go" } },
    ]),
    [`${session}/subagents/agent-a1b2c3d`]: linesAfterEachOther(session, "2.1.5", [
      { type: "assistant", uuid: "w1", parentUuid: "nowhere", ...agent, message: warm },
    ]),
  });
  const { messages } = await sentAt(folder, idOf(folder, session), "w1");
  expect(told(messages)).toEqual(["user: Warmup"]);
});

test("a result that stands before its call is sent in the order of the calls (2.1.250)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const calls = (uuid: string, parentUuid: string): Line => ({
    ...{ type: "assistant", uuid, parentUuid },
    message: { id: "m1", content: [{ type: "tool_use", id: `of ${uuid}`, name: "Agent", input: {} }] },
  });
  const answers = (uuid: string, call: string): Line => ({
    ...{ type: "user", uuid, parentUuid: call },
    message: { content: [{ type: "tool_result", tool_use_id: `of ${call}`, content: call }] },
  });
  const lines = linesAfterEachOther(session, "2.1.250", [
    { type: "user", uuid: "u1", message: { content: "go" } },
    calls("one", "u1"),
    answers("r3", "three"),
    answers("r1", "one"),
    calls("two", "r1"),
    answers("r2", "two"),
    calls("three", "r2"),
    { type: "assistant", uuid: "end", parentUuid: "r3", message: { id: "m2", content: "Done." } },
  ]);
  const folder = await folderOf({ [session]: lines });
  const { messages } = await sentAt(folder, idOf(folder, session), "end");
  const results = asArray(messages.at(-1)?.content).map((block) => asString(asObject(block)?.tool_use_id));
  expect(results).toEqual(["of one", "of two", "of three"]);
});

test("the lines of an answer are sent in the order of their parents, in whichever they were written (2.1.90)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const calls = (uuid: string, parentUuid: string): Line => ({
    ...{ type: "assistant", uuid, parentUuid },
    message: { id: "m1", content: [{ type: "tool_use", id: `of ${uuid}`, name: "Agent", input: {} }] },
  });
  const folder = await folderOf({
    [session]: linesAfterEachOther(session, "2.1.90", [
      { type: "user", uuid: "u1", message: { content: "go" } },
      calls("three", "two"),
      calls("two", "one"),
      calls("one", "u1"),
      { type: "assistant", uuid: "end", parentUuid: "three", message: { id: "m2", content: "Done." } },
    ]),
  });
  const { messages } = await sentAt(folder, idOf(folder, session), "end");
  const sent = asArray(messages[1]?.content).map((block) => asString(asObject(block)?.id));
  expect(sent).toEqual(["of one", "of two", "of three"]);
});

test("a command that the client runs itself is sent from 2.1.63 on, and by no older one where it is a line of the system's", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const sentBy = async (version: string) => {
    const folder = await folderOf({
      [session]: linesAfterEachOther(session, version, [
        { type: "user", uuid: "u1", message: { content: "go" } },
        { type: "assistant", uuid: "a1", message: { id: "m1", content: "Gone." } },
        {
          type: "system",
          subtype: "local_command",
          uuid: "s1",
          content: "<command-name>/tasks</command-name>",
        },
        { type: "user", uuid: "u2", message: { content: "on" } },
        { type: "assistant", uuid: "a2", message: { id: "m2", content: "Gone on." } },
      ]),
    });
    return told((await sentAt(folder, idOf(folder, session), "a2")).messages).at(-1);
  };
  expect(await sentBy("2.0.25")).toBe("user: on");
  expect(await sentBy("2.1.62")).toBe("user: on");
  expect(await sentBy("2.1.63")).toBe("user: /tasks / on");
});

test("a file in the name of another session continues that one (2.0.0)", async () => {
  const session = "d4d416b7-2d24-4fd4-aa5d-06fca4002aed";
  const later = "d4d416b7-0000-4000-8000-000000000001";
  const { folder } = await openRecording("2.0.42");
  const whole = idOf(folder, session);
  const lines = linesOf(folder, whole);
  const cut = lines.findIndex(({ uuid }) => uuid?.startsWith("0485c2"));
  // The original has gone on as well, so that its last lines do not tell.
  const own = { ...lines[cut], uuid: "own", parentUuid: lines[cut - 3]?.uuid ?? null } as Line;
  const padding = Array.from({ length: 40 }, (_, n) => ({
    ...own,
    uuid: `own ${n}`,
    parentUuid: n === 0 ? "own" : `own ${n - 1}`,
  }));
  const split = await folderOf({
    [session]: [...lines.slice(0, cut), own, ...padding],
    [later]: lines.slice(cut, cut + 2),
  });
  const [first, second] = [idOf(split, session), idOf(split, later)];

  const related = async (id: SessionId, other: SessionId) =>
    (await settled(() => split.sessions.related(id))).related.find((one) => one.id === other)?.relation;
  expect([await related(second, first), await related(first, second)]).toEqual(["continues", "continued-in"]);

  const answer = lines[cut + 1]?.uuid ?? "";
  const [expected, sent] = [await sentAt(folder, whole, answer), await sentAt(split, second, answer)];
  expect(told(sent.messages)).toEqual(told(expected.messages));
  expect(sent.messages).toEqual(expected.messages);
  expect(sent.notes.map(({ isNew }) => isNew)).toEqual(expected.notes.map(({ isNew }) => isNew));
  expect(sent.notes.map(({ recordIds }) => recordIds.length)).toEqual([0, 0, 0, 0, 1]);

  // Its lines are its own: none counts as carried over.
  const { rows } = await rowsOf(split, second, "everything");
  expect(rows.filter(({ carried }) => carried)).toEqual([]);
  expect((await detailOf(split, second)).counts).toMatchObject({ records: 2, turns: 1, branches: 1 });
});

test("a session that continues one with more lines than a call can have arguments has all of them", async () => {
  const LINES = 130_000;
  const line = (uuid: string, parentUuid: string | null): Line => {
    const message = { role: "user", content: "more" };
    return { type: "user", uuid, parentUuid, timestamp: "2026-01-02T03:04:05.000Z", message };
  };
  const names = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
  const [first = "", second = ""] = names;
  const folder = await folderOf({
    [first]: Array.from({ length: LINES }, (_, n) => line(`e${n}`, n === 0 ? null : `e${n - 1}`)),
    [second]: [line("own", `e${LINES - 1}`)],
  });
  const [earlier, session] = [
    await folder.sessions.latest(idOf(folder, first)),
    await folder.sessions.latest(idOf(folder, second)),
  ];
  const parts = await rebuildRequest(session, 0, async (from, uuid) =>
    from === session ? { session: earlier, record: earlier.findUuid(uuid) } : null,
  );
  expect(parts.map(({ record }) => record).filter((record) => record !== -1)).toEqual([0]);
  expect(parts.length).toBe(LINES + 1);
});

test("an image is sent until results are cleared on its branch, and as a word from there on (2.1.42)", async () => {
  const session = "00000000-0000-4000-8000-000000000001";
  const at = (
    uuid: string,
    parentUuid: string | null,
    more: Omit<Line, "type"> & { type: string },
  ): Line => ({
    uuid,
    parentUuid,
    timestamp: "2026-01-02T03:04:05.000Z",
    ...more,
  });
  const user = (uuid: string, parentUuid: string | null, content: unknown) =>
    at(uuid, parentUuid, { type: "user", message: { role: "user", content } });
  const says = (uuid: string, parentUuid: string) =>
    at(uuid, parentUuid, {
      type: "assistant",
      message: { id: uuid, role: "assistant", content: [{ type: "text", text: uuid }] },
    });
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const folder = await folderOf({
    [session]: [
      user("u1", null, [{ type: "text", text: "look" }, image]),
      says("a1", "u1"),
      user("u2", "a1", "and then"),
      says("a2", "u2"),
      at("cleared", "a2", { type: "system", subtype: "microcompact_boundary", content: "Cleared" }),
      user("u3", "cleared", "go on"),
      says("a3", "u3"),
      user("u4", "a1", "another way"),
      says("a4", "u4"),
    ],
  });
  const first = async (uuid: string) => told((await sentAt(folder, idOf(folder, session), uuid)).messages)[0];
  expect([await first("a3"), await first("u3")]).toEqual(["user: look / [image]", "user: look / [image]"]);
  // What came before it was sent as it is, and on another branch nothing was cleared.
  expect([await first("u2"), await first("u4"), await first("a4")]).toEqual([
    "user: look / image",
    "user: look / image",
    "user: look / image",
  ]);
});
