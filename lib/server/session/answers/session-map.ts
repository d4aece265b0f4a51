import { firstPlace } from "@/lib/format/lists";
import { firstWords } from "@/lib/format/text";
import { type SessionGraph, startsTurn } from "@/lib/log/graph/session-graph";
import { membersOf } from "@/lib/log/graph/steps";
import { threadTotals, workedMs } from "@/lib/log/graph/thread-totals";
import type { ItemsBefore } from "@/lib/log/map/list-items";
import { groupItems, ITEMS, type Items } from "@/lib/log/map/map-items";
import { noMarks, type RowMarks, rowMarks, rowsOfRun } from "@/lib/log/map/row-marks";
import { buildSessionMap, type SessionMap } from "@/lib/log/map/session-map";
import { promptRecord, promptTitle } from "@/lib/log/rows/turn-row";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at, Table } from "@/lib/log/table/table";
import { isViewerError, ViewerError } from "@/lib/server/runtime/viewer-error";
import type {
  GraphItems,
  GraphLines,
  GraphResponse,
  GraphRows,
  GraphSegment,
  MinimapResponse,
} from "@/lib/wire/graph";
import { branchIdOf, type RecordId } from "@/lib/wire/ids";
import type { MinimapQuery } from "@/lib/wire/requests/threads";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import { agentEntries, describeAgents } from "./agent-entries";
import { chooseBranch } from "./branch-entries";
import { foldsOf, rowLanes, rowList } from "./session-rows";

const NONE = -1;
const MAX_ITEMS = 2600;
const MAX_ROWS = 600;
const MAX_LABELS = 200;
const MAX_LABEL = 60;
const READ_BYTES = 4 << 10;

/** Maps are cached with their graph: a page requests one again for the item that it opens. */
type CachedMap = { revision: number; map: SessionMap; answer: Promise<GraphResponse> | null };
const maps = new WeakMap<SessionGraph, CachedMap>();

/** The last map of a growing session, whose states share a table. */
const lastMaps = new WeakMap<SessionTable, CachedMap>();

function mapOf(session: OpenSession): CachedMap {
  const { table, graph, revision } = session;
  const kept = maps.get(graph);
  if (kept?.revision === revision) return kept;
  const map = buildSessionMap(table, graph, MAX_ITEMS, itemsBefore(session));
  const made = { revision, map, answer: null };
  maps.set(graph, made);
  lastMaps.set(table, made);
  return made;
}

/** The items of the state last requested, where the changes since are known. */
function itemsBefore(session: OpenSession): ItemsBefore | null {
  const last = lastMaps.get(session.table);
  const changes = last ? session.changesSince(last.revision) : null;
  return last && changes ? { list: last.map.fine, calls: changes.calls } : null;
}

/** The whole session, folded to what a page can display. Texts are cached only as they are in the log. */
export function graphOf(session: OpenSession): Promise<GraphResponse> {
  const kept = mapOf(session);
  if (session.redaction) return toWire(session, kept.map);
  kept.answer ??= toWire(session, kept.map);
  return kept.answer;
}

async function toWire(session: OpenSession, map: SessionMap): Promise<GraphResponse> {
  const lines = keepLines(map);
  const labels = await labelsOf(session, map, lines);
  const items: Items = new Table(ITEMS);
  for (const line of lines) {
    const { from = 0, to = 0 } = map.lines[line] ?? {};
    items.append(map.items, from, to);
  }
  const startedAtMs = startOf(map);
  return {
    revision: session.revision,
    startedAtMs,
    files: session.logs.map(({ key }) => key),
    lines: toWireLines(session, map, lines, labels),
    items: toWireItems(session, items, startedAtMs),
    linesLeftOut: map.lines.length - lines.length,
  };
}

/**
 * The content of an item of the map: `holds` finer items from the one that begins with this record on, or with
 * 0 the rows of that one. Throws `segment-not-found`.
 */
export function segmentOf(session: OpenSession, first: RecordId, holds: number): GraphSegment {
  const { map } = mapOf(session);
  const { items: fine } = map.fine;
  const record = session.find(first);
  let index = 0;
  while (index < fine.size && fine.record.at(index) !== record) index++;
  if (index === fine.size) {
    throw new ViewerError("segment-not-found", "No part of this session’s graph begins with that record", {
      hint: "The session has grown since the graph was drawn. Ask for the graph again.",
    });
  }
  const startedAtMs = startOf(map);
  const answer = { revision: session.revision, startedAtMs, files: session.logs.map(({ key }) => key) };
  if (holds === 0) {
    const run = { from: fine.from.at(index), to: fine.to.at(index), most: MAX_ROWS };
    const found = rowsOfRun(session.table, session.graph, map.chains, run);
    return { ...answer, items: null, rows: toWireRows(session, found) };
  }
  const held: Items = new Table(ITEMS);
  held.append(fine, index, Math.min(fine.size, index + holds));
  return {
    ...answer,
    items: toWireItems(session, groupItems(held, MAX_ITEMS / 4), startedAtMs),
    rows: null,
  };
}

function toWireRows({ table }: OpenSession, found: ReturnType<typeof rowsOfRun>): GraphRows {
  const names = [
    ...new Set(found.flatMap(({ tool }) => (tool === NONE ? [] : [table.tools.at(tool) ?? ""]))),
  ];
  let before = 0;
  return {
    kind: found.map(({ kind }) => kind),
    file: found.map(({ record }) => table.records.file.at(record)),
    offset: found.map(({ record }) => {
      const offset = table.records.offset.at(record);
      const by = offset - before;
      before = offset;
      return by;
    }),
    block: found.map(({ block }) => block),
    name: found.map(({ tool }) => (tool === NONE ? NONE : names.indexOf(table.tools.at(tool) ?? ""))),
    names,
  };
}

function startOf({ items }: SessionMap): number | null {
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < items.size; i++) if (items.startMs.at(i) < first) first = items.startMs.at(i);
  return Number.isFinite(first) ? first : null;
}

/** The labels of the lines: read from the log for the first few hundred. */
async function labelsOf(session: OpenSession, map: SessionMap, lines: readonly number[]): Promise<string[]> {
  const labels = map.lines.map(() => "");
  const agents = agentEntries(session);
  const wanted = lines.filter((line) => map.lines[line]?.isAgent).slice(0, MAX_LABELS);
  const ids = new Set(wanted.map((line) => session.graph.threads[map.lines[line]?.thread ?? 0]?.agentId));
  const described = await describeAgents(
    session,
    agents.filter(({ agentId }) => ids.has(agentId)),
  );
  const byId = new Map(described.map((entry) => [entry.agentId as string, entry]));
  for (const line of wanted) {
    const entry = byId.get(session.graph.threads[map.lines[line]?.thread ?? 0]?.agentId ?? "");
    labels[line] = firstWords([entry?.description, entry?.type].filter(Boolean).join(" · "), MAX_LABEL);
  }
  const branches = lines.filter((line) => line > 0 && !map.lines[line]?.isAgent).slice(0, MAX_LABELS);
  const prompts = branches.map((line) => promptRecord(session, firstPrompt(session, map, line)));
  const texts = await promptTextsOf(session, prompts);
  for (const [index, line] of branches.entries()) labels[line] = texts.get(prompts[index] ?? NONE) ?? "";
  return labels;
}

/** Record → the beginning of its prompt. A logged line never changes. */
const promptTexts = new WeakMap<SessionTable, Map<number, string>>();

async function promptTextsOf(session: OpenSession, prompts: readonly number[]): Promise<Map<number, string>> {
  const known = (!session.redaction && promptTexts.get(session.table)) || new Map<number, string>();
  if (!session.redaction) promptTexts.set(session.table, known);
  const unknown = prompts.filter((record) => record !== NONE && !known.has(record));
  const read = await readRecords(session, unknown, READ_BYTES);
  for (const record of unknown) known.set(record, firstWords(promptTitle(read(record)), MAX_LABEL));
  return known;
}

function firstPrompt({ table, graph }: OpenSession, { chains, lines }: SessionMap, line: number): number {
  const chain = lines[line]?.chain ?? 0;
  const { steps } = graph;
  for (let index = at(chains.start, chain); index < at(chains.start, chain + 1); index++) {
    const step = at(chains.steps, index);
    for (const record of membersOf(steps, step)) {
      if (startsTurn(table, graph, record)) return record;
    }
  }
  return NONE;
}

const MAX_LINES = 900;

/** The lines that fit into an answer, in order, each with the line that it leaves. */
function keepLines({ lines }: SessionMap): number[] {
  const kept = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (index >= MAX_LINES) break;
    if (line.to > line.from) kept.add(index);
  }
  // An agent may precede the one that called it: repeat until every line has its parent.
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const index of kept) {
      const parent = lines[index]?.parent ?? NONE;
      if (parent !== NONE && !kept.has(parent)) kept.delete(index);
    }
  }
  return [...kept];
}

/** The kept lines as columns; items are referred to by their numbers on the wire. */
function toWireLines(
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
    const line = numberOf.get(map.items.chain.at(item));
    return line === undefined ? NONE : (sentFrom[line] ?? 0) + item - (lines[line]?.from ?? 0);
  };
  return {
    agent: lines.map(({ thread }) => graph.threads[thread]?.agentId ?? null),
    branch: lines.map(({ chain }) =>
      branchIdOf(session.recordId(map.chains.branches[chain]?.leafRecord ?? 0)),
    ),
    parent: lines.map(({ parent }) => (parent === NONE ? NONE : (numberOf.get(parent) ?? NONE))),
    leaves: lines.map(({ leaves }) => sentItem(leaves)),
    returns: lines.map(({ returns }) => sentItem(returns)),
    from: sentFrom,
    turnsBefore: turnsBefore(map).filter((_, line) => numberOf.has(line)),
    lane: lines.map(({ lane }) => lane),
    state: lines.map(({ state }) => state),
    tookMs: lines.map(({ isAgent, thread }) => (isAgent ? agentMs(session, thread) : NONE)),
    label: kept.map((index) => labels[index] ?? ""),
  };
}

function agentMs({ table, graph }: OpenSession, thread: number): number {
  return workedMs(threadTotals(table, graph, thread).rounds) ?? NONE;
}

/**
 * For each line of a map the number of turns before it on its path from the root. An agent's count starts at its
 * beginning.
 */
export function turnsBefore({ lines, fine: { items: fine }, chains, positionOf }: SessionMap): number[] {
  const { chain: chainOf, from: fromOf, turns: turnsOf } = fine;
  /** The number of turns of all items before this one. */
  const upTo = new Int32Array(fine.size + 1);
  const firstOfChain = new Int32Array(chains.count + 1).fill(fine.size);
  for (let item = fine.size - 1; item >= 0; item--) firstOfChain[chainOf.at(item)] = item;
  for (let item = 0; item < fine.size; item++) upTo[item + 1] = at(upTo, item) + turnsOf.at(item);
  /** The first item behind a position of `chains.steps`, in which items follow one another. */
  const itemBehind = (position: number) => firstPlace(0, fine.size, (item) => fromOf.at(item) > position);
  const before: number[] = [];
  for (const line of lines) {
    const parent = lines[line.parent];
    const fork = at(chains.fork, line.chain);
    if (!parent || line.isAgent || fork === NONE) {
      before.push(0);
      continue;
    }
    const first = at(firstOfChain, parent.chain);
    const behind = Math.max(first, itemBehind(at(positionOf, fork)));
    before.push((before[line.parent] ?? 0) + at(upTo, behind) - at(upTo, first));
  }
  return before;
}

/** Items as columns, compact enough to be sent by the thousand. */
function toWireItems({ table }: OpenSession, items: Items, startedAtMs: number | null): GraphItems {
  const column = (
    name: "kind" | "turns" | "rows" | "calls" | "errors" | "denied" | "edits" | "agents" | "holds",
  ) => Array.from({ length: items.size }, (_, item) => items[name].at(item));
  const records = Array.from({ length: items.size }, (_, item) => items.record.at(item));
  const seconds = (ms: number) => (Number.isNaN(ms) || ms < 0 ? NONE : Math.round(ms / 1000));
  let before = 0;
  return {
    kind: column("kind"),
    file: records.map((record) => table.records.file.at(record)),
    offset: records.map((record) => {
      const by = table.records.offset.at(record) - before;
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
    fromS: records.map((_, item) => seconds(items.startMs.at(item) - (startedAtMs ?? 0))),
    tookS: records.map((_, item) => seconds(items.endMs.at(item) - items.startMs.at(item))),
  };
}

/** Marks for the minimap of a thread of any length. */
export function minimapOf(session: OpenSession, query: MinimapQuery): MinimapResponse {
  const { revision } = session;
  const branch = chooseBranch(session, query, null);
  if (!branch) return toMinimap(revision, 0, noMarks(1));
  const wanted = new Set(query.find.flatMap((id) => recordIfThere(session, id)));
  const list = rowList(session, branch, query.detail, foldsOf(query.fold, query.runs));
  const marks = rowMarks(session.table, session.graph, list, rowLanes(session, branch, list), wanted);
  return toMinimap(revision, list.count, marks);
}

function toMinimap(revision: number, total: number, { density, ...marks }: RowMarks): MinimapResponse {
  return { revision, total, ...marks, density: density.join("") };
}

/** A record that was found may no longer exist: then it has no mark. */
function recordIfThere(session: OpenSession, id: RecordId): number[] {
  try {
    return [session.find(id)];
  } catch (error) {
    if (isViewerError(error)) return [];
    throw error;
  }
}
