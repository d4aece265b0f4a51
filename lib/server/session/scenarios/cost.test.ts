import { expect, test } from "vitest";
import { addCost, noCost, toCost } from "@/lib/cost/price-table";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { usageOf as libraryUsage } from "@/lib/server/library/usage";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { costOf, linesOf, type RawLine, usageOf } from "@/lib/testing/raw-lines";
import { RECORDED_VERSIONS } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { sampleOf } from "@/lib/testing/runs";
import { detailOf, type OpenFolder, openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { totalTokens } from "@/lib/wire/library";
import type { Cost } from "@/lib/wire/usage";

/** Each row of a session is asked for its line: in `npm test` of one in so many sessions, others of each version. */
const NTH = 3;

test.each(RECORDED_VERSIONS)("%s: a session costs what its messages do, each once", async (version) => {
  const { folder } = await openRecording(version);
  for (const { id } of folder.catalog.summaries()) {
    const { cost } = await detailOf(folder, id);
    expect(cost, id).toMatchObject(costOf(linesOf(folder.catalog, id)));
  }
});

test("a turn costs what the answers that begin in it do, each once", async () => {
  const wholes: Whole[] = [];
  for (const [index, version] of RECORDED_VERSIONS.entries()) {
    const { folder } = await openRecording(version);
    const ids = folder.catalog.summaries().map(({ id }) => id);
    for (const id of sampleOf(ids, NTH, index))
      wholes.push(...(await compareTurns(folder, id, `${version} ${id}`)));
  }
  expect(wholes.length).toBeGreaterThan(10);
  for (const { name, ofTurns, ofLines } of wholes) expect(ofTurns, name).toEqual(ofLines);
});

type Whole = { name: string; ofTurns: Cost; ofLines: Cost };

/** Compares what each turn of a session costs. Returns what all of them cost where that is all that the session did. */
async function compareTurns(folder: OpenFolder, id: SessionId, name: string): Promise<Whole[]> {
  const lines = linesOf(folder.catalog, id);
  const detail = await detailOf(folder, id);
  const { agents } = await settled(() => folder.sessions.agents(id, { limit: 1000, cursor: null }));
  const { rows } = await rowsOf(folder, id, "everything");
  const turnOf = new Map<string, number>();
  for (const { recordId, turn } of rows) {
    const message = await messageOf(folder, id, recordId);
    if (message !== null && !turnOf.has(message)) turnOf.set(message, turn);
  }
  const sum = noCost();
  for (const row of rows) {
    if (row.kind !== "turn") continue;
    const own = costOf(lines.filter(({ message }) => turnOf.get(message?.id ?? "") === row.turn));
    expect(row.usage?.cost ?? toCost(noCost()), `${name} ${row.turn}`).toEqual(own);
    for (const { cost } of [row.usage, row.agentsUsage].filter((usage) => usage !== null))
      addCost(sum, { ...cost, microUsd: cost.microUsd ?? 0 });
    const brief = await settled(() => folder.sessions.brief(id, row.turn, null));
    expect([brief.usage, brief.agentsUsage]).toEqual([row.usage, row.agentsUsage]);
  }
  // All that the session cost is in its turns where it has one branch, and calls of it started all agents.
  const isWhole =
    detail.branches.length === 1 &&
    detail.logs.length - 1 <= agents.length &&
    agents.every(({ parentRecordId }) => parentRecordId !== null) &&
    ![...turnOf.values()].includes(0);
  return isWhole ? [{ name, ofTurns: toCost(sum), ofLines: costOf(lines) }] : [];
}

test("a session whose model is called like a property of every object opens, without a price", async () => {
  const line = answer("hello");
  const usage = { input_tokens: 5, output_tokens: 6 };
  Object.assign(line.message as object, { model: "constructor", usage });
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("go"), line] }));
  const { models, cost } = await detailOf(folder, uuid(1) as SessionId);
  expect({ models, cost }).toMatchObject({
    models: ["constructor"],
    cost: { microUsd: null, unpricedTokens: 11 },
  });
});

test("what was written to the cache counts everywhere alike, where the client says its parts alone (before 2.1.152)", async () => {
  const usage = {
    input_tokens: 3,
    output_tokens: 5,
    cache_read_input_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 200 },
  };
  const message = { id: "m1", role: "assistant", model: "claude-opus-4-5", content: [], usage };
  const lines = [
    prompt("go"),
    answer("hello", {
      parentUuid: "u-go",
      message: { ...message, content: [{ type: "text", text: "hello" }] },
    }),
  ];
  const folder = await openFolder(makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: lines }));
  const id = uuid(1) as SessionId;
  const detail = await detailOf(folder, id);
  const { rows } = await rowsOf(folder, id, "everything");
  const [turn] = rows.flatMap((row) => (row.kind === "turn" ? [row.tokens] : []));
  const brief = await settled(() => folder.sessions.brief(id, 1, null));
  const { tokens } = await settled(() => folder.sessions.messages(id, "a-hello"));
  const [request] = await settled(() => folder.sessions.requests(id));
  const written = (request?.cacheWrite5m ?? 0) + (request?.cacheWrite1h ?? 0);
  expect([turn, brief.tokens, totalTokens(detail.usage)]).toEqual([1228, 1228, 1228]);
  expect([written, tokens?.cacheWrite, detail.usage.cacheWrite]).toEqual([1200, 1200, 1200]);
});

/** A pass as 2.1.330 writes it, in the order of its fields. */
const pass = (read: number, write1h: number, output: number, more: object = {}) => ({
  ...{ input_tokens: 2, output_tokens: output, cache_read_input_tokens: read },
  cache_creation_input_tokens: write1h,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: write1h },
  ...{ type: "message", ...more },
});

test("an answer of several passes costs what each does by its own prompt's length, wherever that is told", async () => {
  // 2 at 0.10, 60,000 and 61,000 at 0.01, 1,000 and 500 at 0.20, 45 and 400 at 0.50: 822.7 and 910.2. At the price of a
  // prompt of 122,504 it would be 8,665. Its advisor is another model: 61,419 at 4, 7,805 at 20.
  const advised = 401_776;
  const usage = {
    ...{ input_tokens: 4, cache_creation_input_tokens: 1_500, cache_read_input_tokens: 121_000 },
    output_tokens: 445,
    cache_creation: { ephemeral_1h_input_tokens: 1_500, ephemeral_5m_input_tokens: 0 },
    iterations: [
      pass(60_000, 1_000, 45),
      pass(0, 0, 7_805, { type: "advisor_message", model: "claude-opus-5-5", input_tokens: 61_419 }),
      pass(61_000, 500, 400),
    ],
  };
  const message = { id: "m1", role: "assistant", model: "claude-haiku-5-5", usage };
  const line = answer("hello", {
    parentUuid: "u-go",
    message: { ...message, content: [{ type: "text", text: "hello" }] },
  });
  const other = { ...message, id: "m2", usage: { ...usage, iterations: [pass(121_000, 1_500, 445)] } };
  const lines = [
    prompt("go"),
    line,
    answer("again", { parentUuid: "a-hello", message: { ...other, content: [] } }),
  ];
  const root = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: lines });
  const id = uuid(1) as SessionId;
  const folder = await openFolder(root);
  const { cost, models, usage: usageOfAll } = await detailOf(folder, id);
  const { rows } = await rowsOf(folder, id, "everything");
  const turns = rows.flatMap((row) => (row.kind === "turn" ? [row.usage?.cost.microUsd] : []));
  expect([cost?.microUsd, turns]).toEqual([1_733 + 8_665 + advised, [1_733 + 8_665 + advised]]);
  expect(models).toEqual(["claude-haiku-5-5", "claude-opus-5-5"]);
  const told = rows.flatMap((row) => (row.kind === "turn" ? [[row.tokens, row.usage?.models]] : []));
  expect(told).toEqual([[totalTokens(usageOfAll), models]]);
  // How much the window holds is told by the last pass, of which no more than both together is paid.
  const { tokens } = await settled(() => folder.sessions.messages(id, "a-hello"));
  const requests = await settled(() => folder.sessions.requests(id));
  const [first] = requests;
  expect([tokens?.context, tokens?.cacheRead, first?.context, first?.cacheRead]).toEqual([
    ...[61_502, 121_000],
    ...[61_502, 121_000],
  ]);
  expect([tokens?.passes, ...requests.map(({ passes }) => passes)]).toEqual([2, 2, 1]);
  expect(requests.map(({ advisors }) => advisors)).toEqual([
    [{ model: "claude-opus-5-5", input: 61_419, cacheRead: 0, cacheWrite: 0, output: 7_805 }],
    [],
  ]);
  expect(requests.map(({ parts }) => Object.values(parts).reduce((sum, part) => sum + part))).toEqual([
    61_502, 122_504,
  ]);
  const dataDir = makeTree({});
  for (const start of ["reads it", "finds it in the index"]) {
    const catalog = new Catalog([{ path: root, kind: "config" }]);
    const index = openLibraryIndex(dataDir);
    const scanner = new Scanner(catalog, index, new RequestActivity());
    await catalog.list();
    await scanner.run();
    const asked = { by: "model", project: null, fromMs: null, toMs: null, agents: true, zone: null } as const;
    const { totals } = libraryUsage(catalog, scanner.totals, asked, "");
    expect(totals, start).toMatchObject({ requests: 3, costMicroUsd: 10_398 + advised, output: 890 + 7_805 });
    const asModels = libraryUsage(catalog, scanner.totals, asked, "").rows.map(
      ({ name, requests, costMicroUsd }) => {
        return [name, requests, costMicroUsd];
      },
    );
    expect(asModels, start).toEqual([
      ["claude-opus-5-5", 1, advised],
      ["claude-haiku-5-5", 2, 10_398],
    ]);
    const byTool = libraryUsage(catalog, scanner.totals, { ...asked, by: "tool" }, "").rows;
    expect(byTool.map(({ name, costMicroUsd }) => [name, costMicroUsd])).toContainEqual(["advisor", advised]);
    scanner.stop();
    index.stop();
    await index.ended();
  }
});

/** The id of the message that a row's line is part of. */
async function messageOf(
  { sessions }: OpenFolder,
  id: SessionId,
  recordId: RecordId,
): Promise<string | null> {
  const { json } = await settled(() => sessions.record(id, recordId));
  const line = json as RawLine | null;
  return (line?.type === "assistant" && line.message?.id) || null;
}

/** Why the client counts other requests than the log has answers, by the session's first digits. */
const OTHER_REQUESTS: Record<string, string> = {
  "48467c35": "/branch: the client counts what came after the copied lines",
  "00d9e2a8": "the end of an answer that was interrupted",
  "23fb0dde": "the request for a compaction's summary",
  b13f0e41: "the request for a compaction's summary, twice",
  d24b4655: "the request for a compaction's summary",
  dd25a5c9: "the request for a compaction's summary",
  f1449654: "the request for a compaction's summary",
  "49088fa2": "answers that were cut, and asked for again",
  "8e8ce60e": "answers without a block",
  "92b94838": "WebFetch has a page read by a model",
  a8d41c4e: "requests before it was resumed, whose answers this log does not hold",
  e9339d35: "a request beside the conversation, such as for a title",
  "946a12ba": "a request beside the conversation, such as for a title",
};

test("where the client counted the same tokens, it made the same cost of them (2.1.330)", async () => {
  const { folder } = await openRecording("2.1.330");
  const others: string[] = [];
  let same = 0;
  for (const { id } of folder.catalog.summaries()) {
    const { cost, counts } = await detailOf(folder, id);
    const { main } = folder.catalog.sessionFiles(id);
    const lines = linesOf(folder.catalog, id);
    const told = lines.findLast(({ type }) => type === "cost-state") as CostState | undefined;
    const reported = told ? Math.round(told.totalCostUSD * 1e6) : null;
    expect(cost?.reportedMicroUsd, id).toBe(reported);
    if (!told) continue;
    const { input, output, cacheRead, cacheWrite } = usageOf(lines);
    const isSame = String([input, output, cacheRead, cacheWrite]) === String(tokensTold(told));
    if (isSame) same += 1;
    else others.push(main.name.slice(0, 8));
    // Each request is rounded to a millionth of a dollar.
    const difference = Math.abs((cost?.microUsd ?? 0) - told.totalCostUSD * 1e6);
    expect(isSame && difference > counts.messages / 2, id).toBe(false);
  }
  expect(others.toSorted()).toEqual(Object.keys(OTHER_REQUESTS).toSorted());
  expect(same).toBeGreaterThan(60);
});

type CostState = RawLine & {
  totalCostUSD: number;
  modelUsage: Record<
    string,
    Record<"inputTokens" | "outputTokens" | "cacheReadInputTokens" | "cacheCreationInputTokens", number>
  >;
};

function tokensTold({ modelUsage }: CostState): number[] {
  const fields = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"] as const;
  return fields.map((field) => Object.values(modelUsage).reduce((sum, usage) => sum + usage[field], 0));
}
