import type { BranchId } from "@/lib/wire/ids";
import type { ForkRow } from "@/lib/wire/rows";
import type { Branch } from "../branches";
import { firstWords } from "../cut-text";
import { Level } from "../kinds";
import { blocksOf, startsTurn } from "../path";
import { membersOf, type Steps } from "../steps";
import { at } from "../table";
import { waysOn } from "../ways";
import { rowBase } from "./row-base";
import { type RowContext, recordIdOf, timeOf } from "./row-context";
import { promptRecord, typedPrompt } from "./turn-row";

const NONE = -1;
const WORDS = 80;

/** More are counted and not listed: a log can go on from one line in thousands of ways. */
const MOST_WAYS = 50;

/** One way on from a fork: the branch, the steps that are its own from there, and its first prompt. */
type Way = { branch: Branch; ownSteps: number[]; prompt: number };

/** The branches that go on from the step before this record: the one being read, and the latest of each other way. */
export function waysFrom(context: RowContext, record: number): Way[] {
  return listedWays(context, record).listed.map(({ child, branch }) => {
    const ownSteps = stepsFrom(context.graph.steps, child, branch.leaf);
    return { branch, ownSteps, prompt: firstPrompt(context, ownSteps) };
  });
}

/** The steps of a way from its first one down to the leaf. */
function stepsFrom(steps: Steps, first: number, leaf: number): number[] {
  const own: number[] = [];
  for (let step = leaf; step !== NONE; step = step === first ? NONE : at(steps.parent, step)) own.push(step);
  return own.reverse();
}

function listedWays(
  context: RowContext,
  record: number,
): { listed: { child: number; branch: Branch }[]; more: number } {
  const { graph, branch: current } = context;
  const own = at(graph.steps.of, record);
  const all = waysOn(graph, at(graph.steps.thread, current.leaf), stemOf(context, record));
  // The branch being read speaks for its own way.
  const ways = all.map((way) => (way.child === own ? { ...way, branch: current } : way));
  const more = Math.max(0, ways.length - MOST_WAYS);
  const listed = ways.filter((way, index) => index >= more || way.child === own);
  return { listed, more: ways.length - listed.length };
}

function stemOf({ graph, path }: RowContext, record: number): number {
  const index = path.records.indexOf(record);
  return index <= 0 ? NONE : at(graph.steps.of, at(path.records, index - 1));
}

function firstPrompt({ graph, table }: RowContext, ownSteps: readonly number[]): number {
  const { steps } = graph;
  let first = NONE;
  for (const step of ownSteps) {
    for (const record of membersOf(steps, step)) {
      if (startsTurn(table, graph, record)) return record;
      if (first === NONE) first = record;
    }
  }
  return first;
}

export function forkRow(context: RowContext, record: number, turn: number): ForkRow {
  const { branch: current } = context;
  const branches = waysFrom(context, record).map(({ branch, ownSteps, prompt }) => {
    const source = promptRecord(context, prompt);
    return {
      id: recordIdOf(context, branch.leafRecord) as string as BranchId,
      prompt: firstWords(typedPrompt(context.read(source)), WORDS),
      rows: rowsOf(context, ownSteps),
      atMs: timeOf(context.table, prompt),
      current: branch.leaf === current.leaf,
    };
  });
  const base = rowBase(context, record, 0, turn);
  const { more } = listedWays(context, record);
  return { ...base, key: `${base.key}.fork`, kind: "fork", branches, ...(more > 0 ? { more } : {}) };
}

/** How far a way goes: the blocks that a reader of its tools would see. */
function rowsOf({ graph, table }: RowContext, ownSteps: readonly number[]): number {
  const { steps } = graph;
  let rows = 0;
  for (const step of ownSteps) {
    for (const record of membersOf(steps, step)) {
      for (const block of blocksOf(table, record))
        if (table.blocks.get("level", block) <= Level.tools) rows += 1;
    }
  }
  return rows;
}
