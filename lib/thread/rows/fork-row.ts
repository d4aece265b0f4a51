import type { BranchId } from "@/lib/wire/ids";
import type { ForkRow } from "@/lib/wire/rows";
import { pathSteps, type Branch } from "../branches";
import { firstWords } from "../cut-text";
import { Level } from "../kinds";
import { blocksOf, startsTurn } from "../path";
import { at } from "../table";
import { rowBase } from "./row-base";
import { recordIdOf, type RowContext, timeOf } from "./row-context";
import { promptOf, promptRecord } from "./turn-row";

const NONE = -1;
const WORDS = 80;

/** One way on from a fork: the branch, the steps that are its own from there, and its first prompt. */
type Way = { branch: Branch; ownSteps: number[]; prompt: number };

/** The branches that go on from the step before this record, the one being read among them. */
export function waysFrom(context: RowContext, record: number): Way[] {
  const { graph, branch: current } = context;
  const { steps } = graph;
  const stem = stemOf(context, record);
  const thread = at(graph.threadOf, record);
  const ways: Way[] = [];
  const children = new Set<number>();
  // The branch being read speaks for its own child; every other child is spoken for by its latest branch.
  const ordered = [current, ...(graph.branches[thread] ?? []).filter((one) => one.leaf !== current.leaf)];
  for (const branch of ordered) {
    const path = pathSteps(steps, branch.leaf);
    const from = stem === NONE ? 0 : path.indexOf(stem) + 1;
    if (stem !== NONE && from === 0) continue;
    const child = path[from];
    if (child === undefined || children.has(child)) continue;
    children.add(child);
    const ownSteps = path.slice(from);
    ways.push({ branch, ownSteps, prompt: firstPrompt(context, ownSteps) });
  }
  return ways.sort((a, b) => (a.ownSteps[0] ?? 0) - (b.ownSteps[0] ?? 0));
}

function stemOf({ graph, path }: RowContext, record: number): number {
  const index = path.records.indexOf(record);
  return index <= 0 ? NONE : at(graph.steps.of, at(path.records, index - 1));
}

function firstPrompt({ graph, table }: RowContext, ownSteps: readonly number[]): number {
  const { steps } = graph;
  let first = NONE;
  for (const step of ownSteps) {
    for (let i = at(steps.memberStart, step); i < at(steps.memberStart, step + 1); i++) {
      const record = at(steps.members, i);
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
      prompt: firstWords(promptOf(context.read(source)), WORDS),
      rows: rowsOf(context, ownSteps),
      atMs: timeOf(context.table, prompt),
      current: branch.leaf === current.leaf,
    };
  });
  const base = rowBase(context, record, 0, turn);
  return { ...base, key: `${base.key}.fork`, kind: "fork", branches };
}

/** How far a way goes: the blocks that a reader of its tools would see. */
function rowsOf({ graph, table }: RowContext, ownSteps: readonly number[]): number {
  const { steps } = graph;
  let rows = 0;
  for (const step of ownSteps) {
    for (let i = at(steps.memberStart, step); i < at(steps.memberStart, step + 1); i++) {
      for (const block of blocksOf(table, at(steps.members, i))) if (table.blocks.get("level", block) <= Level.tools) rows += 1;
    }
  }
  return rows;
}
