import { expect, test } from "vitest";
import { atOnce } from "@/lib/format/in-steps";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { buildRequestIndex } from "@/lib/log/request/walk-chain";
import { LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { contextParts } from "./context-parts";
import { listRequests } from "./request-list";
import type { ContextParts } from "./window-parts";

/** How many tokens a character of each part has, of which the log says nothing. */
const TOKENS_A_CHAR = { system: 0.2, tools: 0.22, prompts: 0.3, answers: 0.25, "result:Read": 0.5 };
const PREAMBLE = { system: 4_000, tools: 40_000 };
const MODEL = "claude-opus-4-5-20251101";

type Part = keyof typeof TOKENS_A_CHAR;

/** A session as the API counts it: each block has its characters, each answer the tokens of all that precedes it. */
class CountedSession {
  readonly lines: TestLine[] = [];
  readonly sizes: number[] = [];
  readonly sent: Record<Part, number>[] = [];
  readonly #chars: Record<Part, number> = { ...PREAMBLE, prompts: 0, answers: 0, "result:Read": 0 };
  #last: string | null = null;

  prompt(chars: number): void {
    this.#add("prompts", [chars]);
    this.#write({ type: "user", message: { role: "user", content: "Go on." } });
  }

  /** A text, and a call that returns so many characters. */
  answer(chars: number, returned: number, model = MODEL, counts = 1): void {
    const nth = this.sent.length;
    const tokens = this.#tokens(counts);
    this.sent.push(tokens);
    const input = Math.round(Object.values(tokens).reduce((sum, part) => sum + part, 0));
    this.#add("answers", [chars, 50]);
    const content = [
      { type: "text", text: "I look." },
      { type: "tool_use", id: `toolu_${nth}`, name: "Read", input: { file_path: "/a" } },
    ];
    const usage = { input_tokens: input, output_tokens: 40 };
    this.#write({
      type: "assistant",
      message: { id: `msg_${nth}`, role: "assistant", model, content, usage },
    });
    this.#add("result:Read", [returned]);
    const result = { type: "tool_result", tool_use_id: `toolu_${nth}`, content: "It is." };
    this.#write({ type: "user", message: { role: "user", content: [result] } });
  }

  parts(preamble: typeof PREAMBLE | null = PREAMBLE): ContextParts[] {
    const table = tableOf(this.lines);
    if (table.blocks.size !== this.sizes.length) throw new Error("A block has no size");
    const graph = buildGraph(table, LOGS);
    const requests = atOnce(listRequests(table, graph, atOnce(buildRequestIndex(table)), () => null));
    const parts = atOnce(contextParts(table, graph, requests, this.sizes, () => preamble));
    return requests.map((_, nth) => parts.of(nth));
  }

  #add(part: Part, sizes: number[]): void {
    for (const size of sizes) this.#chars[part] += size;
    this.sizes.push(...sizes);
  }

  #tokens(counts: number): Record<Part, number> {
    const parts = Object.entries(this.#chars).map(([part, chars]) => [
      part,
      chars * TOKENS_A_CHAR[part as Part] * counts,
    ]);
    return Object.fromEntries(parts) as Record<Part, number>;
  }

  #write(json: Record<string, unknown>): void {
    const uuid = `00000000-0000-4000-8000-${String(this.lines.length).padStart(12, "0")}`;
    const timestamp = new Date(Date.UTC(2026, 0, 2, 3, 4, this.lines.length)).toISOString();
    this.lines.push({
      file: 0,
      json: { ...json, uuid, parentUuid: this.#last, timestamp },
    });
    this.#last = uuid;
  }
}

test("what was sent before keeps its tokens, and what is added has those by which the request grew", () => {
  const session = new CountedSession();
  session.prompt(400);
  for (let turn = 0; turn < 20; turn++) session.answer(300, 8_000);
  const parts = session.parts();
  const [first, last] = [parts[0] as ContextParts, parts.at(-1) as ContextParts];
  expect([last.system, last.tools]).toEqual([first.system, first.tools]);
  const truth = session.sent.at(-1) as Record<Part, number>;
  // By the characters of everything alone, the tools would have 17 thousand of 87 at the end, and not 9.
  for (const part of ["tools", "result:Read"] as const)
    expect(Math.abs((last[part] ?? 0) / truth[part] - 1), part).toBeLessThan(0.1);
});

test("without system prompt and tools in the log, what no line accounts for stays as large as it was at the start", () => {
  const session = new CountedSession();
  session.prompt(400);
  for (let turn = 0; turn < 20; turn++) session.answer(300, 8_000);
  const parts = session.parts(null);
  expect(new Set(parts.map(({ base }) => base)).size).toBe(1);
  const { "result:Read": read } = session.sent.at(-1) as Record<Part, number>;
  expect(Math.abs((parts.at(-1)?.["result:Read"] ?? 0) / read - 1)).toBeLessThan(0.1);
});

test("another model, which counts the same text otherwise, changes all parts alike", () => {
  const session = new CountedSession();
  session.prompt(400);
  for (let turn = 0; turn < 5; turn++) session.answer(300, 8_000);
  session.answer(300, 8_000, "claude-opus-5", 1.4);
  session.answer(300, 8_000, "claude-opus-5", 1.4);
  const parts = session.parts();
  const share = (nth: number) => (parts[nth]?.tools ?? 0) / (parts[4]?.tools ?? 0);
  expect(share(5)).toBeGreaterThan(1.25);
  expect(share(6)).toBe(share(5));
});

test("what the client leaves out of later requests is taken from all of the conversation, not from the tools", () => {
  const session = new CountedSession();
  session.prompt(400);
  for (let turn = 0; turn < 5; turn++) session.answer(300, 8_000);
  // A fifth of what was there is no longer sent, which no line says.
  session.answer(300, 100, MODEL, 0.8);
  const parts = session.parts();
  expect(parts[5]?.tools).toBe(parts[4]?.tools);
  expect(parts[5]?.["result:Read"]).toBeLessThan(parts[4]?.["result:Read"] ?? 0);
  const all = Object.values(parts[5] ?? {}).reduce((sum, part) => sum + part, 0);
  expect(all).toBe(Math.round(Object.values(session.sent[5] ?? {}).reduce((sum, part) => sum + part, 0)));
});
