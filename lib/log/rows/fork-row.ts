import { waysOn } from "@/lib/log/graph/branch-points";
import type { Branch } from "@/lib/log/graph/branches";
import { startsTurn } from "@/lib/log/graph/session-graph";
import { membersOf, type Steps } from "@/lib/log/graph/steps";
import { Level } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { branchIdOf } from "@/lib/wire/ids";
import type { ForkBranch, ForkRow } from "@/lib/wire/rows";
import { firstWords, type RowContext, recordIdOf, rowBase, timeOf } from "./row-context";
import { promptRecord, promptTitle } from "./turn-row";

const NONE = -1;
const WORDS = 80;

/** More are counted and not listed: a log can go on from one line in thousands of ways. */
const MOST_WAYS = 50;

/** A step of the path from which others go on, -1 for its start, and the one that the path goes on with, -1 at its end. */
type ForkPlace = { stem: number; own: number };

/** One way on from a fork: the branch, the steps that are its own from there, and its first prompt. */
type Way = { branch: Branch; ownSteps: number[]; prompt: number };

/** The fork before a record of the path, or (`atEnd`) behind its last one. */
export function forkAt({ graph, path }: RowContext, record: number, atEnd: boolean): ForkPlace {
  const step = at(graph.steps.of, record);
  if (atEnd) return { stem: step, own: NONE };
  const index = path.records.indexOf(record);
  return { stem: index <= 0 ? NONE : at(graph.steps.of, at(path.records, index - 1)), own: step };
}

/** The prompts of the ways that a fork's row lists. */
export function promptsOfBranches(context: RowContext, place: ForkPlace): number[] {
  return listedWays(context, place).listed.map(({ prompt }) => promptRecord(context, prompt));
}

/** The steps of a way from its first one down to the leaf. */
function stepsFrom(steps: Steps, first: number, leaf: number): number[] {
  const own: number[] = [];
  for (let step = leaf; step !== NONE; step = step === first ? NONE : at(steps.parent, step)) own.push(step);
  return own.reverse();
}

/** The branches that go on from a place: the one being read, and the latest of each other way. */
function listedWays(context: RowContext, { stem, own }: ForkPlace): { listed: Way[]; more: number } {
  const { graph, branch: current } = context;
  const all = waysOn(graph, at(graph.steps.thread, current.leaf), stem);
  // The branch being read speaks for its own way.
  const ways = all.map((way) => (way.child === own ? { ...way, branch: current } : way));
  const more = Math.max(0, ways.length - MOST_WAYS);
  const chosen = ways.filter((way, index) => index >= more || way.child === own);
  const listed = chosen.map(({ child, branch }) => {
    const ownSteps = child === NONE ? [] : stepsFrom(graph.steps, child, branch.leaf);
    return { branch, ownSteps, prompt: firstPrompt(context, ownSteps) };
  });
  return { listed, more: ways.length - listed.length };
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

/** @param record the one that stands first behind the fork, or (`atEnd`) the last one before it */
export function forkRow(context: RowContext, record: number, turn: number, atEnd: boolean): ForkRow {
  const { branch: current } = context;
  const { listed, more } = listedWays(context, forkAt(context, record, atEnd));
  const branches = listed.map(({ branch, ownSteps, prompt }): ForkBranch => {
    const way = {
      id: branchIdOf(recordIdOf(context, branch.leafRecord)),
      current: branch.leaf === current.leaf,
    };
    if (ownSteps.length === 0)
      return { ...way, prompt: "", rows: 0, atMs: timeOf(context.table, branch.leafRecord), endsHere: true };
    const source = promptRecord(context, prompt);
    return {
      ...way,
      prompt: firstWords(promptTitle(context.read(source)), WORDS),
      rows: rowsOf(context, ownSteps),
      atMs: timeOf(context.table, prompt),
    };
  });
  const base = rowBase(context, record, 0, turn);
  const key = `${base.key}.${atEnd ? "end-fork" : "fork"}`;
  return { ...base, key, kind: "fork", branches, ...(more > 0 ? { more } : {}) };
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
