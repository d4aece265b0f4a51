import fc from "fast-check";
import { expect, test } from "vitest";
import { PriceTable } from "@/lib/cost/price-table";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { sampled } from "@/lib/testing/runs";
import { openFolder, settled } from "@/lib/testing/transcript";
import type {
  MissCause,
  SessionRequest,
  SessionRequestsResponse,
} from "@/lib/wire/model-requests/session-requests";
import { messageHash } from "../request/canonical-hash";

/*
 * Random sessions over a cache that behaves as the API's does: a request reads the longest beginning that an earlier one
 * of its model left there and that has not expired. Each request may change one thing, and the answer must name it.
 */

const PRICES = new PriceTable();
const MODELS = ["claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929"];
const SYSTEM_TOKENS = 4000;
const TOOL_TOKENS = 900;
const START_MS = Date.parse("2026-01-02T03:04:05.000Z");

type Plant =
  | "none"
  | "pause"
  | "expired"
  | "model"
  | "compaction"
  | "client"
  | "hidden"
  | "server"
  | "added"
  | "edited"
  | "effort"
  | "rewrite"
  | "swap"
  | "tool";

const IN_EVERY_LOG: readonly Plant[] = ["none", "pause", "tool", "expired", "model", "compaction"];
const IN_PLAIN_LOGS: readonly Plant[] = [...IN_EVERY_LOG, "client", "hidden"];
const IN_FULL_LOGS: readonly Plant[] = [
  ...IN_EVERY_LOG,
  "server",
  "added",
  "edited",
  "effort",
  "rewrite",
  "swap",
];

const NAMED: Record<Plant, MissCause | null> = {
  none: null,
  pause: null,
  tool: null,
  expired: "expired",
  model: "model",
  compaction: "compaction",
  client: "client",
  hidden: "preamble",
  server: "evicted",
  added: "tools",
  edited: "system",
  effort: "settings",
  rewrite: "block",
  swap: "order",
};

type Message = {
  role: "user" | "assistant";
  content: { type: string; [field: string]: unknown }[];
  tokens: number;
};
type Json = Record<string, unknown>;

/** A conversation, the cache that it is answered from, and the log that is written of it. */
class Script {
  readonly #logs: boolean;
  readonly #hour: boolean;
  readonly lines: Json[] = [];
  readonly planted: (MissCause | null)[] = [];
  readonly lost: number[] = [];
  #nowMs = START_MS;
  #lines = 0;
  #parent: string | null = null;
  #version = "2.1.330";
  #model = 0;
  #tools = 8;
  #prompt = 0;
  #effort = "medium";
  #messages: Message[] = [];
  #answers = 0;
  #request: string | null = null;
  #sent: string[] = [];
  #shape = "";
  #kept: { model: number; key: string[]; untilMs: number; tokens: number } | null = null;

  constructor(logs: boolean, hour: boolean) {
    this.#logs = logs;
    this.#hour = hour;
  }

  say(wanted: Plant, tokens: number): void {
    // Two messages change places where both had been sent.
    const plant = wanted === "swap" && this.#messages.length < 3 ? "none" : wanted;
    const isFirst = this.planted.length === 0;
    if (plant === "pause") this.#nowMs += this.#ttlMs * 0.9;
    if (plant === "expired") this.#nowMs += this.#ttlMs + 60_000;
    if (plant === "model") this.#model = 1 - this.#model;
    if (plant === "client") this.#version = `2.1.${331 + this.#lines}`;
    if (plant === "added") this.#tools += 1;
    if (plant === "edited" || plant === "hidden") this.#prompt += 1;
    if (plant === "effort") this.#effort = this.#effort === "medium" ? "high" : "medium";
    if (plant === "compaction" && !isFirst) this.#compact();
    if (plant === "rewrite" && this.#messages[0])
      this.#messages[0] = {
        ...this.#messages[0],
        content: [{ type: "text", text: `memory ${this.#lines}` }],
      };
    if (plant === "swap")
      this.#messages = [...this.#messages.slice(0, 2).reverse(), ...this.#messages.slice(2)];
    if (plant === "tool" && !isFirst) this.#call(tokens);
    else this.#user([{ type: "text", text: "x".repeat(tokens * 4) }], tokens);
    this.#answer(["client", "server", "hidden"].includes(plant), isFirst ? null : NAMED[plant]);
  }

  get #ttlMs(): number {
    return this.#hour ? 3_600_000 : 300_000;
  }

  #write(json: Json): string {
    const id = uuid(++this.#lines);
    this.#nowMs += 1000;
    const { cwd, sessionId } = { cwd: "/home/dev/shop", sessionId: uuid(900) };
    const timestamp = new Date(this.#nowMs).toISOString();
    this.lines.push({
      uuid: id,
      parentUuid: this.#parent,
      cwd,
      sessionId,
      timestamp,
      version: this.#version,
      ...json,
    });
    this.#parent = id;
    return id;
  }

  #user(content: Message["content"], tokens: number): void {
    this.#write({ type: "user", message: { role: "user", content } });
    this.#messages.push({ role: "user", content, tokens });
  }

  #call(tokens: number): void {
    const last = this.#messages.at(-1);
    const id = last?.content.find(({ type }) => type === "tool_use")?.id;
    this.#user([{ type: "tool_result", tool_use_id: id, content: "y".repeat(tokens * 4) }], tokens);
  }

  #compact(): void {
    this.#write({
      type: "system",
      subtype: "compact_boundary",
      logicalParentUuid: this.#parent,
      parentUuid: null,
      compactMetadata: { trigger: "auto" },
    });
    // No two summaries are the same, or the second would be in the cache.
    const text = `This session is being continued ${this.#lines} ${"z".repeat(2000)}`;
    const content = [{ type: "text", text }];
    this.#write({ type: "user", isCompactSummary: true, message: { role: "user", content: text } });
    this.#messages = [{ role: "user", content, tokens: 1500 }];
  }

  /** Answers as the API does, and counts what it read and wrote. `isGone`: what cannot be seen in what was sent. */
  #answer(isGone: boolean, cause: MissCause | null): void {
    const preamble = [`tools ${this.#tools}`, `system ${this.#prompt}`, `effort ${this.#effort}`];
    const key = [...preamble, ...this.#messages.map(({ content }) => JSON.stringify(content))];
    const sizes = [TOOL_TOKENS * this.#tools, SYSTEM_TOKENS, 0, ...this.#messages.map((one) => one.tokens)];
    const kept = this.#kept;
    const isWarm = kept && !isGone && kept.model === this.#model && this.#nowMs < kept.untilMs;
    let same = 0;
    while (isWarm && same < kept.key.length && kept.key[same] === key[same]) same += 1;
    const sum = (list: readonly number[]) => list.reduce((one, other) => one + other, 0);
    const read = sum(sizes.slice(0, same));
    const written = sum(sizes.slice(same));
    this.lost.push(Math.min((kept?.tokens ?? 0) - read, written));
    this.planted.push(cause);
    this.#kept = {
      model: this.#model,
      key,
      untilMs: this.#nowMs + this.#ttlMs,
      tokens: read + written,
    };
    const ref = this.#logs ? this.#logRequest() : {};
    const number = ++this.#answers;
    const content = [
      { type: "text", text: `answer ${number}` },
      { type: "tool_use", id: `toolu_${number}`, name: "Bash", input: { command: `step ${number}` } },
    ];
    const usage = {
      input_tokens: 0,
      output_tokens: 40,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: this.#hour
        ? { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: written }
        : { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    };
    const message = { id: `msg_${number}`, role: "assistant", model: MODELS[this.#model], content, usage };
    // Each block has a line, and each line the usage.
    for (const block of content)
      this.#write({ type: "assistant", message: { ...message, content: [block] }, ...ref });
    this.#messages.push({ role: "assistant", content, tokens: 40 });
  }

  #logRequest(): Json {
    const shape = {
      system: [{ type: "text", text: `You are ${this.#prompt} ${"s".repeat(500)}` }],
      tools: Array.from({ length: this.#tools }, (_, n) => ({
        name: `mcp__shop__${n}`,
        description: "d".repeat(90),
      })),
    };
    const shapeHash = JSON.stringify([this.#prompt, this.#tools]);
    if (shapeHash !== this.#shape) this.lines.push({ type: "api-request-shape", shapeHash, shape });
    this.#shape = shapeHash;
    const hashes = this.#messages.map(({ role, content }) => {
      const hash = messageHash({ role, content });
      this.lines.push({ type: "api-request-blob", hash, message: { role, content } });
      return hash;
    });
    const base = this.#request;
    let keep = 0;
    while (base !== null && keep < this.#sent.length && this.#sent[keep] === hashes[keep]) keep += 1;
    const id = `req-${this.#answers}`;
    const params = { model: MODELS[this.#model], output_config: { effort: this.#effort } };
    const tail = hashes.slice(keep);
    this.lines.push({
      type: "api-request",
      id,
      ...(base === null ? {} : { base }),
      keep,
      tail,
      shapeHash,
      params,
    });
    this.#request = id;
    this.#sent = hashes;
    return { requestRef: id };
  }
}

async function requestsOf(script: Script): Promise<SessionRequestsResponse> {
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${uuid(900)}.jsonl`]: script.lines }));
  const [session] = folder.catalog.summaries();
  if (!session) throw new Error("no session is listed");
  return settled(() => folder.sessions.requests(session.id));
}

const steps = (plants: readonly Plant[]) =>
  fc.array(fc.tuple(fc.constantFrom(...plants), fc.integer({ min: 3000, max: 9000 })), {
    minLength: 2,
    maxLength: 14,
  });

test.each([
  ["a log with its requests", true, IN_FULL_LOGS],
  ["a log without", false, IN_PLAIN_LOGS],
] as const)("every planted cause is named, and none where nothing was lost: %s", async (_, logs, plants) => {
  await fc.assert(
    fc.asyncProperty(steps(plants), fc.boolean(), async (list, hour) => {
      const script = new Script(logs, hour);
      for (const [plant, tokens] of list) script.say(plant, tokens);
      const requests = await requestsOf(script);
      expect(requests.map(({ miss }) => miss?.cause ?? null)).toEqual(script.planted);
      for (const [nth, { miss, ...request }] of requests.entries()) {
        const { input, cacheRead, cacheWrite5m, cacheWrite1h, parts } = request;
        const sent = input + cacheRead + cacheWrite5m + cacheWrite1h;
        expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(sent);
        if (!miss) continue;
        expect(miss.lostTokens).toBe(script.lost[nth]);
        expect(miss.exact).toBe(logs && miss.cause !== "compaction");
        expect(miss.microUsd).toBe(savedBy(request, miss.lostTokens, hour));
      }
    }),
    sampled(20260301, 40, 2000),
  );
});

/** Price of the lost tokens as written, less as read; each of the two sums is rounded once. */
function savedBy(
  { model, atMs, cacheRead, cacheWrite5m, cacheWrite1h, output }: Omit<SessionRequest, "miss">,
  lost: number,
  hour: boolean,
) {
  const written = cacheWrite5m + cacheWrite1h;
  const price = (read: number, write: number) =>
    PRICES.microUsd({
      model,
      atMs: atMs ?? Number.NaN,
      tokens: {
        input: 0,
        output,
        cacheRead: read,
        cacheWrite: write,
        cacheWrite5m: hour ? 0 : write,
        cacheWrite1h: hour ? write : 0,
      },
      webSearches: 0,
      fast: false,
      usOnly: false,
    }) ?? Number.NaN;
  return price(cacheRead, written) - price(cacheRead + lost, written - lost);
}

test("differences are described: tools by name, texts around the first different character", async () => {
  const script = new Script(true, false);
  for (const plant of ["none", "added", "edited", "rewrite", "effort"] as const) script.say(plant, 2000);
  const requests = await requestsOf(script);
  expect(requests.map(({ miss }) => miss?.difference ?? null)).toEqual([
    null,
    { added: ["mcp__shop__8"], removed: [], changed: [] },
    {
      before: `You are 0 ${"s".repeat(150)}…`,
      after: `You are 1 ${"s".repeat(150)}…`,
    },
    { message: 0, before: `${"x".repeat(160)}…`, after: "memory 9" },
    { before: 'output_config: {"effort":"medium"}', after: 'output_config: {"effort":"high"}' },
  ]);
});

test("a memory file that was edited between two runs is a miss, though four fifths were read (2.0.76)", async () => {
  // What the client was answered by a cache that holds the tools of all sessions.
  const usages = [
    { cache_read_input_tokens: 14353, cache_creation_input_tokens: 3581 },
    { cache_read_input_tokens: 14353, cache_creation_input_tokens: 3637 },
    { cache_read_input_tokens: 17990, cache_creation_input_tokens: 45 },
  ];
  const times = ["15:13:08", "15:13:11", "15:13:14"];
  const lines = usages.flatMap((usage, nth) => {
    const of = {
      sessionId: uuid(900),
      cwd: "/home/dev/shop",
      version: "2.0.76",
      timestamp: `2026-11-24T${times[nth]}.000Z`,
    };
    const [prompt, answer] = [uuid(2 * nth + 1), uuid(2 * nth + 2)];
    const content = [{ type: "text", text: "Hello! This is shop." }];
    const message = { id: `msg_${nth}`, role: "assistant", model: MODELS[1], content };
    return [
      {
        ...{ type: "user", uuid: prompt, parentUuid: nth === 0 ? null : uuid(2 * nth) },
        ...{ ...of, message: { role: "user", content: "Again." } },
      },
      {
        ...{ type: "assistant", uuid: answer, parentUuid: prompt },
        ...{ ...of, message: { ...message, usage: { input_tokens: 1, output_tokens: 44, ...usage } } },
      },
    ];
  });
  const folder = await openFolder(makeTree({ [`projects/-home-dev-shop/${uuid(900)}.jsonl`]: lines }));
  const [session] = folder.catalog.summaries();
  if (!session) throw new Error("no session is listed");
  const requests = await settled(() => folder.sessions.requests(session.id));
  expect(requests.map(({ miss }) => miss && [miss.cause, miss.lostTokens, miss.exact])).toEqual([
    null,
    ["unlogged", 3581, false],
    null,
  ]);
});
