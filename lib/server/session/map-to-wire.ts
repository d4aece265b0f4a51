import type { Items } from "@/lib/log/map/map-items";
import type { SessionMap } from "@/lib/log/map/session-map";
import { at } from "@/lib/log/table/table";
import type { GraphItems, GraphLines } from "@/lib/wire/graph";
import type { AgentId, BranchId } from "@/lib/wire/ids";
import type { OpenSession } from "./open-session";

const NONE = -1;
const MOST_LINES = 900;

/** The lines that an answer has room for, in order, each with the line that it leaves. */
export function keepLines({ lines }: SessionMap): number[] {
  const kept = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (index >= MOST_LINES) break;
    if (line.to > line.from) kept.add(index);
  }
  // An agent may stand before the one that called it: go on until no line hangs in the air.
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const index of kept) {
      const parent = lines[index]?.parent ?? NONE;
      if (parent !== NONE && !kept.has(parent)) kept.delete(index);
    }
  }
  return [...kept];
}

/** The kept lines as columns; the items that they name are numbered as they are sent. */
export function toWireLines(
  session: OpenSession,
  map: SessionMap,
  kept: readonly number[],
  labels: readonly string[],
): GraphLines {
  const { graph } = session;
  const numberOf = new Map(kept.map((line, index) => [line, index]));
  const sentFrom: number[] = [];
  let sent = 0;
  const lines = kept.flatMap((index) => {
    const line = map.lines[index];
    return line ? [line] : [];
  });
  for (const { from, to } of lines) {
    sentFrom.push(sent);
    sent += to - from;
  }
  const sentItem = (item: number) => {
    if (item === NONE) return NONE;
    const line = numberOf.get(map.items.get("chain", item));
    return line === undefined ? NONE : (sentFrom[line] ?? 0) + item - (lines[line]?.from ?? 0);
  };
  return {
    agent: lines.map(({ thread }) => (graph.threads[thread]?.agentId ?? null) as AgentId | null),
    branch: lines.map(
      ({ chain }) => session.recordId(map.chains.branches[chain]?.leafRecord ?? 0) as string as BranchId,
    ),
    parent: lines.map(({ parent }) => (parent === NONE ? NONE : (numberOf.get(parent) ?? NONE))),
    leaves: lines.map(({ leaves }) => sentItem(leaves)),
    returns: lines.map(({ returns }) => sentItem(returns)),
    from: sentFrom,
    turnsBefore: turnsBefore(map).filter((_, line) => numberOf.has(line)),
    lane: lines.map(({ lane }) => lane),
    state: lines.map(({ state }) => state),
    label: kept.map((index) => labels[index] ?? ""),
  };
}

/** For each line the turns that lie before it on its way from the root. An agent's count from its start. */
function turnsBefore({ lines, fine: { items: fine }, chains, placeOf }: SessionMap): number[] {
  const { chain: chainOf, from: fromOf, turns: turnsOf } = fine.columns;
  /** Turns of all items before this one. */
  const upTo = new Uint32Array(fine.size + 1);
  const firstOfChain = new Int32Array(chains.count + 1).fill(fine.size);
  for (let item = fine.size - 1; item >= 0; item--) firstOfChain[at(chainOf, item)] = item;
  for (let item = 0; item < fine.size; item++) upTo[item + 1] = at(upTo, item) + at(turnsOf, item);
  const before: number[] = [];
  for (const line of lines) {
    const parent = lines[line.parent];
    const fork = at(chains.fork, line.chain);
    if (!parent || line.isAgent || fork === NONE) {
      before.push(0);
      continue;
    }
    const place = at(placeOf, fork);
    const first = at(firstOfChain, parent.chain);
    let item = first;
    while (item < fine.size && at(chainOf, item) === parent.chain && at(fromOf, item) <= place) item++;
    before.push((before[line.parent] ?? 0) + at(upTo, item) - at(upTo, first));
  }
  return before;
}

/** Items as columns, small enough to be sent by the thousand. */
export function toWireItems({ table }: OpenSession, items: Items, startedAtMs: number | null): GraphItems {
  const column = (
    name: "kind" | "turns" | "rows" | "calls" | "errors" | "denied" | "edits" | "agents" | "holds",
  ) => Array.from({ length: items.size }, (_, item) => items.get(name, item));
  const records = Array.from({ length: items.size }, (_, item) => items.get("record", item));
  const seconds = (ms: number) => (Number.isNaN(ms) || ms < 0 ? NONE : Math.round(ms / 1000));
  let before = 0;
  return {
    kind: column("kind"),
    file: records.map((record) => table.records.get("file", record)),
    offset: records.map((record) => {
      const by = table.records.get("offset", record) - before;
      before += by;
      return by;
    }),
    turns: column("turns"),
    rows: column("rows"),
    calls: column("calls"),
    errors: column("errors"),
    denied: column("denied"),
    edits: column("edits"),
    agents: column("agents"),
    holds: column("holds"),
    fromS: records.map((_, item) => seconds(items.get("startMs", item) - (startedAtMs ?? 0))),
    tookS: records.map((_, item) => seconds(items.get("endMs", item) - items.get("startMs", item))),
  };
}
