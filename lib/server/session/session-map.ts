import { firstWords } from "@/lib/thread/cut-text";
import { groupItems, itemAt } from "@/lib/thread/layout/group-items";
import { ITEMS, type Items } from "@/lib/thread/layout/map-items";
import { rowsOfRun } from "@/lib/thread/layout/run-rows";
import { buildSessionMap, type SessionMap } from "@/lib/thread/layout/session-map";
import { startsTurn } from "@/lib/thread/path";
import { promptRecord, promptTitle } from "@/lib/thread/rows/turn-row";
import type { SessionGraph } from "@/lib/thread/session-graph";
import { membersOf } from "@/lib/thread/steps";
import { at, Table } from "@/lib/thread/table";
import type { GraphResponse, GraphRows, GraphSegment } from "@/lib/wire/graph";
import type { RecordId } from "@/lib/wire/ids";
import { ViewerError } from "../viewer-error";
import { keepLines, toWireItems, toWireLines } from "./map-to-wire";
import type { OpenSession } from "./open-session";
import { readRecords } from "./read-records";
import { agentEntries, describeAgents } from "./session-detail";

const NONE = -1;
const MOST_ITEMS = 2600;
const MOST_ROWS = 600;
const MOST_LABELS = 200;
const LABEL_WORDS = 60;
const READ_BYTES = 4 << 10;

/** Maps go with the graph that they are of: a page asks again for the item that it opens. */
type KeptMap = { revision: number; map: SessionMap; answer: Promise<GraphResponse> | null };
const maps = new WeakMap<SessionGraph, KeptMap>();

function mapOf({ table, graph, revision }: OpenSession): KeptMap {
  const kept = maps.get(graph);
  if (kept?.revision === revision) return kept;
  const made = { revision, map: buildSessionMap(table, graph, MOST_ITEMS), answer: null };
  maps.set(graph, made);
  return made;
}

/** The whole session, folded to what a page can hold. */
export function graphOf(session: OpenSession): Promise<GraphResponse> {
  const kept = mapOf(session);
  kept.answer ??= toWire(session, kept.map);
  return kept.answer;
}

async function toWire(session: OpenSession, map: SessionMap): Promise<GraphResponse> {
  const lines = keepLines(map);
  const labels = await labelsOf(session, map, lines);
  const items: Items = new Table(ITEMS);
  for (const line of lines) {
    for (let i = map.lines[line]?.from ?? 0; i < (map.lines[line]?.to ?? 0); i++)
      items.push(itemAt(map.items, i));
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
 * What an item of the map holds: `holds` finer items from the one that begins with this record, or with
 * none the rows of that one. Throws `segment-not-found`.
 */
export function segmentOf(session: OpenSession, first: RecordId, holds: number): GraphSegment {
  const { map } = mapOf(session);
  const { fine, chains } = map;
  const record = session.find(first);
  let index = 0;
  while (index < fine.size && fine.get("record", index) !== record) index++;
  if (index === fine.size) {
    throw new ViewerError("segment-not-found", "No part of this session's graph begins with that record", {
      hint: "The session has grown since the graph was drawn. Ask for the graph again.",
    });
  }
  const startedAtMs = startOf(map);
  const answer = { revision: session.revision, startedAtMs, files: session.logs.map(({ key }) => key) };
  if (holds === 0) {
    const found = rowsOfRun(
      session.table,
      session.graph,
      chains,
      fine.get("from", index),
      fine.get("to", index),
      MOST_ROWS,
    );
    return { ...answer, items: null, rows: toWireRows(session, found) };
  }
  const held: Items = new Table(ITEMS);
  for (let i = index; i < Math.min(fine.size, index + holds); i++) held.push(itemAt(fine, i));
  return {
    ...answer,
    items: toWireItems(session, groupItems(held, MOST_ITEMS / 4), startedAtMs),
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
    file: found.map(({ record }) => table.records.get("file", record)),
    offset: found.map(({ record }) => {
      const offset = table.records.get("offset", record);
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
  for (let i = 0; i < items.size; i++) if (items.get("startMs", i) < first) first = items.get("startMs", i);
  return Number.isFinite(first) ? first : null;
}

/** What the lines are called: read from the log for the first hundreds. */
async function labelsOf(session: OpenSession, map: SessionMap, lines: readonly number[]): Promise<string[]> {
  const labels = map.lines.map(() => "");
  const agents = agentEntries(session);
  const wanted = lines.filter((line) => map.lines[line]?.isAgent).slice(0, MOST_LABELS);
  const ids = new Set(wanted.map((line) => session.graph.threads[map.lines[line]?.thread ?? 0]?.agentId));
  const described = await describeAgents(
    session,
    agents.filter(({ agentId }) => ids.has(agentId)),
  );
  const byId = new Map(described.map((entry) => [entry.agentId as string, entry]));
  for (const line of wanted) {
    const entry = byId.get(session.graph.threads[map.lines[line]?.thread ?? 0]?.agentId ?? "");
    labels[line] = firstWords([entry?.description, entry?.type].filter(Boolean).join(" · "), LABEL_WORDS);
  }
  const branches = lines.filter((line) => line > 0 && !map.lines[line]?.isAgent).slice(0, MOST_LABELS);
  const prompts = branches.map((line) => promptRecord(session, firstPrompt(session, map, line)));
  const read = await readRecords(session, prompts, READ_BYTES);
  for (const [index, line] of branches.entries()) {
    labels[line] = firstWords(promptTitle(read(prompts[index] ?? NONE)), LABEL_WORDS);
  }
  return labels;
}

function firstPrompt({ table, graph }: OpenSession, { chains, lines }: SessionMap, line: number): number {
  const chain = lines[line]?.chain ?? 0;
  const { steps } = graph;
  for (let place = at(chains.start, chain); place < at(chains.start, chain + 1); place++) {
    const step = at(chains.steps, place);
    for (const record of membersOf(steps, step)) {
      if (startsTurn(table, graph, record)) return record;
    }
  }
  return NONE;
}
