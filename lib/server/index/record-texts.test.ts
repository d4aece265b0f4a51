import { expect, test } from "vitest";
import { addRecord } from "@/lib/log/adding/add-record";
import { parseLine } from "@/lib/log/records/parse-record";
import { SessionTable } from "@/lib/log/table/session-table";
import { DETAILS } from "@/lib/wire/rows";
import { detailOfField } from "@/lib/wire/search";
import { holdsIndexedText, indexedTexts, queuedTextOf, recordTexts } from "./record-texts";

const user = (content: unknown, more: object = {}) => ({
  ...{ type: "user", uuid: "u1", parentUuid: "a1", message: { role: "user", content } },
  ...more,
});
const system = (subtype: string, content: string) => ({ type: "system", uuid: "s1", subtype, content });

test.each<[string, object]>([
  ["a prompt", user("okapi")],
  ["the note ahead of a local command", user("<local-command-caveat>okapi", { isMeta: true })],
  ["what a command was made to", user([{ type: "text", text: "okapi" }], { isMeta: true })],
  ["what a hook said (1.0.128)", user("<user-prompt-submit-hook>okapi</user-prompt-submit-hook>")],
  ["a reminder alone", user("<system-reminder>okapi</system-reminder>")],
  [
    "the arguments of a command",
    user("<command-name>/review</command-name>\n<command-args>okapi</command-args>"),
  ],
  ["a command for the shell", user("<bash-input>okapi</bash-input>")],
  ["what a command printed", user("<local-command-stdout>okapi</local-command-stdout>")],
  [
    "the prompt of a skill's agent (2.1.330)",
    user("okapi", { isMeta: true, isSidechain: true, agentId: "a1", parentUuid: null }),
  ],
  [
    "a command on a line of the client's (2.1.330)",
    system("local_command", "<command-name>/okapi</command-name>"),
  ],
  ["a notice (2.1.330)", system("informational", "okapi")],
  ["a line of bookkeeping", system("bridge_status", "okapi")],
  [
    "what the client attached",
    { type: "attachment", uuid: "t1", attachment: { type: "date", date: "okapi" } },
  ],
])("a hit in %s asks for the detail that shows its row", (_, json) => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const [record] = parseLine({ bytes, offset: 0, length: bytes.length, line: 1 });
  if (!record) throw new Error("No record");
  const table = new SessionTable();
  addRecord(table, 0, record, () => record);
  const [hit] = recordTexts(record).filter(({ text }) => text.includes("okapi"));
  expect(hit && detailOfField(hit.field)).toBe(DETAILS[table.blocks.level.at(0)]);
});

test.each<[string, object, string[]]>([
  [
    "a command",
    user(
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>pull 7</command-args>",
    ),
    ["command: /review pull 7"],
  ],
  [
    "one of 1.0.60",
    user(
      "<command-name>/init</command-name>\n <command-message>init is analyzing your codebase…</command-message>",
    ),
    ["command: /init", "meta: init is analyzing your codebase…"],
  ],
  ["a command for the shell", user("<bash-input>ls -la</bash-input>"), ["command: ! ls -la"]],
  [
    "what that printed",
    user("<bash-stdout>a <b>\nc</bash-stdout><bash-stderr>oh</bash-stderr>"),
    ["output: a <b>\nc\noh"],
  ],
  [
    "what a command printed",
    user("<local-command-stdout>Set model to opus</local-command-stdout>"),
    ["output: Set model to opus"],
  ],
  [
    "a command that is not known (1.0.128)",
    user("Unknown slash command: <x>"),
    ["output: Unknown slash command: <x>"],
  ],
  [
    "a command on a line of the client's (2.1.330)",
    system("local_command", "<command-name>/cost</command-name>\n<command-args></command-args>"),
    ["output: /cost"],
  ],
])("%s is found as its row shows it, and by no word of its tags", (_, json, found) => {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const [record] = parseLine({ bytes, offset: 0, length: bytes.length, line: 1 });
  const texts = record ? recordTexts(record) : [];
  const ofLine = new Set(["user", "system", "u1", "a1", "s1", "local_command"]);
  expect(texts.filter(({ text }) => !ofLine.has(text)).map(({ field, text }) => `${field}: ${text}`)).toEqual(
    found,
  );
});

function recordOf(json: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const [record] = parseLine({ bytes, offset: 0, length: bytes.length, line: 1 });
  if (!record) throw new Error("No record");
  return record;
}
const queued = (operation: string, content: string) => ({ type: "queue-operation", operation, content });
const fields = (json: object, word: string) =>
  recordTexts(recordOf(json)).flatMap(({ field, text }) => (text.includes(word) ? [field] : []));

test("a text of the queue is found where it was put in, and not again where it was taken out", () => {
  expect(fields(queued("enqueue", "okapi"), "okapi")).toEqual(["prompt"]);
  expect(fields(queued("remove", "okapi"), "okapi")).toEqual([]);
  expect(fields(queued("popAll", "okapi"), "okapi")).toEqual(["meta"]);
});

test("a queued text is found once in the line that delivers it, though the message repeats it (2.1.330)", () => {
  const attachment = { type: "queued_command", prompt: "okapi" };
  const delivered = { type: "attachment", uuid: "t1", attachment, message: "sent: okapi" };
  expect(fields(delivered, "okapi")).toEqual(["prompt"]);
  expect(fields(delivered, "sent:")).toEqual(["meta"]);
});

test("no letters of an image are found, and all else of its block is", () => {
  const source = { type: "base64", media_type: "image/okapi", data: "okapi" };
  expect(fields(user([{ type: "image", source }]), "okapi")).toEqual(["attachment"]);
});

test("a call without any words in its input is found by its tool's name", () => {
  const call = (input: object) => ({
    type: "assistant",
    uuid: "a1",
    message: { id: "m1", role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Okapi", input }] },
  });
  expect(indexedTexts(recordOf(call({ depth: 3 })))).toMatchObject([
    { field: "input", text: "Okapi", tool: "Okapi" },
  ]);
  expect(indexedTexts(recordOf(call({ of: ["a", { b: "c" }] })))).toMatchObject([
    { field: "input", text: "a\nc", tool: "Okapi" },
  ]);
});

test("texts of one row are one, and texts beside a result stand in their own blocks, read when the log is", () => {
  const text = (words: string) => ({ type: "text", text: words });
  expect(indexedTexts(recordOf(user([text("one"), text("two")])))).toMatchObject([
    { block: 0, field: "prompt", text: "one\ntwo" },
  ]);
  const image = { type: "image", source: { type: "base64", data: "a" } };
  expect(indexedTexts(recordOf(user([image, text("one")])))).toMatchObject([{ block: 0, text: "one" }]);
  const result = { type: "tool_result", tool_use_id: "t1", content: "given" };
  const beside = recordOf(user([result, text("one"), text("two")]));
  expect([indexedTexts(beside), holdsIndexedText(beside)]).toEqual([[], false]);
  expect(recordTexts(beside).filter(({ text: words }) => /one|two/.test(words))).toMatchObject([
    { block: 1, text: "one" },
    { block: 2, text: "two" },
  ]);
});

test.each<[string, object, ReturnType<typeof queuedTextOf>]>([
  ["a prompt that waits", queued("enqueue", "fix it"), { text: "fix it", waits: true, by: "place" }],
  ["one that is delivered", user("fix it"), { text: "fix it", waits: false, by: "place" }],
  ["a command that waits", queued("enqueue", " /review "), { text: "/review", waits: true, by: "text" }],
  [
    "a command that is delivered",
    user("<command-name>/review</command-name>"),
    { text: "/review", waits: false, by: "text" },
  ],
  ["what an agent was told", user("fix it", { isSidechain: true }), null],
  ["a line of the client's own", user("fix it", { isMeta: true }), null],
  ["a summary", user("So far", { isCompactSummary: true }), null],
  [
    "words beside a result",
    user([
      { type: "tool_result", tool_use_id: "t1" },
      { type: "text", text: "a" },
    ]),
    null,
  ],
  ["what is taken out", queued("remove", "fix it"), null],
  ["nothing", user(" "), null],
])("of the queue is %s", (_, json, text) => {
  expect(queuedTextOf(recordOf(json))).toEqual(text);
});
