import { badCursor } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionSummary } from "@/lib/wire/library";
import type { UsageBy, UsageResponse, UsageRow, UsageSums } from "@/lib/wire/usage";
import type { Catalog } from "./catalog";
import { clockOf, timeKeys } from "./days";
import type { LibraryMessage, LibraryTotals } from "./library-totals";
import { countedSessions } from "./project-totals";

/**
 * A query of the library's usage: from one moment up to another, of one project, without agents. `zone`: whose days
 * they are, see `clockOf`.
 */
export type UsageQuery = {
  by: UsageBy;
  project: string | null;
  fromMs: number | null;
  toMs: number | null;
  agents: boolean;
  zone: string | null;
  /** How many rows at most, behind those of earlier answers; all of them where neither is given. */
  limit?: number | null;
  cursor?: string | null;
};

/** What the client writes in place of an answer is no request. */
const CLIENTS_OWN = "<synthetic>";

/**
 * Adds up what the library's requests used. A copy counts in the session that began first. Throws ViewerError
 * `bad-cursor`.
 */
export function usageOf(
  catalog: Catalog,
  totals: LibraryTotals,
  { by, project, fromMs, toMs, agents, zone, limit = null, cursor = null }: UsageQuery,
  pricesAsOf: string,
): UsageResponse {
  const counted = new Set(countedSessions(catalog, totals));
  const sessions = inOrderOfBeginning(
    catalog,
    catalog.summaries().filter(({ id }) => counted.has(id)),
  );
  const names = keysBy(by, zone, catalog, totals, sessions);
  const shown = new Set(
    sessions.flatMap(({ id, projectId }) => (project === null || projectId === project ? [id] : [])),
  );
  const rows = new Map<string | number, RowSum>();
  const sum = new RowSum();
  // Messages come session by session, so most are in the row of the one before: looking each up is most of the time.
  let last: { key: string | number; row: RowSum } | null = null;
  const [from, to] = [(fromMs ?? Number.NEGATIVE_INFINITY) / 1000, (toMs ?? Number.POSITIVE_INFINITY) / 1000];
  totals.visit(
    sessions.map(({ id }) => id),
    (message) => {
      const { second, session, isAgents, model } = message;
      if (totals.modelNamed(model) === CLIENTS_OWN) return;
      if (second < from || second >= to || (isAgents && !agents) || !shown.has(session)) return;
      const key = names.keyOf(message);
      if (last?.key !== key) {
        const row = rows.get(key) ?? new RowSum();
        rows.set(key, row);
        last = { key, row };
      }
      last.row.add(message);
      sum.add(message);
    },
  );
  const made = [...rows].map(
    ([key, row]): UsageRow => ({
      ...names.nameOf(key),
      ...row.sums(),
      models: row.models((model) => totals.modelNamed(model)),
    }),
  );
  const compare = names.isTime ? newestFirst : dearestFirst;
  return {
    by,
    ...pageOf(made.sort(compare), compare, limit, cursor),
    totals: sum.sums(),
    pricesAsOf,
    // Sessions are added while folders are listed: before the end, every known session may be counted, and others still
    // be missing.
    complete: catalog.listed && sessions.every(({ id }) => totals.has(id)),
  };
}

/**
 * Sessions in the order in which they began. A copy begins with the lines that it copied, so it has the same start: it
 * comes after the session that its lines name (`forked-from`), or else after one that ended earlier.
 */
export function inOrderOfBeginning(catalog: Catalog, sessions: readonly SessionSummary[]): SessionSummary[] {
  const sorted = sessions.toSorted(
    (a, b) =>
      (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0) ||
      (a.lastActiveAtMs ?? 0) - (b.lastActiveAtMs ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
  const ordered: SessionSummary[] = [];
  for (let from = 0; from < sorted.length; ) {
    const startedAtMs = sorted[from]?.startedAtMs ?? null;
    let to = from + 1;
    while (to < sorted.length && (sorted[to]?.startedAtMs ?? null) === startedAtMs) to += 1;
    const together = sorted.slice(from, to);
    const mayBeCopies = startedAtMs !== null && together.length > 1;
    for (const one of mayBeCopies ? originalsFirst(catalog, together) : together) ordered.push(one);
    from = to;
  }
  return ordered;
}

function originalsFirst(catalog: Catalog, sessions: readonly SessionSummary[]): Iterable<SessionSummary> {
  const originals = catalog.originals(sessions.map(({ id }) => id));
  const ordered = new Map<SessionId, SessionSummary>();
  let left = sessions;
  while (left.length > 0) {
    const waiting: SessionSummary[] = [];
    for (const session of left) {
      const isFree = originals.get(session.id)?.every((id) => ordered.has(id)) ?? true;
      if (isFree) ordered.set(session.id, session);
      else waiting.push(session);
    }
    // If sessions name each other, the first one comes first.
    const first = waiting.length === left.length ? waiting.shift() : undefined;
    if (first) ordered.set(first.id, first);
    left = waiting;
  }
  return ordered.values();
}

/** By what rows are ordered. */
type Ranked = Pick<UsageRow, "key" | "costMicroUsd" | "requests">;

/**
 * A page of the rows. The cursor names the last row that was sent by what it is ordered by, so that none is sent twice
 * or missed because others were added before it.
 */
function pageOf(
  rows: readonly UsageRow[],
  compare: (a: Ranked, b: Ranked) => number,
  limit: number | null,
  cursor: string | null,
): Pick<UsageResponse, "rows" | "total" | "nextCursor"> {
  const last = cursor === null ? null : decodeCursor(cursor);
  const left = last === null ? rows : rows.filter((row) => row.key !== last.key && compare(row, last) > 0);
  const page = left.slice(0, limit ?? left.length);
  const end = page.at(-1);
  const hasMore = end !== undefined && page.length < left.length;
  return { rows: page, total: rows.length, nextCursor: hasMore ? encodeCursor(end) : null };
}

function encodeCursor({ key, costMicroUsd, requests }: Ranked): string {
  return Buffer.from(JSON.stringify([key, costMicroUsd, requests])).toString("base64url");
}

/** Throws `bad-cursor`. */
function decodeCursor(cursor: string): Ranked {
  try {
    const parts = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown;
    const [key, costMicroUsd, requests] = Array.isArray(parts) ? (parts as unknown[]) : [];
    const isCost = costMicroUsd === null || typeof costMicroUsd === "number";
    if (typeof key === "string" && isCost && typeof requests === "number")
      return { key, costMicroUsd, requests };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badCursor();
}

function newestFirst(a: Ranked, b: Ranked): number {
  return a.key < b.key ? 1 : -1;
}

function dearestFirst(a: Ranked, b: Ranked): number {
  return (b.costMicroUsd ?? 0) - (a.costMicroUsd ?? 0) || b.requests - a.requests || (a.key < b.key ? -1 : 1);
}

/** How messages are grouped: by a key of each, and the name of that key's row. */
type Keys = {
  isTime: boolean;
  keyOf(message: LibraryMessage): string | number;
  nameOf(key: string | number): { key: string; name: string };
};

function keysBy(
  by: UsageBy,
  zone: string | null,
  catalog: Catalog,
  totals: LibraryTotals,
  sessions: readonly SessionSummary[],
): Keys {
  const of = new Map<SessionId, SessionSummary>(sessions.map((one) => [one.id, one]));
  const named = (nameOf: (key: string | number) => string | null) => (key: string | number) => {
    const name = nameOf(key);
    return { key: name ?? "", name: name || "none" };
  };
  switch (by) {
    case "day":
    case "week":
    case "month": {
      const keyOf = timeKeys(by, clockOf(zone));
      return { isTime: true, keyOf: ({ second }) => keyOf(second), nameOf: named(String) };
    }
    case "model":
      return {
        isTime: false,
        keyOf: ({ model }) => model,
        nameOf: named((key) => totals.modelNamed(Number(key))),
      };
    case "tool":
      return {
        isTime: false,
        keyOf: ({ tool }) => tool,
        nameOf: named((key) => totals.toolNamed(Number(key))),
      };
    case "agent":
      return {
        isTime: false,
        keyOf: ({ agentType }) => agentType,
        nameOf: (key) => {
          const type = totals.agentTypeNamed(Number(key));
          if (type === null) return { key: "", name: "main thread" };
          return type === "" ? { key: "?", name: "agents of unknown type" } : { key: type, name: type };
        },
      };
    case "branch":
      return {
        isTime: false,
        keyOf: ({ session }) => of.get(session)?.gitBranch ?? "",
        nameOf: named(String),
      };
    case "project": {
      const paths = new Map<string, string>(catalog.projects().map(({ id, path }) => [id, path]));
      return {
        isTime: false,
        keyOf: ({ session }) => of.get(session)?.projectId ?? "",
        nameOf: (key) => ({ key: String(key), name: paths.get(String(key)) ?? String(key) }),
      };
    }
    case "session":
      return {
        isTime: false,
        keyOf: ({ session }) => session,
        nameOf: (key) => ({ key: String(key), name: of.get(String(key) as SessionId)?.title ?? String(key) }),
      };
  }
}

const [INPUT, OUTPUT, WRITE, WRITE_5M, WRITE_1H, READ, SEARCHES] = [0, 1, 2, 3, 4, 5, 6] as const;

type ModelSum = { tokens: number; microUsd: number; unpriced: number };

/** A row while it is being added up. */
class RowSum {
  readonly #sessions = new Set<SessionId>();
  readonly #models = new Map<number, ModelSum>();
  readonly #sums = {
    requests: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    webSearches: 0,
  };
  #microUsd = 0;
  #unpriced = 0;
  #session: SessionId | null = null;
  #model: { number: number; sum: ModelSum } | null = null;

  add({ session, counts, microUsd, model }: LibraryMessage): void {
    const [input, output, read] = [counts[INPUT] ?? 0, counts[OUTPUT] ?? 0, counts[READ] ?? 0];
    const write1h = counts[WRITE_1H] ?? 0;
    const write5m = Math.max(counts[WRITE_5M] ?? 0, (counts[WRITE] ?? 0) - write1h);
    const tokens = input + output + read + write5m + write1h;
    const sums = this.#sums;
    if (session !== this.#session) this.#sessions.add(session);
    this.#session = session;
    sums.requests += 1;
    sums.input += input;
    sums.output += output;
    sums.cacheRead += read;
    sums.cacheWrite5m += write5m;
    sums.cacheWrite1h += write1h;
    sums.webSearches += counts[SEARCHES] ?? 0;
    const own = this.#modelSum(model);
    own.tokens += tokens;
    own.microUsd += microUsd ?? 0;
    this.#microUsd += microUsd ?? 0;
    if (microUsd !== null) return;
    own.unpriced += tokens;
    this.#unpriced += tokens;
  }

  #modelSum(model: number): ModelSum {
    if (this.#model?.number === model) return this.#model.sum;
    const sum = this.#models.get(model) ?? { tokens: 0, microUsd: 0, unpriced: 0 };
    this.#models.set(model, sum);
    this.#model = { number: model, sum };
    return sum;
  }

  sums(): UsageSums {
    return {
      ...this.#sums,
      sessions: this.#sessions.size,
      costMicroUsd: this.#microUsd === 0 && this.#unpriced > 0 ? null : this.#microUsd,
      unpricedTokens: this.#unpriced,
    };
  }

  /** Models that used tokens, the dearest first. */
  models(nameOf: (model: number) => string): UsageRow["models"] {
    return [...this.#models]
      .filter(([, { tokens }]) => tokens > 0)
      .sort(([, a], [, b]) => b.microUsd - a.microUsd || b.tokens - a.tokens)
      .map(([model, { tokens, microUsd, unpriced }]) => ({
        model: nameOf(model),
        tokens,
        costMicroUsd: microUsd === 0 && unpriced > 0 ? null : microUsd,
      }));
  }
}
