import { expect, test } from "vitest";
import { asArray, asObject } from "@/lib/log/records/json";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const ID = uuid(1) as SessionId;

function line(id: string, parentUuid: string, message: string, block: object) {
  const content = { id: message, role: "assistant", model: "m", content: [block], stop_details: null };
  return answer(id, { uuid: id, parentUuid, message: content });
}

function result(uuid: string, parentUuid: string, tool: string, content: string) {
  const block = { type: "tool_result", tool_use_id: tool, content };
  return prompt(uuid, { uuid, parentUuid, message: { role: "user", content: [block] } });
}

const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} });

/** An answer with a thought, a text and two calls, after which the session went on. */
const ANSWERED = [
  prompt("read", { parentUuid: null }),
  line("thought", "u-read", "m1", { type: "thinking", thinking: "Two files.", signature: "s" }),
  line("text", "thought", "m1", { type: "text", text: "Reading." }),
  line("one", "text", "m1", call("t1")),
  line("two", "one", "m1", call("t2")),
  result("r1", "one", "t1", "first"),
  result("r2", "two", "t2", "second"),
  line("end", "r2", "m2", { type: "text", text: "Read." }),
];

/** What was sent for the last answer of a session that was resumed at a line, and perhaps resumed again. */
async function sentAfter(at: string, ...again: Record<string, unknown>[]): Promise<string[]> {
  const back = [
    prompt("back", { parentUuid: at }),
    line("reply", "u-back", "m3", { type: "text", text: "Back." }),
  ];
  return sentFor([...ANSWERED, ...back, ...again], String((again.at(-1) ?? back.at(-1))?.uuid));
}

async function sentFor(lines: readonly Record<string, unknown>[], uuid: string): Promise<string[]> {
  const written = lines.map((one) => ({ ...one, version: "2.1.179" }));
  const folder = await openFolder(makeTree({ [`projects/-shop/${ID}.jsonl`]: written }));
  const { messages } = await settled(() => folder.sessions.messages(ID, uuid));
  return messages.map(({ role, content }) => `${role}: ${asArray(content).map(words).join(" / ")}`);
}

function words(block: unknown): string {
  const { type, text, id, tool_use_id: of, content, is_error: failed } = asObject(block) ?? {};
  if (type === "text") return String(text).trim();
  if (type === "tool_result") return `${String(of)} ${failed ? "!" : ""}${String(content)}`;
  return String(id ?? type);
}

const MISSING = "![Tool result missing due to internal error]";

test.each<[string, string[]]>([
  ["thought", ["user: read / back"]],
  ["text", ["user: read", "assistant: thinking / Reading.", "user: back"]],
  ["one", ["user: read", "assistant: thinking / Reading. / t1", `user: t1 ${MISSING} / back`]],
  [
    "two",
    ["user: read", "assistant: thinking / Reading. / t1 / t2", `user: t1 ${MISSING} / t2 ${MISSING} / back`],
  ],
  ["r1", ["user: read", "assistant: thinking / Reading. / t1 / t2", `user: t2 ${MISSING} / t1 first / back`]],
  ["r2", ["user: read", "assistant: thinking / Reading. / t1 / t2", "user: t1 first / t2 second / back"]],
])(
  "a session that is resumed at “%s” of an answer sends nothing of it behind that (2.1.179)",
  async (at, sent) => {
    expect(await sentAfter(at)).toEqual(sent);
  },
);

test("once it is resumed again it sends the whole answer, as the client reads it from the log", async () => {
  const again = [
    prompt("on", { parentUuid: "reply" }),
    line("last", "u-on", "m4", { type: "text", text: "On." }),
  ];
  expect(await sentAfter("text", ...again)).toEqual([
    "user: read",
    "assistant: thinking / Reading. / t1 / t2",
    "user: t1 first / t2 second / back",
    "assistant: Back.",
    "user: on",
  ]);
});

test("a client that was ended in one of two calls goes on without the other, once it is resumed (2.1.90, 2.1.179)", async () => {
  const asks = prompt("goes on", {
    ...{ uuid: "asks", parentUuid: "r1", isMeta: true },
    message: { role: "user", content: "Continue from where you left off." },
  });
  const spacer = line("spacer", "asks", "s", { type: "text", text: "No response requested." });
  const synthetic = { ...spacer, message: { ...(spacer.message as object), model: "<synthetic>" } };
  const lines = [
    ...ANSWERED.slice(0, 4),
    result("r1", "one", "t1", "first"),
    line("two", "r1", "m1", call("t2")),
    asks,
    synthetic,
    prompt("on", { parentUuid: "spacer" }),
    line("end", "u-on", "m2", { type: "text", text: "On." }),
  ];
  expect(await sentFor(lines, "end")).toEqual([
    "user: read",
    "assistant: thinking / Reading. / t1",
    "user: t1 first / Continue from where you left off.",
    "assistant: No response requested.",
    "user: on",
  ]);
});
