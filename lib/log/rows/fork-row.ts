import { firstWords } from "@/lib/format/text";
import { branchesFrom, branchNumbers } from "@/lib/log/graph/branch-points";
import type { Branch } from "@/lib/log/graph/branches";
import { startsTurn } from "@/lib/log/graph/session-graph";
import { membersOf, type Steps } from "@/lib/log/graph/steps";
import { Level } from "@/lib/log/table/kinds";
import { blocksOf } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { branchIdOf } from "@/lib/wire/ids";
import type { ForkBranch, ForkRow } from "@/lib/wire/rows";
import { levelOf } from "./flatten";
import { type RowContext, recordIdOf, rowBase, timeOf } from "./row-context";
import { promptRecord, promptTitle } from "./turn-row";

const NONE = -1;
const MAX_PROMPT = 80;

/**
 * Others are counted and not listed: a log can continue from one line in thousands of branches. Those around the one
 * that is being read are listed, so that going from one to the next reaches all of them.
 */
const MAX_BRANCHES = 50;

/** A step of the path from which others continue, -1 for its start, and the path's own next step, -1 at its end. */
type ForkPoint = { stem: number; own: number };

/** One branch at a fork: the branch, its steps from there on, and its first prompt. */
type ForkedBranch = { branch: Branch; ownSteps: number[]; prompt: number };

/** The fork before a record of the path, or (`atEnd`) after its last one. */
export function forkAt({ graph, path }: RowContext, record: number, atEnd: boolean): ForkPoint {
  const step = at(graph.steps.of, record);
  if (atEnd) return { stem: step, own: NONE };
  const index = path.records.indexOf(record);
  return { stem: index <= 0 ? NONE : at(graph.steps.of, at(path.records, index - 1)), own: step };
}

/** The prompts of the branches that a fork's row lists. */
export function promptsOfBranches(context: RowContext, point: ForkPoint): number[] {
  return listBranches(context, point).listed.map(({ prompt }) => promptRecord(context, prompt));
}

/** The steps of a branch from a first one down to the leaf. */
function stepsFrom(steps: Steps, first: number, leaf: number): number[] {
  const own: number[] = [];
  for (let step = leaf; step !== NONE; step = step === first ? NONE : at(steps.parent, step)) own.push(step);
  return own.reverse();
}

/** The branches at a fork, oldest first: the one being read, and the latest through each other continuation. */
function listBranches(
  context: RowContext,
  { stem, own }: ForkPoint,
): { listed: ForkedBranch[]; more: number } {
  const { graph, branch: current } = context;
  const all = branchesFrom(graph, at(graph.steps.thread, current.leaf), stem);
  // The continuation on the path is represented by the branch being read.
  const continuations = all.map((one) => (one.child === own ? { ...one, branch: current } : one));
  const last = Math.max(0, continuations.length - MAX_BRANCHES);
  const read = continuations.findIndex((one) => one.child === own);
  const from = read === -1 ? last : Math.min(last, Math.max(0, read - MAX_BRANCHES / 2));
  const chosen = continuations.slice(from, from + MAX_BRANCHES);
  const listed = chosen.map(({ child, branch }) => {
    const ownSteps = child === NONE ? [] : stepsFrom(graph.steps, child, branch.leaf);
    return { branch, ownSteps, prompt: firstPrompt(context, ownSteps) };
  });
  return { listed, more: continuations.length - listed.length };
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

/** @param record the first record after the fork, or (`atEnd`) the last one before it */
export function forkRow(context: RowContext, record: number, turn: number, atEnd: boolean): ForkRow {
  const { branch: current } = context;
  const { listed, more } = listBranches(context, forkAt(context, record, atEnd));
  const numbers = branchNumbers(context.graph, at(context.graph.steps.thread, current.leaf));
  const branches = listed.map(({ branch, ownSteps, prompt }): ForkBranch => {
    const shared = {
      number: numbers.get(branch.leaf) ?? 0,
      id: branchIdOf(recordIdOf(context, branch.leafRecord)),
      current: branch.leaf === current.leaf,
    };
    if (ownSteps.length === 0)
      return {
        ...shared,
        prompt: "",
        rows: 0,
        atMs: timeOf(context.table, branch.leafRecord),
        endsHere: true,
      };
    const source = promptRecord(context, prompt);
    return {
      ...shared,
      prompt: firstWords(promptTitle(context.read(source)), MAX_PROMPT),
      rows: rowsOf(context, ownSteps),
      atMs: timeOf(context.table, prompt),
    };
  });
  const base = rowBase(context, record, 0, turn);
  const key = `${base.key}.${atEnd ? "end-fork" : "fork"}`;
  return { kind: "fork", ...base, key, branches, count: numbers.size, ...(more > 0 ? { more } : {}) };
}

/** The length of a branch: the number of prompts, and of other blocks, shown at the tools level. */
function rowsOf({ graph, table }: RowContext, ownSteps: readonly number[]): number {
  const { steps } = graph;
  let rows = 0;
  for (const step of ownSteps) {
    for (const record of membersOf(steps, step)) {
      if (startsTurn(table, graph, record)) {
        rows += 1;
        continue;
      }
      for (const block of blocksOf(table, record)) if (levelOf(table, graph, block) <= Level.tools) rows += 1;
    }
  }
  return rows;
}
