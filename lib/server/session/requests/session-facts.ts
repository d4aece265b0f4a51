import { createHash } from "node:crypto";
import { addTo } from "@/lib/format/lists";
import { asArray, asNumber, asObject, asString, type JsonObject, writable } from "@/lib/log/records/json";
import { CHARS_A_TOKEN } from "@/lib/log/requests/base-tokens";
import { CallState } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import type { OpenSession } from "@/lib/server/session/open-session";
import { readRecords } from "@/lib/server/session/read-records";
import { splitToolName, toolNamed } from "@/lib/tools/tools";
import type { CountedFact, FactPlace, FactsResponse } from "@/lib/wire/model-requests/session-facts";
import { callsInTime } from "../answers/agent-entries";
import { LoggedRequests } from "./logged-differences";
import { partsFromLast } from "./session-requests";
import { sessionSizes } from "./session-sizes";

const NONE = -1;
const MAX_PLACES = 20;

/** Facts about how a session went that can be counted. */
export async function sessionFacts(session: OpenSession): Promise<FactsResponse> {
  const calls = callsOf(session);
  return {
    retries: await retriesOf(session),
    failures: failuresOf(session, calls),
    rereads: await rereadsOf(session, calls),
    undone: await undoneOf(session, calls),
    unused: await unusedTools(session, calls),
    hooks: await hooksOf(session),
  };
}

/** A call of the model, with the record that makes it. */
type Call = { call: number; tool: string; record: number; index: number; thread: number; state: number };

/** All calls in the order of time, except those of the client's own agents. */
function callsOf(session: OpenSession): Call[] {
  const { table, graph } = session;
  const { calls, blocks, tools } = table;
  const made: number[] = [];
  for (let call = 0; call < calls.size; call++)
    if (calls.use.at(call) !== NONE && !table.isCopy(call)) made.push(call);
  return callsInTime(session, made).flatMap((call): Call[] => {
    const use = calls.use.at(call);
    const record = blocks.record.at(use);
    if (record >= graph.parents.length) return [];
    const thread = at(graph.threadOf, record);
    if (graph.threads[thread]?.internal) return [];
    const tool = tools.at(calls.tool.at(call)) ?? "";
    return [{ call, tool, record, index: blocks.index.at(use), thread, state: calls.state.at(call) }];
  });
}

/** Counts by name, with places, the most frequent first. */
class Counter<More extends object> {
  readonly #session: OpenSession;
  readonly #start: (name: string) => More;
  readonly #found = new Map<string, CountedFact & More>();

  constructor(session: OpenSession, start: (name: string) => More) {
    this.#session = session;
    this.#start = start;
  }

  add(name: string, record: number): CountedFact & More {
    const fact = this.#found.get(name) ?? { count: 0, places: [], ...this.#start(name) };
    this.#found.set(name, fact);
    fact.count += 1;
    if (fact.places.length < MAX_PLACES) fact.places.push(placeOf(this.#session, record));
    return fact;
  }

  list(): (CountedFact & More)[] {
    return [...this.#found.values()].sort((a, b) => b.count - a.count);
  }
}

function placeOf(session: OpenSession, record: number): FactPlace {
  const { agentId = null } = session.graph.threads[at(session.graph.threadOf, record)] ?? {};
  return { recordId: session.recordId(record), agentId };
}

function failuresOf(session: OpenSession, calls: readonly Call[]): FactsResponse["failures"] {
  const made = new Map<string, number>();
  for (const { tool } of calls) made.set(tool, (made.get(tool) ?? 0) + 1);
  const counter = new Counter(session, (tool) => ({ tool, calls: made.get(tool) ?? 0 }));
  for (const { tool, record, state } of calls)
    if (state === CallState.error || state === CallState.timedOut) counter.add(tool, record);
  return counter.list();
}

/** The lines of so many calls are in memory at once: a session may have 100,000. */
const CALLS_AT_ONCE = 1_000;

/** Calls with their inputs, in the same order, long strings cut where that is enough. */
async function* callsWithInput(
  session: OpenSession,
  calls: readonly Call[],
  keepBytes?: number,
): AsyncGenerator<{ call: Call; order: number; input: JsonObject }> {
  for (let from = 0; from < calls.length; from += CALLS_AT_ONCE) {
    const some = calls.slice(from, from + CALLS_AT_ONCE);
    const read = await readRecords(
      session,
      some.map(({ record }) => record),
      keepBytes,
    );
    for (const [nth, call] of some.entries()) {
      const line = read(call.record);
      const block = line?.kind === "assistant" ? line.blocks[call.index] : undefined;
      yield { call, order: from + nth, input: block?.kind === "tool-use" ? block.input : {} };
    }
  }
}

const KEEP_BYTES = 4096;
/** Results are read whole, and may be long. */
const RESULTS_AT_ONCE = 100;

/** Only calls with the same input and a result of the same size are read and compared. */
async function rereadsOf(session: OpenSession, calls: readonly Call[]): Promise<FactsResponse["rereads"]> {
  const { table } = session;
  const files = calls.filter(
    ({ tool, state }) => state === CallState.ok && toolNamed(tool)?.files !== undefined,
  );
  const { blocks: sizes } = await sessionSizes(session);
  const last = new Map<string, Call & { order: number }>();
  const changed = new Map<string, number>();
  const again: { call: Call; before: Call; path: string }[] = [];
  for await (const { call, order, input } of callsWithInput(session, files, KEEP_BYTES)) {
    const path = asString(input.file_path) ?? asString(input.notebook_path);
    if (path === null) continue;
    if (toolNamed(call.tool)?.files === "changes") {
      changed.set(path, order);
      continue;
    }
    const key = `${call.thread} ${call.tool} ${JSON.stringify(writable(input))}`;
    const before = last.get(key);
    last.set(key, { ...call, order });
    const size = (one: Call) => sizes[table.calls.result.at(one.call)] ?? 0;
    if (!before || size(before) !== size(call) || size(call) === 0) continue;
    if ((changed.get(path) ?? NONE) > before.order) continue;
    again.push({ call, before, path });
  }
  const counter = new Counter(session, (path) => ({ path }));
  for (let from = 0; from < again.length; from += RESULTS_AT_ONCE) {
    const some = again.slice(from, from + RESULTS_AT_ONCE);
    const results = some.flatMap(({ call, before }) => [resultOf(session, call), resultOf(session, before)]);
    const read = await readRecords(session, results);
    const textOf = (call: Call) => {
      const line = read(resultOf(session, call));
      const block =
        line?.kind === "user" ? line.blocks[table.blocks.index.at(table.calls.result.at(call.call))] : null;
      return block?.kind === "tool-result" ? JSON.stringify(writable(block.json.content)) : "";
    };
    for (const { call, before, path } of some)
      if (textOf(call) === textOf(before)) counter.add(path, call.record);
  }
  return counter.list();
}

function resultOf({ table: { calls, blocks } }: OpenSession, { call }: Call): number {
  const result = calls.result.at(call);
  return result === NONE ? NONE : blocks.record.at(result);
}

/** Edits whose text a later edit of the same file restored. */
async function undoneOf(session: OpenSession, calls: readonly Call[]): Promise<FactsResponse["undone"]> {
  const edits = calls.filter(
    ({ tool, state }) => state === CallState.ok && toolNamed(tool)?.files === "changes",
  );
  const counter = new Counter(session, (path) => ({ path }));
  const done = new Map<string, number[]>();
  for await (const { call: edit, input } of callsWithInput(session, edits)) {
    const path = asString(input.file_path);
    if (path === null) continue;
    const parts = Array.isArray(input.edits) ? input.edits.map(asObject) : [input];
    for (const part of parts) {
      const [from, to] = [asString(part?.old_string), asString(part?.new_string)];
      if (from === null || to === null || from === to) continue;
      const back = done.get(changeKey(path, to, from))?.pop();
      if (back !== undefined) {
        counter.add(path, back);
        continue;
      }
      const key = changeKey(path, from, to);
      addTo(done, key, edit.record);
    }
  }
  return counter.list();
}

function changeKey(path: string, from: string, to: string): string {
  return createHash("sha256")
    .update(JSON.stringify([path, from, to]))
    .digest("base64");
}

async function unusedTools(session: OpenSession, calls: readonly Call[]): Promise<FactsResponse["unused"]> {
  const logged = await LoggedRequests.of(session);
  if (!logged) return null;
  const { refs } = await sessionSizes(session);
  // Files that are followed were read by turns.
  const inOrder = [...refs].sort(([one], [other]) => session.compareRecords(one, other));
  const used = new Set(calls.map(({ tool }) => tool));
  const servers = new Map<string | null, { tools: string[]; chars: number }>();
  for (const [name, chars] of logged.tools(inOrder.map(([, ref]) => ref))) {
    if (used.has(name)) continue;
    const [server] = splitToolName(name);
    const found = servers.get(server) ?? { tools: [], chars: 0 };
    servers.set(server, found);
    found.tools.push(name);
    found.chars += chars;
  }
  const tokensAChar = await toolTokensAChar(session, logged, refs);
  return [...servers]
    .map(([server, { tools, chars }]) => ({ server, tools, tokens: Math.round(chars * tokensAChar) }))
    .sort((a, b) => b.tokens - a.tokens);
}

/** How many tokens a character of the tools has, as they are counted in what fills the window of the last request. */
async function toolTokensAChar(
  session: OpenSession,
  logged: LoggedRequests,
  refs: ReadonlyMap<number, string>,
): Promise<number> {
  for await (const { record, parts } of partsFromLast(session)) {
    const chars = logged.preamble(refs.get(record) ?? null)?.tools ?? 0;
    if (chars > 0 && parts.tools) return parts.tools / chars;
  }
  return 1 / CHARS_A_TOKEN;
}

/** The records whose type matches, in the order of the logs. */
function recordsOfType(session: OpenSession, pattern: RegExp): number[] {
  const { table, graph } = session;
  const { records, types } = table;
  const wanted = new Set(types.list.flatMap((type, number) => (pattern.test(type) ? [number] : [])));
  const found: number[] = [];
  for (let record = 0; wanted.size > 0 && record < graph.parents.length; record++)
    if (wanted.has(records.type.at(record))) found.push(record);
  return found.sort((a, b) => session.compareRecords(a, b));
}

async function retriesOf(session: OpenSession): Promise<FactsResponse["retries"]> {
  const records = recordsOfType(session, /^system\/api_error$/);
  const read = await readRecords(session, records, KEEP_BYTES);
  let waitedMs = 0;
  for (const record of records) {
    const line = read(record);
    if (line?.kind === "system") waitedMs += asNumber(line.json.retryInMs) ?? 0;
  }
  return {
    count: records.length,
    places: records.slice(0, MAX_PLACES).map((record) => placeOf(session, record)),
    waitedMs: Math.round(waitedMs),
  };
}

/**
 * Hooks that ran at the end of a turn are listed in its summary; some of them have lines of their own as well
 * (2.1.330).
 */
async function hooksOf(session: OpenSession): Promise<FactsResponse["hooks"]> {
  const records = recordsOfType(session, /^attachment\/(?:async_)?hook_|^system\/stop_hook_summary$/);
  const read = await readRecords(session, records, KEEP_BYTES);
  const counter = new Counter(session, (name) => ({ name, failed: 0, ms: 0 }));
  const hasSummary = records.some((record) => read(record)?.kind === "system");
  for (const record of records) {
    const line = read(record);
    if (line?.kind === "system") {
      const { hookInfos, failedHookErrorIndexes, hookErrors } = line.json;
      const failed = Math.max(asArray(failedHookErrorIndexes).length, asArray(hookErrors).length);
      for (const [nth, info] of asArray(hookInfos).entries()) {
        const fact = counter.add("Stop", record);
        fact.ms += asNumber(asObject(info)?.durationMs) ?? 0;
        if (nth === 0) fact.failed += failed;
      }
    } else if (line?.kind === "attachment") {
      const { hookName, hookEvent, durationMs } = line.attachment;
      const name = asString(hookName) ?? asString(hookEvent) ?? "hook";
      const ms = asNumber(durationMs);
      // A hook's output has a line beside that of its run, without a time.
      if (ms === null || (hasSummary && name === "Stop")) continue;
      const fact = counter.add(name, record);
      fact.ms += ms;
      if (/error|cancelled/.test(line.attachmentType)) fact.failed += 1;
    }
  }
  return counter.list().sort((a, b) => b.ms - a.ms);
}
