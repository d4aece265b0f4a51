import fc from "fast-check";
import { expect, test } from "vitest";
import { addCost, noCost, toCost } from "@/lib/cost/price-table";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { factNames, shareOf } from "@/lib/log/graph/session-share";
import { costOf, type RawLine, usageOf } from "@/lib/testing/raw-lines";
import { LOGS, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import type { SessionId } from "@/lib/wire/ids";
import type { Totals } from "@/lib/wire/library";
import { LibraryTotals } from "./library-totals";
import { noTotals, tokensOfCounts } from "./numbered-share";

type Json = RawLine & { [key: string]: unknown };

/** What a session does next: a prompt, an answer of some lines, or going on in a copy of what there is so far. */
const deeds = fc.array(
  fc.record({
    what: fc.constantFrom("prompt", "answer", "answer", "answer", "fork", "queue"),
    session: fc.nat(),
    keep: fc.nat(),
    lines: fc.integer({ min: 1, max: 3 }),
    tokens: fc.nat(1000),
  }),
  { maxLength: 24 },
);

type Deed = { what: string; session: number; keep: number; lines: number; tokens: number };

/** One with bands, one whose price changes, one without a price. */
const MODELS = ["claude-haiku-5-5", "claude-opus-5-5", "claude-opus-9"];

/** Sessions as clients leave them: forks copy lines with their uuids and message ids, cut anywhere, and go on. */
function sessionsOf(list: readonly Deed[]): Json[][] {
  const sessions: Json[][] = [[]];
  let made = 0;
  const add = (lines: Json[], json: Json) => {
    const before = lines.findLast(({ uuid }) => uuid !== undefined);
    lines.push({
      parentUuid: before?.uuid ?? null,
      timestamp: new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString(),
      ...json,
    });
    made += 1;
  };
  for (const { what, session, keep, lines, tokens } of list) {
    const own = sessions[session % sessions.length] as Json[];
    if (what === "prompt")
      add(own, { type: "user", uuid: `u${made}`, message: { content: `prompt ${made}` } });
    else if (what === "fork") {
      const cut = keep % (own.length + 1);
      // What waits in the queue is no turn yet.
      const end = own[cut - 1]?.operation === "enqueue" ? cut + 1 : cut;
      sessions.push(own.slice(0, end).map((line) => ({ ...line })));
    } else if (what === "queue") {
      const content = `queued ${made}`;
      add(own, { type: "queue-operation", operation: "enqueue", content });
      add(own, { type: "queue-operation", operation: "dequeue" });
    } else {
      // Every third answer names no message: each of its lines is one.
      const id = made % 3 === 0 ? undefined : `m${made}`;
      const [terms, model] = [made, MODELS[made % MODELS.length]];
      for (let line = 0; line < lines; line++) {
        const usage = {
          input_tokens: tokens,
          output_tokens: tokens + line,
          speed: terms % 4 === 0 ? "fast" : "standard",
          inference_geo: terms % 5 === 0 ? "us" : "not_available",
          cache_creation: { ephemeral_5m_input_tokens: tokens % 7, ephemeral_1h_input_tokens: tokens % 5 },
          server_tool_use: { web_search_requests: line },
        };
        add(own, {
          type: "assistant",
          uuid: `u${made}`,
          message: { id, model, usage, content: [{ type: "text", text: `${made}` }] },
        });
      }
    }
  }
  return sessions;
}

/** The same counted from the lines alone. */
function countLines(lines: readonly Json[]): Totals {
  const messages = lines
    .filter(({ type }) => type === "assistant")
    .map((line) => ({ ...line, message: { ...line.message, id: line.message?.id ?? line.uuid } }));
  const prompts = lines.filter(({ type, operation }) => type === "user" || operation === "enqueue");
  return {
    turns: new Set(prompts.map(({ uuid, content }) => uuid ?? content)).size,
    messages: new Set(messages.map(({ message }) => message.id)).size,
    usage: usageOf(messages),
    cost: costOf(messages),
  };
}

const idOf = (session: number) => `s${session}` as SessionId;

function putAll(totals: LibraryTotals, sessions: readonly Json[][]): SessionId[] {
  for (const [session, lines] of sessions.entries()) {
    const table = tableOf(lines.map((json) => ({ file: 0, json })));
    totals.put(
      idOf(session),
      shareOf(table, buildGraph(table, LOGS)),
      factNames(table, buildGraph(table, LOGS)),
    );
  }
  return sessions.map((_, session) => idOf(session));
}

test("over any forks of forks, every message and prompt counts once", () => {
  fc.assert(
    fc.property(deeds, fc.nat(), (list, some) => {
      const sessions = sessionsOf(list);
      const totals = new LibraryTotals();
      const ids = putAll(totals, sessions);
      expect(totals.of("all", ids)).toEqual(countLines(sessions.flat()));
      // Any part of the library is counted by itself.
      const part = sessions.map((_, session) => session).filter((session) => (some >> session) & 1);
      expect(totals.of("part", part.map(idOf))).toEqual(countLines(part.flatMap((at) => sessions[at] ?? [])));
    }),
    sampled(20_264, 150, 20_000),
  );
});

test("sessions that grow, are rewritten or removed leave nothing behind", () => {
  fc.assert(
    fc.property(deeds, deeds, fc.nat(), (before, after, gone) => {
      const totals = new LibraryTotals();
      totals.of("all", putAll(totals, sessionsOf(before)));
      const sessions = sessionsOf([...before, ...after]);
      const ids = putAll(totals, sessions);
      expect(totals.of("all", ids)).toEqual(countLines(sessions.flat()));
      const left = ids.filter((_, session) => session !== gone % ids.length);
      totals.keepOnly(new Set(left));
      const lines = sessions.filter((_, session) => session !== gone % ids.length);
      expect(totals.of("all", left)).toEqual(countLines(lines.flat()));
      expect(totals.of("all", ids)).toBeNull();
    }),
    sampled(20_265, 100, 10_000),
  );
});

test("each message is visited once, in the first session that holds it, and costs what it costs", () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const sessions = sessionsOf(list);
      const totals = new LibraryTotals();
      const ids = putAll(totals, sessions);
      const found = ids.map(() => ({ messages: 0, cost: noCost() }));
      totals.visit([...ids, idOf(999)], ({ session, microUsd, counts }) => {
        const own = found[ids.indexOf(session)];
        if (!own) throw new Error("A session that was not asked for");
        own.messages += 1;
        addCost(own.cost, {
          microUsd: microUsd ?? 0,
          unpricedTokens: microUsd === null ? tokensOfCounts(counts) : 0,
        });
      });
      for (const [at, own] of found.entries()) {
        const before = new Set(sessions.slice(0, at).flat().map(idOfLine));
        const first = sessions[at]?.filter((line) => !before.has(idOfLine(line))).map(idOfLine);
        // A copy may have more lines of the message than the first that holds it.
        const truth = countLines(sessions.flat().filter((line) => first?.includes(idOfLine(line))));
        expect([own.messages, toCost(own.cost)]).toEqual([truth.messages, truth.cost]);
      }
    }),
    sampled(20_267, 75, 8_000),
  );
});

const idOfLine = ({ message, uuid }: Json) => message?.id ?? uuid;

test("the part of a session that others contain, in total and by session", () => {
  fc.assert(
    fc.property(deeds, (list) => {
      const sessions = sessionsOf(list);
      const totals = new LibraryTotals();
      putAll(totals, sessions);
      for (const [session, lines] of sessions.entries()) {
        const shared = totals.shared(idOf(session));
        const keyOf = (line: Json) => line.message?.id ?? line.uuid ?? line.content;
        const elsewhere = new Set(
          sessions
            .filter((_, other) => other !== session)
            .flat()
            .map(keyOf),
        );
        expect(shared?.all).toEqual(countLines(lines.filter((line) => elsewhere.has(keyOf(line)))));
        for (const [other, theirs] of sessions.entries()) {
          if (other === session) continue;
          const held = new Set(theirs.map(keyOf));
          const both = countLines(lines.filter((line) => held.has(keyOf(line))));
          expect(shared?.with.get(idOf(other)) ?? noTotals()).toEqual(both);
        }
      }
    }),
    sampled(20_266, 100, 5_000),
  );
});

test("a session that was not read has no shared part", () => {
  const totals = new LibraryTotals();
  expect(totals.of("all", [idOf(1)])).toBeNull();
  expect(totals.of("none", [])).toEqual(noTotals());
  expect(totals.shared(idOf(1))).toBeNull();
});

test("a session that grows counts as if it had been read at once", () => {
  fc.assert(
    fc.property(deeds, fc.nat(), (list, cut) => {
      const sessions = sessionsOf(list);
      const totals = new LibraryTotals();
      for (const [session, lines] of sessions.entries()) {
        const known = cut % (lines.length + 1);
        const at = (end: number) => tableOf(lines.slice(0, end).map((json) => ({ file: 0, json })));
        const before = at(known);
        totals.put(
          idOf(session),
          shareOf(before, buildGraph(before, LOGS)),
          factNames(before, buildGraph(before, LOGS)),
        );
        const table = at(lines.length);
        const { message } = table.records.columns;
        const written = new Set(message.subarray(before.records.size, table.records.size));
        written.delete(-1);
        totals.extend(
          idOf(session),
          shareOf(table, buildGraph(table, LOGS), [...written]),
          factNames(table, buildGraph(table, LOGS)),
        );
      }
      const ids = sessions.map((_, session) => idOf(session));
      expect(totals.of("all", ids)).toEqual(countLines(sessions.flat()));
      const whole = new LibraryTotals();
      putAll(whole, sessions);
      for (const id of ids) expect(totals.shared(id)).toEqual(whole.shared(id));
      totals.keepOnly(new Set());
      const nothing = { messages: new Uint32Array(), turns: new Uint32Array(), passes: new Uint32Array() };
      for (const id of ids) totals.put(id, nothing, { models: [], callers: [] });
      expect(totals.of("none", ids)).toEqual(noTotals());
    }),
    sampled(20_266, 100, 10_000),
  );
});
