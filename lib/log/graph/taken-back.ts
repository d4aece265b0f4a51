import { Flag, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { CONVERSATION } from "./steps";

const NONE = -1;

/** No more lines than this (what the client adds for the model) stand between a prompt and what the one before it followed. */
const MAX_BESIDE = 256;

/** What may stand in the place of a prompt that was taken back: what its person typed next, or what was said to the model then. */
const NEXT: ReadonlySet<number> = new Set([
  RecordKind.prompt,
  RecordKind.command,
  RecordKind.commandOutput,
  RecordKind.meta,
  RecordKind.compactSummary,
  RecordKind.notification,
]);

/**
 * Prompts that Escape took back before anything came of them: nothing of the conversation is below one, and what was typed
 * next stands beside it, below the same line (2.1.90 to 2.1.332; 2.0.76 notes the interruption below it). Nobody went back
 * in the conversation, so that is no branch: what was typed next is placed after the prompt. `parents` must be without
 * cycles, and stays so. Returns those prompts.
 */
export function joinTakenBack(
  table: SessionTable,
  parents: Int32Array,
  duplicates: ReadonlyMap<number, number>,
): ReadonlySet<number> {
  const nextOf = new Map<number, number>();
  let last = NONE;
  for (let record = 0; record < parents.length; record++) {
    if (!isSaidInMain(table, record) || duplicates.has(record)) continue;
    const next = last === NONE ? NONE : placeBeside(table, parents, last, record);
    if (next !== NONE) nextOf.set(last, next);
    last = record;
  }
  if (nextOf.size === 0) return new Set();
  const below = new NearestSaid(table, parents);
  for (let record = 0; record < parents.length; record++)
    if (isSaid(table, record) && !duplicates.has(record)) nextOf.delete(below.above(record));
  for (const [prompt, next] of nextOf) parents[next] = prompt;
  return new Set(nextOf.keys());
}

/**
 * The line to be placed after a prompt, -1 for none: the next one that is said, or the first of the lines above it, where
 * that follows what the prompt does.
 */
function placeBeside(table: SessionTable, parents: Int32Array, prompt: number, said: number): number {
  if (!mayFollow(table, prompt, said)) return NONE;
  const stem = at(parents, prompt);
  let line = said;
  for (let steps = 0; steps < MAX_BESIDE; steps++) {
    const up = at(parents, line);
    if (up === stem) return line;
    if (up <= prompt || isSaid(table, up)) return NONE;
    line = up;
  }
  return NONE;
}

function mayFollow({ records }: SessionTable, prompt: number, said: number): boolean {
  const { kind, atMs } = records;
  const isNext = kind.at(prompt) === RecordKind.prompt && NEXT.has(kind.at(said));
  return isNext && atMs.at(prompt) < atMs.at(said);
}

function isSaid({ records }: SessionTable, record: number): boolean {
  return CONVERSATION.has(records.kind.at(record));
}

function isSaidInMain(table: SessionTable, record: number): boolean {
  const { file, flags } = table.records;
  return file.at(record) === 0 && (flags.at(record) & Flag.sidechain) === 0 && isSaid(table, record);
}

const UNKNOWN = -2;

/** The nearest line of the conversation above any line. Remembers each walk. */
class NearestSaid {
  readonly #table: SessionTable;
  readonly #parents: Int32Array;
  readonly #known: Int32Array;

  constructor(table: SessionTable, parents: Int32Array) {
    this.#table = table;
    this.#parents = parents.slice();
    this.#known = new Int32Array(parents.length).fill(UNKNOWN);
  }

  /** -1 for none. */
  above(record: number): number {
    const trail: number[] = [];
    let line = record;
    let found = UNKNOWN;
    while (found === UNKNOWN) {
      found = at(this.#known, line);
      if (found !== UNKNOWN) break;
      trail.push(line);
      line = at(this.#parents, line);
      if (line === NONE || isSaid(this.#table, line)) found = line;
    }
    for (const passed of trail) this.#known[passed] = found;
    return found;
  }
}

/** Tells, of lines that are added one by one, which may take a prompt back, or say something below one that was. */
export class PromptsTakenBack {
  readonly #table: SessionTable;
  readonly #takenBack: ReadonlySet<number>;
  /** Lines that say nothing below a prompt that was taken back. */
  readonly #below = new Set<number>();
  /** The main thread's last line of the conversation, where that is a prompt; else -1. */
  #open = NONE;
  #stem = NONE;
  /** Lines since the open prompt that stand beside it. */
  readonly #beside = new Set<number>();

  constructor(table: SessionTable, parents: Int32Array, takenBack: ReadonlySet<number>) {
    this.#table = table;
    this.#takenBack = takenBack;
    const nearest = takenBack.size > 0 ? new NearestSaid(table, parents) : null;
    for (let record = 0; record < parents.length; record++) {
      if (nearest && !isSaid(table, record) && takenBack.has(nearest.above(record))) this.#below.add(record);
      let parent = at(parents, record);
      // What was placed after a prompt stood beside it.
      while (takenBack.has(parent)) parent = at(parents, parent);
      this.#note(record, parent);
    }
  }

  /** Whether the parents of other lines may change by the next one, which has this parent. */
  changes(record: number, parent: number): boolean {
    const isBelow = this.#takenBack.has(parent) || this.#below.has(parent);
    if (isBelow && isSaid(this.#table, record)) return true;
    if (isBelow) this.#below.add(record);
    const isSaidBeside = this.#isBeside(parent) && isSaidInMain(this.#table, record);
    if (isSaidBeside && mayFollow(this.#table, this.#open, record)) return true;
    this.#note(record, parent);
    return false;
  }

  #isBeside(parent: number): boolean {
    return this.#open !== NONE && (parent === this.#stem || this.#beside.has(parent));
  }

  #note(record: number, parent: number): void {
    if (isSaidInMain(this.#table, record)) {
      this.#beside.clear();
      this.#open = this.#table.records.kind.at(record) === RecordKind.prompt ? record : NONE;
      this.#stem = parent;
    } else if (this.#isBeside(parent)) this.#beside.add(record);
  }
}
