import { toCost } from "@/lib/cost/price-table";
import { firstWords } from "@/lib/format/text";
import type { AlignedTurns as AlignedPair } from "@/lib/log/compare/align";
import { abandonedFrom, type CountedPart as Figures, figuresOf } from "@/lib/log/compare/side-figures";
import { branchNumbers } from "@/lib/log/graph/branch-points";
import { type Path, turnMs } from "@/lib/log/graph/session-graph";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { timeOf } from "@/lib/log/rows/row-context";
import { promptRecord, promptTitle, typedPrompt } from "@/lib/log/rows/turn-row";
import { contextTokens } from "@/lib/log/table/message-tokens";
import { at } from "@/lib/log/table/table";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type {
  ComparedSide,
  ComparedStem,
  ComparedTurn,
  CompareResponse,
  PartFigures,
  TurnPair,
} from "@/lib/wire/compare";
import { firstThread, idOfBranch } from "../answers/branch-entries";
import type { OpenSession } from "../open-session";
import { readRecords } from "../read-records";
import type { Compared, OpenSide } from "./align-sides";
import { comparedFiles } from "./compared-files";

const NONE = -1;
const KEEP_BYTES = 1024;
const MAX_PROMPT = 240;
const MAX_TURNS = 2000;

/** Compares two branches: what they have in common, what each did after that, and the final state of the files. */
export async function compareSides(compared: Compared): Promise<CompareResponse> {
  const { left, right, stem, pairs } = compared;
  const figures = {
    left: sideFigures(left, stem.left, right),
    right: sideFigures(right, stem.right, left),
  };
  const own = pairs.map((pair, index) => ({ pair, index })).filter(({ pair }) => pair.shared !== "whole");
  const shown = own.slice(0, MAX_TURNS);
  const shared = pairs.filter((pair) => pair.shared !== "none").length;
  const prompts = {
    left: await promptsOf(
      left,
      shared,
      shown.map(({ pair }) => pair.left),
    ),
    right: await promptsOf(
      right,
      shared,
      shown.map(({ pair }) => pair.right),
    ),
  };
  const same = await samePrompts(
    compared,
    shown.map(({ pair }) => pair),
  );
  return {
    left: wireSide(left, figures.left, prompts.left),
    right: wireSide(right, figures.right, prompts.right),
    stem: wireStem(compared, shared, figures.left.stem, prompts.left),
    tools: toolsOf(figures.left.own, figures.right.own),
    turns: shown.map(({ pair, index }) =>
      wirePair(compared, { pair, index, samePrompt: same.has(pair) }, prompts),
    ),
    moreTurns: own.length - shown.length,
    ...(await comparedFiles(
      { ...left, calls: figures.left.own.ownCalls },
      { ...right, calls: figures.right.own.ownCalls },
    )),
  };
}

type SideFigures = {
  own: Figures;
  stem: Figures;
  abandoned: { branches: number; figures: Figures } | null;
};

function sideFigures({ session, path }: OpenSide, stem: number, other: OpenSide): SideFigures {
  const { table, graph } = session;
  const { table: prices } = pricesInUse();
  const count = (records: readonly number[], before: ReadonlySet<number>) =>
    figuresOf(table, graph, records, before, prices);
  const records = [...path.records];
  const shared = count(records.slice(0, stem), new Set());
  const sharedMessages = new Set(records.slice(0, stem).map((record) => table.records.message.at(record)));
  const beside = other.session.table === table ? other.path : null;
  const left = abandonedFrom(graph, firstThread(session), path, stem, beside);
  const pathMessages = new Set(records.map((record) => table.records.message.at(record)));
  return {
    own: count(records.slice(stem), sharedMessages),
    stem: shared,
    abandoned:
      left.branches === 0 ? null : { branches: left.branches, figures: count(left.records, pathMessages) },
  };
}

type Prompts = ReadonlyMap<number, string>;

/** The prompts of these turns, of the last shared one, and of the first that is not, by the turn's number. */
async function promptsOf(
  { session, path }: OpenSide,
  shared: number,
  places: readonly (number | null)[],
): Promise<Prompts> {
  const turns = [...places.map((place) => (place === null ? 0 : place + 1)), shared, shared + 1];
  const sources = turns.flatMap((turn) => {
    const found = turn > 0 ? path.turns[turn] : undefined;
    return found ? [{ turn, record: promptRecord(session, found.record) }] : [];
  });
  const read = await readRecords(
    session,
    sources.map(({ record }) => record),
    KEEP_BYTES,
  );
  return new Map(sources.map(({ turn, record }) => [turn, wordsOf(read(record))]));
}

/** Longer prompts are compared by their beginnings. */
const COMPARED_BYTES = 16 << 10;

/** The pairs with equal prompts. A table has only the beginning of a prompt: those with equal beginnings are read. */
async function samePrompts(
  { left, right }: Compared,
  pairs: readonly AlignedPair[],
): Promise<ReadonlySet<AlignedPair>> {
  const alike = pairs.filter(({ samePrompt }) => samePrompt);
  const textsOf = async ({ session, path }: OpenSide, places: readonly (number | null)[]) => {
    const records = places.map((place) =>
      place === null ? NONE : promptRecord(session, path.turns[place + 1]?.record ?? NONE),
    );
    const read = await readRecords(session, records, COMPARED_BYTES);
    return records.map((record) => typedPrompt(read(record)));
  };
  const one = await textsOf(
    left,
    alike.map((pair) => pair.left),
  );
  const other = await textsOf(
    right,
    alike.map((pair) => pair.right),
  );
  return new Set(alike.filter(({ shared }, index) => shared !== "none" || one[index] === other[index]));
}

function wordsOf(record: SessionRecord | null): string {
  return firstWords(promptTitle(record), MAX_PROMPT);
}

function wireSide(
  { session, branch, title, path }: OpenSide,
  { own, abandoned }: SideFigures,
  prompts: Prompts,
): ComparedSide {
  const { graph, files } = session;
  const thread = firstThread(session);
  const branches = graph.branches[thread] ?? [];
  const firstOwn = path.turns.length - own.turns;
  return {
    sessionId: files.id,
    title,
    branch: branch && idOfBranch(session, branch),
    number: branch ? (branchNumbers(graph, thread).get(branch.leaf) ?? 0) : 0,
    branches: branches.length,
    active: branch === (branches[0] ?? null),
    prompt: own.turns === 0 ? null : (prompts.get(firstOwn) ?? null),
    lastActiveAtMs: lastTime(session, path),
    own: wireFigures(own),
    contextTokens: contextOf(session, path),
    abandoned: abandoned && { branches: abandoned.branches, ...wireFigures(abandoned.figures) },
  };
}

function wireFigures({
  turns,
  agents,
  toolCalls,
  toolErrors,
  toolsDenied,
  durationMs,
  tokens,
  cost,
  added,
  removed,
}: Figures): PartFigures {
  return {
    turns,
    agents,
    toolCalls,
    toolErrors,
    toolsDenied,
    durationMs: Number.isNaN(durationMs) ? null : durationMs,
    tokens,
    cost: toCost(cost),
    added,
    removed,
  };
}

function lastTime({ table }: OpenSession, { records }: Path): number | null {
  for (let position = records.length - 1; position >= 0; position--) {
    const atMs = timeOf(table, at(records, position));
    if (atMs !== null) return atMs;
  }
  return null;
}

function contextOf({ table }: OpenSession, { records }: Path): number | null {
  for (let position = records.length - 1; position >= 0; position--) {
    const message = table.records.message.at(at(records, position));
    if (message === NONE) continue;
    const sent = contextTokens(table, message);
    if (sent > 0) return sent;
  }
  return null;
}

function wireStem(
  { left, right, stem }: Compared,
  turns: number,
  figures: Figures,
  prompts: Prompts,
): ComparedStem {
  const last = { left: left.path.records[stem.left - 1], right: right.path.records[stem.right - 1] };
  const isShared = last.left !== undefined && last.right !== undefined;
  return {
    turns,
    records: stem.left,
    figures: wireFigures(figures),
    last: isShared
      ? {
          left: left.session.recordId(last.left as number),
          right: right.session.recordId(last.right as number),
        }
      : null,
    atMs: isShared ? timeOf(left.session.table, last.left as number) : null,
    prompt: turns === 0 ? null : (prompts.get(turns) ?? null),
  };
}

function toolsOf(left: Figures, right: Figures): CompareResponse["tools"] {
  const names = new Set([...left.toolsByName.keys(), ...right.toolsByName.keys()]);
  return [...names]
    .map((name) => ({
      name,
      left: left.toolsByName.get(name) ?? 0,
      right: right.toolsByName.get(name) ?? 0,
    }))
    .sort((a, b) => Math.abs(b.right - b.left) - Math.abs(a.right - a.left) || (a.name < b.name ? -1 : 1));
}

function wirePair(
  { left, right }: Compared,
  { pair, index, samePrompt }: { pair: AlignedPair; index: number; samePrompt: boolean },
  prompts: { left: Prompts; right: Prompts },
): TurnPair {
  return {
    pair: index,
    left: wireTurn(left, pair.left, prompts.left),
    right: wireTurn(right, pair.right, prompts.right),
    begun: pair.shared === "begun",
    samePrompt,
  };
}

function wireTurn({ session, path }: OpenSide, place: number | null, prompts: Prompts): ComparedTurn | null {
  const turn = place === null ? undefined : path.turns[place + 1];
  if (place === null || !turn) return null;
  const { record, toolCalls, errors, added, removed } = turn;
  const durationMs = turnMs(turn);
  return {
    turn: place + 1,
    recordId: session.recordId(record),
    prompt: prompts.get(place + 1) ?? "",
    atMs: timeOf(session.table, record),
    toolCalls,
    errors,
    added,
    removed,
    durationMs: Number.isNaN(durationMs) ? null : durationMs,
  };
}
