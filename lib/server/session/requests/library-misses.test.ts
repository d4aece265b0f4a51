import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { factNames, shareOf } from "@/lib/log/graph/session-share";
import { Catalog } from "@/lib/server/library/catalog";
import { LibraryTotals } from "@/lib/server/library/library-totals";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { scanRequest } from "@/lib/server/scan/scan-request";
import { scanSession } from "@/lib/server/scan/scan-session";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import type { RawLine } from "@/lib/testing/raw-lines";
import { type OpenFolder, openFolder, settled } from "@/lib/testing/transcript";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { RequestMiss } from "@/lib/wire/model-requests/session-requests";
import type { LibraryMiss, UsageMissesResponse } from "@/lib/wire/usage";
import type { LookThrough } from "../looked-through";
import { OpenSession } from "../open-session";
import { listMisses } from "./find-misses";
import { LibraryMisses, type MissesQuery } from "./library-misses";

const ALL: MissesQuery = { project: null, fromMs: null, toMs: null, agents: true, cause: null, limit: 1000 };

/** Which sessions were read, in order. */
type Reader = { read: LookThrough<LibraryMiss[]>; reads: SessionId[] };

function reader(): Reader {
  const reads: SessionId[] = [];
  const read: LookThrough<LibraryMiss[]> = async ({ files, request }) => {
    reads.push(files.id);
    const { table } = scanSession(request.root, request.files);
    return listMisses(
      new OpenSession(files, request.logs, { table, graph: buildGraph(table, request.logs) }, 0),
    );
  };
  return { read, reads };
}

/** The totals of a folder in which these sessions have been read. */
async function totalsOf({ catalog }: OpenFolder, ids: readonly SessionId[]): Promise<LibraryTotals> {
  const totals = new LibraryTotals();
  for (const id of ids) {
    const request = await scanRequest(catalog.sessionFiles(id));
    const { table } = scanSession(request.root, request.files);
    const graph = buildGraph(table, request.logs);
    totals.put(id, shareOf(table, graph), factNames(table, graph));
  }
  return totals;
}

/** Asks until all sessions have been looked through. */
async function whole(
  misses: LibraryMisses,
  totals: LibraryTotals,
  query: Partial<MissesQuery> = {},
): Promise<UsageMissesResponse> {
  for (;;) {
    const answer = await misses.answer(totals, { ...ALL, ...query });
    if (answer.complete) return answer;
  }
}

test("no misses are not all that there are while folders are still being listed", async () => {
  const catalog = new Catalog([]);
  const misses = new LibraryMisses(catalog, reader().read);
  expect((await misses.answer(new LibraryTotals(), ALL)).complete).toBe(false);
  await catalog.list();
  expect((await misses.answer(new LibraryTotals(), ALL)).complete).toBe(true);
});

const idsOf = ({ catalog }: OpenFolder) => catalog.summaries().map(({ id }) => id);

const OPUS = "claude-opus-4-5-20251101";
const SONNET = "claude-sonnet-4-5-20250929";
const MINUTE_MS = 60_000;

type Json = Record<string, unknown>;

/** A log of answers, each of which adds 5,000 tokens; `reads` is false for one that reads nothing from the cache. */
class Log {
  readonly #name: string;
  #nowMs: number;
  readonly #more: Json;
  readonly lines: Json[] = [];
  #parent: string | null = null;
  #tokens = 20_000;
  #answers = 0;

  constructor(name: string, nowMs: number, more: Json = {}) {
    this.#name = name;
    this.#nowMs = nowMs;
    this.#more = more;
    this.#write("user", { role: "user", content: `What of ${name}?` });
  }

  say(model: string, reads: boolean, pauseMs = 2000): this {
    this.#nowMs += pauseMs;
    const read = reads ? this.#tokens : 0;
    this.#tokens += 5000;
    const usage = {
      input_tokens: 0,
      output_tokens: 50,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: this.#tokens - read,
    };
    this.#answers += 1;
    const content = [{ type: "text", text: `Answer ${this.#answers}` }];
    const id = `msg ${this.#name} ${this.#answers}`;
    this.#write("assistant", { id, role: "assistant", model, usage, content });
    return this;
  }

  #write(type: string, message: Json): void {
    const id = `${this.#name} ${this.lines.length}`;
    const timestamp = new Date(this.#nowMs).toISOString();
    const base = { cwd: "/home/dev/shop", version: "2.1.42", ...this.#more };
    this.lines.push({ type, uuid: id, parentUuid: this.#parent, timestamp, ...base, message });
    this.#parent = id;
  }
}

const START_MS = Date.parse("2026-03-02T09:00:00.000Z");
const SHOP = "projects/-home-dev-shop";

/** Three sessions: one with an agent, its fork, which copies all of its lines, and one of another project. */
function missTree(): string {
  const main = new Log("main", START_MS).say(OPUS, false).say(OPUS, true).say(SONNET, false);
  main.say(SONNET, false, 20 * MINUTE_MS);
  const agent = new Log("agent", START_MS + 1000, { isSidechain: true, agentId: "a1" });
  agent.say(OPUS, false).say(SONNET, false);
  const copied = main.lines.length;
  const fork = structuredClone(main.lines);
  main.say(SONNET, true);
  const own = new Log("own", START_MS + 60 * MINUTE_MS).say(SONNET, false).lines.slice(1);
  const forked = own.map((line) => ({ ...line, parentUuid: main.lines[copied - 1]?.uuid }));
  const other = new Log("other", START_MS + 30 * MINUTE_MS, { cwd: "/home/dev/tides" });
  other.say("claude-unheard-of", false).say("claude-unheard-of", false, 20 * MINUTE_MS);
  return makeTree({
    [`${SHOP}/${uuid(1)}.jsonl`]: main.lines,
    [`${SHOP}/${uuid(1)}/subagents/agent-a1.jsonl`]: agent.lines,
    [`${SHOP}/${uuid(2)}.jsonl`]: [...fork, ...forked],
    [`projects/-home-dev-tides/${uuid(3)}.jsonl`]: other.lines,
  });
}

test("the misses over sessions are those of each session, a copied one once, the costliest first", async () => {
  const folder = await openFolder(missTree());
  const { read, reads } = reader();
  const misses = new LibraryMisses(folder.catalog, read);
  const totals = await totalsOf(folder, idsOf(folder));
  const found = await whole(misses, totals);
  const expected = await expectedMisses(folder);
  // Two of the first session, its agent's, the fork's own, and one without a price.
  expect(expected.map(({ miss }) => miss.cause).toSorted()).toEqual([
    "expired",
    "expired",
    "expired",
    "model",
    "model",
  ]);
  expect(found.totals).toEqual({
    requests: expected.length,
    lostTokens: sum(expected.map(({ miss }) => miss.lostTokens)),
    microUsd: sum(expected.map(({ miss }) => miss.microUsd ?? 0)),
    unpricedTokens: sum(expected.map(({ miss }) => (miss.microUsd === null ? miss.lostTokens : 0))),
  });
  expect(found.totals.microUsd).toBeGreaterThan(0);
  expect(found.totals.unpricedTokens).toBeGreaterThan(0);
  const told = new Map(expected.map((one) => [`${one.id} ${one.recordId}`, pick(one.miss)]));
  expect(new Map(found.misses.map((one) => [`${one.sessionId} ${one.recordId}`, pick(one)]))).toEqual(told);
  const costs = found.misses.map(({ microUsd }) => microUsd ?? -1);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  // All of this was read once.
  expect(reads.toSorted()).toEqual(idsOf(folder).toSorted());
});

test("a cause, a range, a project and main threads alone can be selected", async () => {
  const folder = await openFolder(missTree());
  const { read, reads } = reader();
  const misses = new LibraryMisses(folder.catalog, read);
  const totals = await totalsOf(folder, idsOf(folder));
  const found = await whole(misses, totals);
  const ofCause = await whole(misses, totals, { cause: "model", limit: 1 });
  expect(ofCause.misses).toEqual([found.misses.find(({ cause }) => cause === "model")]);
  expect(ofCause.totals).toEqual(found.totals);
  const [dearest] = found.misses;
  const atMs = dearest?.atMs ?? 0;
  expect((await whole(misses, totals, { fromMs: atMs, toMs: atMs + 1 })).misses).toEqual([dearest]);
  expect((await whole(misses, totals, { toMs: START_MS })).misses).toEqual([]);
  const shop = dearest?.projectId ?? null;
  const own = await whole(misses, totals, { agents: false, project: shop });
  expect(own.misses).toEqual(
    found.misses.filter(({ agentId, projectId }) => agentId === null && projectId === shop),
  );
  expect(own.misses).toHaveLength(3);
  expect(reads).toHaveLength(3);
});

test("a session that has grown is searched again, and one that has not been read is waited for", async () => {
  const folder = await openFolder(missTree());
  const { read, reads } = reader();
  const misses = new LibraryMisses(folder.catalog, read);
  const ids = idsOf(folder);
  const [first] = ids as [SessionId];
  const some = await misses.answer(await totalsOf(folder, ids.slice(1)), ALL);
  expect(some).toMatchObject({ complete: false, sessions: { total: ids.length } });
  const totals = await totalsOf(folder, ids);
  await whole(misses, totals);
  expect(reads.toSorted()).toEqual(ids.toSorted());

  appendFileSync(folder.catalog.sessionFiles(first).main.path, '{"type":"summary"}\n');
  await folder.catalog.list();
  await whole(misses, totals);
  expect(reads.slice(ids.length)).toEqual([first]);
});

test("a session that is asked for again while it is being read is read once", async () => {
  const folder = await openFolder(missTree());
  const { read, reads } = reader();
  let goOn = () => {};
  const asked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const misses = new LibraryMisses(folder.catalog, async (task) => {
    const found = await read(task);
    await asked;
    return found;
  });
  const totals = await totalsOf(folder, idsOf(folder));
  const first = misses.answer(totals, ALL);
  const second = misses.answer(totals, ALL);
  await expect.poll(() => reads.length).toBe(1);
  const third = misses.answer(totals, ALL);
  goOn();
  await Promise.all([first, second, third]);
  await whole(misses, totals);
  expect(reads.toSorted()).toEqual(idsOf(folder).toSorted());
});

test("sessions for which no thread can be started are not taken to hold nothing", async () => {
  const folder = await openFolder(missTree());
  const { read } = reader();
  const thread = { isBroken: true };
  const misses = new LibraryMisses(folder.catalog, async (task) => {
    if (thread.isBroken) throw new ViewerError("thread-not-started", "no threads", { status: 503 });
    return read(task);
  });
  const totals = await totalsOf(folder, idsOf(folder));
  await expect(misses.answer(totals, ALL)).rejects.toMatchObject({ code: "thread-not-started" });
  thread.isBroken = false;
  expect((await whole(misses, totals)).misses.length).toBeGreaterThan(0);
});

test("a miss that a branch has copied belongs to the original session", async () => {
  const [original, branch] = [uuid(9), uuid(1)];
  const { lines } = new Log("main", START_MS).say(OPUS, false).say(SONNET, false);
  const copied = lines.map((line) => ({
    ...line,
    forkedFrom: { sessionId: original, messageUuid: line.uuid },
  }));
  const own = new Log("own", START_MS + MINUTE_MS).say(SONNET, false).lines;
  const folder = await openFolder(
    makeTree({
      [`${SHOP}/${original}.jsonl`]: lines,
      [`${SHOP}/${branch}.jsonl`]: [...copied, { ...own[0], parentUuid: lines.at(-1)?.uuid }],
    }),
  );
  const misses = new LibraryMisses(folder.catalog, reader().read);
  const found = await whole(misses, await totalsOf(folder, idsOf(folder)));
  expect(found.misses.map(({ sessionId, cause }) => [sessionId, cause])).toEqual([[original, "model"]]);
});

test("a miss that a session of another project has copied does not count for that project, like its usage", async () => {
  const { lines } = new Log("main", START_MS).say(OPUS, false).say(SONNET, false);
  const copied = lines.map((line) => ({ ...line, cwd: "/home/dev/tides" }));
  const own = new Log("own", START_MS + MINUTE_MS, { cwd: "/home/dev/tides" }).say(SONNET, false).lines;
  const folder = await openFolder(
    makeTree({
      [`${SHOP}/${uuid(1)}.jsonl`]: lines,
      [`projects/-home-dev-tides/${uuid(2)}.jsonl`]: [
        ...copied,
        ...own.map((line) => ({ ...line, parentUuid: line.parentUuid ?? lines.at(-1)?.uuid })),
      ],
    }),
  );
  const misses = new LibraryMisses(folder.catalog, reader().read);
  const totals = await totalsOf(folder, idsOf(folder));
  const told = async (path: string) => {
    const project = folder.catalog.projects().find((one) => one.path === path)?.id ?? "";
    const { totals: found, misses: list } = await whole(misses, totals, { project });
    return [found.requests, list.map(({ sessionId, cause }) => [sessionId, cause])];
  };
  expect(await told("/home/dev/tides")).toEqual([1, [[uuid(2), "preamble"]]]);
  expect(await told("/home/dev/shop")).toEqual([1, [[uuid(1), "model"]]]);
});

type Expected = { id: SessionId; recordId: RecordId; miss: RequestMiss };

/** Every miss of every session, of copies the one in the session that began first. */
async function expectedMisses({ catalog, sessions }: OpenFolder): Promise<Expected[]> {
  const found = new Map<string, Expected>();
  const inOrder = catalog
    .summaries()
    .toSorted((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0) || (a.id < b.id ? -1 : 1));
  for (const { id } of inOrder)
    for (const { recordId, miss } of await settled(() => sessions.requests(id))) {
      if (!miss) continue;
      const { json } = await settled(() => sessions.record(id, recordId));
      const message = (json as RawLine).message?.id ?? `${id} ${recordId}`;
      if (!found.has(message)) found.set(message, { id, recordId, miss });
    }
  return [...found.values()];
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

type Told = Pick<RequestMiss, "cause" | "lostTokens" | "microUsd" | "exact">;
const pick = ({ cause, lostTokens, microUsd, exact }: Told) => ({
  cause,
  lostTokens,
  microUsd,
  exact,
});
