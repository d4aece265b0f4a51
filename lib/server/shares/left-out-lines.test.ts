import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseJson } from "@/lib/format/json-values";
import { asArray, asObject, type JsonObject } from "@/lib/log/records/json";
import { answer, makeTree, prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { type OpenFolder, openFolder, rowsOf } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { LEFT_OUT, type LeftOut } from "@/lib/wire/shares";
import { CopyFollower, copyFolderOf } from "./copy-follower";
import type { CopySource } from "./copy-source";
import { CopyWorker } from "./copy-task";
import { isAgents, textWithoutLeftOut, withoutLeftOut } from "./left-out-lines";
import { SessionCopy } from "./session-copy";

const SESSION = `projects/-srv-shop/${uuid(1)}`;
const RULES = { own: [], learned: null, learnedUpTo: {}, kept: [] };

const thought = (text: string, type = "thinking") => ({ type, thinking: text, signature: "c2lnbmF0dXJl" });
const message = (...content: unknown[]) => ({ id: "msg_1", role: "assistant", model: "claude-x", content });
const agents = (content: string, more: Record<string, unknown> = {}) =>
  prompt(content, { isSidechain: true, agentId: "a1", ...more });

/** All text in a folder, with the names of its files. */
function textIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((one) => `${one.name}\n${one.isFile() ? readFileSync(join(one.parentPath, one.name), "utf8") : ""}`)
    .join("\n");
}

test("a block of thinking is emptied, and all others keep their places", () => {
  const text = { type: "text", text: 'Look at {"type":"text"}' };
  const line = answer("", {
    message: message(thought("hidden"), text, { type: "redacted_thinking", data: "aGlk" }),
  });
  const left = withoutLeftOut(JSON.stringify(line), ["thinking"]);
  expect(JSON.parse(left ?? "")).toEqual({
    ...line,
    message: message({ type: "thinking", thinking: "", signature: "" }, text, {
      type: "redacted_thinking",
      data: "",
    }),
  });
  const other = JSON.stringify(prompt("think", { thinkingMetadata: { level: "high" } }));
  for (const leftOut of [["thinking"], ["agents"], LEFT_OUT] as LeftOut[][])
    expect(withoutLeftOut(other, leftOut)).toBe(other);
  expect(withoutLeftOut(JSON.stringify(line), ["agents"])).toBe(JSON.stringify(line));
});

test.each([
  ["a damaged line", `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hidden"}`],
  ["a record in a text", toText([prompt(toText([answer("", { message: message(thought("hidden")) })]))])],
  ["three texts in each other", JSON.stringify([JSON.stringify([JSON.stringify([thought("hidden")])])])],
  [
    "texts deeper than are looked into",
    JSON.stringify([JSON.stringify([JSON.stringify([JSON.stringify([thought("hidden")])])])]),
  ],
  [
    "a value deeper than can be written",
    `${"[".repeat(5_000)}${JSON.stringify(thought("hidden"))}${"]".repeat(5_000)}`,
  ],
])("no thought is in %s", (_, line) => {
  expect(line).toContain("hidden");
  expect(withoutLeftOut(line, ["thinking"])).not.toContain("hidden");
  expect(textWithoutLeftOut(line, ["thinking"])).not.toContain("hidden");
  expect(withoutLeftOut(line, ["agents"])).toBe(line);
});

test("nor in a line whose beginning is lost, which may be one", () => {
  expect(withoutLeftOut('hidden","signature":"c2ln"}]}}', ["thinking"])).toBe("[left out]");
  const signed = JSON.stringify(prompt("x", { toolUseResult: { signature: "c2ln" } }));
  expect(withoutLeftOut(signed, ["thinking"])).toBe(signed);
  expect(withoutLeftOut("damaged", LEFT_OUT)).toBe("damaged");
});

test("nor in JSON over many lines", () => {
  const text = JSON.stringify([thought("hidden"), { type: "text", text: "shown" }], null, 2);
  expect(textWithoutLeftOut(text, ["thinking"])).not.toContain("hidden");
  expect(textWithoutLeftOut(text, ["thinking"])).toContain("shown");
});

const PNG = `iVBORw0KGgo${"AbCd+/".repeat(60)}==`;
const SVG = "PHN2Zy".repeat(60);
const WORD = /\[(?:image|document)\]/;

test.each([
  [
    "a block",
    { beside: [{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } }] },
  ],
  [
    "a PDF",
    { beside: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: SVG } }] },
  ],
  ["what Read returned", { toolUseResult: { type: "image", file: { base64: SVG, type: "image/svg+xml" } } }],
  ["what a command printed", { toolUseResult: { stdout: `data:image/png;base64,${PNG}`, isImage: true } }],
  [
    "what an MCP server answered",
    { toolUseResult: [{ type: "image", data: SVG, mimeType: "image/svg+xml" }] },
  ],
  [
    "a resource of one",
    { toolUseResult: [{ type: "resource", resource: { blob: SVG, mimeType: "image/gif" } }] },
  ],
  ["an output of a notebook", { outputs: [{ image: { image_data: SVG, media_type: "image/svg+xml" } }] }],
  ["an address in a page's source", { content: `<img src="data:image/svg+xml;base64,${SVG}"> and on` }],
  ["bare base64 in an output", { stdout: `$ base64 a.png\n${PNG}` }],
  [
    "a record in a text",
    { content: JSON.stringify({ type: "image", source: { type: "base64", data: SVG } }) },
  ],
  [
    "an agent's output",
    { content: `<output>\n${JSON.stringify({ m: [{ type: "image", data: SVG }] })}\n</output>` },
  ],
])("no byte of an image is in %s, where a word stands", (_, held) => {
  const line = JSON.stringify({ ...prompt("look"), ...held });
  const left = withoutLeftOut(line, ["images"]) ?? "";
  expect(left).not.toMatch(/PHN2ZyPHN2Zy|iVBORw0KGgo|AbCd/);
  expect(left).toMatch(WORD);
  expect(JSON.parse(left)).toMatchObject({ type: "user", message: { content: "look" } });
  expect(withoutLeftOut(line, ["thinking", "agents"])).toBe(line);
  expect(textWithoutLeftOut(line, ["images"])).not.toMatch(/PHN2ZyPHN2Zy|iVBORw0KGgo|AbCd/);
});

test("nor in a damaged line, of which its beginning may be lost; a text that only tells of images stays", () => {
  const whole = JSON.stringify({ type: "image", source: { type: "base64", data: SVG } });
  expect(withoutLeftOut(whole.slice(0, 300), ["images"])).toBe("[left out]");
  expect(withoutLeftOut(whole.slice(120), ["images"])).toBe("[left out]");
  const told = JSON.stringify({
    ...prompt('import base64\n{"type":"image"}\n"image" and "pdf" {'),
    note: ["data:image/png", "/9j/k", "iVBORw0KGgo is how a PNG begins"],
  });
  expect(withoutLeftOut(told, ["images"])).toBe(told);
});

test("an agent's lines are left out of the main log, and what repeats them is emptied", () => {
  const line = JSON.stringify(agents("hidden"));
  expect(withoutLeftOut(line, ["agents"])).toBeNull();
  expect(withoutLeftOut(line, ["thinking"])).toBe(line);
  const output = JSON.stringify(prompt(`<output>\n${line}\n${line}\n</output>`));
  expect(JSON.parse(withoutLeftOut(output, ["agents"]) ?? "").message.content).toBe("<output>\n</output>");
  const progress = {
    type: "progress",
    uuid: uuid(7),
    data: { type: "agent_progress", message: answer("hidden") },
  };
  expect(JSON.parse(withoutLeftOut(JSON.stringify(progress), ["agents"]) ?? "")).toEqual({
    ...progress,
    data: { type: "agent_progress" },
  });
  const nested = JSON.stringify({ ...prompt("x"), toolUseResult: { messages: [agents("hidden"), "shown"] } });
  expect(withoutLeftOut(nested, ["agents"])).not.toContain("hidden");
  expect(withoutLeftOut(nested, ["agents"])).toContain("shown");
});

test.each([
  [`${SESSION}/subagents/agent-a1.jsonl`, true],
  [`${SESSION}/subagents/workflows/wf_1/journal.jsonl`, true],
  [`${SESSION}/workflows/wf_1.json`, true],
  ["projects/-srv-shop/agent-0a1b2c3d.jsonl", true],
  ["projects/-srv-shop/agent-0a1b2c3d.meta.json", true],
  [`todos/${uuid(1)}-agent-a1.json`, true],
  [`todos/${uuid(1)}-agent-${uuid(1)}.json`, false],
  [`${SESSION}/tool-results/other.txt`, true],
  [`${SESSION}/tool-results/own.txt`, false],
  [`${SESSION}.jsonl`, false],
  ["plans/subagents.md", false],
])("whether %s is an agent's: %s", (place, isTheirs) => {
  expect(isAgents(place, new Set(["own.txt"]))).toBe(isTheirs);
});

/** A session whose agent and main log have a long output each, and its copy. */
function copyOfAgents(leftOut: readonly LeftOut[]) {
  const places = {
    [`${SESSION}.jsonl`]: [
      prompt("begin"),
      answer("", { message: message(thought("first hidden")) }),
      agents("said beside"),
      prompt("Full output saved to: /x/tool-results/own.txt.", { cwd: "/srv/shop" }),
    ],
    [`${SESSION}/subagents/agent-a1.jsonl`]: [agents('export DB_PASSWORD="zebra42lamp77"')],
    [`${SESSION}/subagents/agent-a1.meta.json`]: [{ agentType: "scout" }],
    [`${SESSION}/tool-results/own.txt`]: ["long", agents("of the agent"), thought("in a file")],
    [`${SESSION}/tool-results/later.txt`]: ["only later"],
  };
  const root = makeTree(places);
  const folder = join(makeTree({}), "copy");
  const sources: CopySource[] = Object.keys(places).map((place) => ({
    ...{ root, path: join(root, place), place },
    key: place.includes(".jsonl") ? (place.includes("agent-") ? "a1" : "m") : null,
  }));
  const copy = new SessionCopy(folder, RULES, leftOut);
  // Agents first, as they are copied.
  const update = () => copy.update([...sources].reverse());
  update();
  const log = join(root, `${SESSION}.jsonl`);
  return { log, copy, update, text: () => textIn(folder) };
}

test("what is left out is not in the copy, also not what is written later", () => {
  const { log, update, text } = copyOfAgents(LEFT_OUT);
  expect(text()).not.toMatch(
    /hidden|said beside|agent-a1|scout|of the agent|in a file|only later|later\.txt/,
  );
  expect(text()).toMatch(/begin[^]*own\.txt\.[^]*long/);
  appendFileSync(
    log,
    toText([answer("", { message: message(thought("second hidden")) }), agents("beside again")]),
  );
  // The last one has no newline yet.
  appendFileSync(log, JSON.stringify(agents("beside, at the end")));
  expect(update()).toBe(true);
  expect(text()).not.toMatch(/hidden|beside/);
  appendFileSync(log, `\n${toText([prompt("saved to: /x/tool-results/later.txt zebra42lamp77")])}`);
  update();
  expect(text()).not.toMatch(/hidden|beside/);
  // An output is copied as soon as a line points at it, and a secret that only an agent's log tells is replaced.
  expect(text()).toContain("only later");
  expect(text()).toMatch(/later\.txt \[[a-z-]+ 1\]/);
  expect(update()).toBe(false);
});

test.each([
  ["thinking", /hidden|in a file/, /said beside[^]*scout|scout[^]*said beside/],
  ["agents", /said beside|scout|of the agent/, /first hidden/],
] as const)("without %s alone, the other one is there", (name, left, kept) => {
  const { text } = copyOfAgents([name]);
  expect(text()).not.toMatch(left);
  expect(text()).toMatch(kept);
});

test("ids of an address are those of the same lines, behind lines that are left out", () => {
  const { log, copy, text } = copyOfAgents(LEFT_OUT);
  const offset = (within: string, line: string) => within.lastIndexOf("\n", within.indexOf(line)) + 1;
  const from = offset(readFileSync(log, "utf8"), "Full output").toString(36);
  const copied = text().slice(text().indexOf(`${uuid(1)}.jsonl\n`) + `${uuid(1)}.jsonl\n`.length);
  expect(copy.translate(`?at=m~${from}`)).toBe(`?at=m~${offset(copied, "Full output").toString(36)}`);
});

/** Every object in the logs of a folder. */
function recordsIn(text: string): JsonObject[] {
  return text.split("\n").flatMap((line) => {
    const record = asObject(parseJson(line));
    return record ? [record] : [];
  });
}

function thoughtsOf(record: JsonObject): string[] {
  return asArray(asObject(record.message)?.content).flatMap((block) => {
    const { type, thinking } = asObject(block) ?? {};
    return type === "thinking" && typeof thinking === "string" && thinking !== "" ? [thinking] : [];
  });
}

/** A text may be in a text in a text, with backslashes each time. */
const withoutEscapes = (text: string) => text.replaceAll("\\", "");
const asWritten = (text: string) => withoutEscapes(JSON.stringify(text).slice(1, -1));

/** What a session's rows say, but for thinking and what agents are told and tell on their own. */
async function told(folder: OpenFolder, id: SessionId): Promise<string[]> {
  const { rows } = await rowsOf(folder, id, "tools");
  return rows.flatMap((row) =>
    row.kind === "turn"
      ? [row.prompt?.text ?? ""]
      : row.kind === "text"
        ? [row.text.text]
        : row.kind === "tool"
          ? [row.name]
          : [],
  );
}

/** The data of every image and document in a value. */
function imageData(value: unknown): string[] {
  const found: string[] = [];
  const pending = [value];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const fields = asObject(one) ?? {};
    for (const data of [fields.base64, fields.type === "base64" ? fields.data : null])
      if (typeof data === "string") found.push(data.slice(0, 64));
    for (const held of Array.isArray(one) ? one : Object.values(fields))
      if (held !== null) pending.push(held);
  }
  return found;
}

test.each(["2.1.29", "2.1.330"] as RecordedVersion[])(
  "copies of what %s wrote hold no image, and all other rows",
  async (version) => {
    const { folder } = await openRecording(version);
    let looked = 0;
    for (const { id } of folder.catalog.summaries()) {
      const { root, main, agents } = folder.catalog.sessionFiles(id);
      const hidden = [main, ...agents].flatMap(({ path }) =>
        recordsIn(readFileSync(path, "utf8")).flatMap(imageData),
      );
      if (hidden.length === 0) continue;
      looked += 1;
      const to = join(makeTree({}), "copy");
      const copy = new SessionCopy(to, null, ["images"]);
      copy.update(
        [main, ...agents].map((file) => ({
          ...{ root, path: file.path, place: `projects/${file.path.slice(root.length + 1)}` },
          key: file === main ? "m" : file.path,
        })),
      );
      const text = textIn(to);
      expect(hidden.filter((data) => text.includes(data))).toEqual([]);
      expect(text).toMatch(WORD);
      const copied = await openFolder(to);
      const rows = await rowsOf(copied, copied.catalog.summaries()[0]?.id as SessionId, "tools");
      const before = await rowsOf(folder, id, "tools");
      expect(rows.rows.map(({ kind }) => kind)).toEqual(before.rows.map(({ kind }) => kind));
      expect(JSON.stringify(rows)).not.toContain('"mediaType":"image');
    }
    expect(looked).toBeGreaterThan(0);
  },
);

const THOUGHTS_AND_AGENTS: LeftOut[] = ["thinking", "agents"];
const VERSIONS: RecordedVersion[] = ["1.0.128", "2.1.29", "2.1.330"];

test.each(VERSIONS)("copies of what %s wrote hold no thought and no line of an agent", async (version) => {
  const { folder } = await openRecording(version);
  const copies = new CopyWorker();
  const follower = new CopyFollower(
    folder.catalog,
    (task) => copies.do(task),
    async () => [],
    { batchMs: 1, lookEveryMs: 0 },
  );
  let looked = 0;
  for (const { id } of folder.catalog.summaries()) {
    const { main, agents } = folder.catalog.sessionFiles(id);
    const records = [main, ...agents].map(({ path }) => recordsIn(readFileSync(path, "utf8")));
    const theirs = [
      ...(records[0] ?? []).filter((one) => one.isSidechain === true),
      ...records.slice(1).flat(),
    ];
    const ids = theirs.flatMap((one) => (typeof one.uuid === "string" ? [`"uuid":"${one.uuid}"`] : []));
    const hidden = [...ids, ...records.flat().flatMap(thoughtsOf).map(asWritten)];
    if (hidden.length === 0) continue;
    looked += 1;
    const copied = {
      id,
      sessionId: id,
      folder: join(makeTree({}), "copy"),
      rules: null,
      leftOut: THOUGHTS_AND_AGENTS,
    };
    await follower.follow(copied);
    const logs = copyFolderOf(copied.folder);
    const text = withoutEscapes(textIn(logs));
    expect(hidden.filter((one) => text.includes(one))).toEqual([]);
    const copy = await openFolder(logs);
    const [only] = copy.catalog.summaries();
    // 2.1.29: where a suggestion was made, the answer before it may be in the log of that agent alone.
    if (agents.some(({ path }) => path.includes("aprompt_suggestion"))) continue;
    expect(await told(copy, only?.id as SessionId), id).toEqual(await told(folder, id));
  }
  expect(looked).toBeGreaterThan(2);
});
