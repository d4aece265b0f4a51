import { putLatest } from "@/lib/format/lists";
import type { PreviousValues } from "@/lib/log/adding/previous-values";
import type { Branch } from "@/lib/log/graph/branches";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import type { SessionGraph } from "@/lib/log/graph/session-graph";
import type { Folds, RowList } from "@/lib/log/rows/flatten";
import { IncrementalList, IncrementalRuns, rowsOfCalls } from "@/lib/log/rows/incremental-list";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

const MAX_PATHS = 8;
const MAX_LISTS = 12;
const MAX_FOLDED = 4;
/** Memory of the smallest path or list, including its objects. */
const LIST_BYTES = 2048;

/** Folded turns, and a key that is equal for equal sets of turns. */
export type KeyedFolds = Folds & { key: string };

type Listed = {
  growing: IncrementalList;
  /** By the key of the open runs. */
  folded: Map<string, IncrementalRuns>;
  leaf: number;
  level: number;
  folds: KeyedFolds;
};

/** The paths and row lists that readers have requested, kept for their next window and for appended records. */
export class LaidOutBranches {
  readonly #table: SessionTable;
  readonly #graph: SessionGraph;
  readonly #paths = new Map<number, IncrementalPath>();
  readonly #lists = new Map<string, Listed>();

  constructor(table: SessionTable, graph: SessionGraph) {
    this.#table = table;
    this.#graph = graph;
  }

  /** Approximate memory: 12 bytes a record for each path, 13 a row for each list with its states. */
  get bytes(): number {
    let bytes = this.#paths.size * (this.#graph.parents.length * 12 + LIST_BYTES);
    for (const { growing, folded } of this.#lists.values())
      for (const { list } of [growing, ...folded.values()]) bytes += list.count * 13 + LIST_BYTES;
    return bytes;
  }

  /** The path of a branch. */
  path({ leaf }: Branch): IncrementalPath {
    return remember(this.#paths, leaf, MAX_PATHS, () => new IncrementalPath(this.#table, this.#graph, leaf));
  }

  /** The rows of a branch at a level. */
  rows(branch: Branch, level: number, folds: KeyedFolds): RowList {
    return this.#listed(branch, level, folds).growing.list;
  }

  /** The same with runs of calls folded. @param open creates the predicate for open runs, of which `key` is the name */
  foldedRows(
    branch: Branch,
    level: number,
    folds: KeyedFolds,
    key: string,
    open: () => (firstBlock: number) => boolean,
  ): RowList {
    const { growing, folded } = this.#listed(branch, level, folds);
    const make = () => new IncrementalRuns(this.#table, this.#graph, growing.list, open());
    return remember(folded, key, MAX_FOLDED, make).list;
  }

  /** How many of the first rows of a list are the same as in an earlier one; null where that is not known. */
  stableRows(before: RowList, list: RowList): number | null {
    for (const { growing, folded } of this.#lists.values()) {
      for (const one of [growing, ...folded.values()]) if (one.list === list) return one.stableSince(before);
    }
    return null;
  }

  /**
   * Moves the paths and lists of this state on to the grown graph; this state lays them out again if it is still read.
   * @param calls those whose rows have changed
   */
  grown(delta: GraphDelta, before: PreviousValues, calls: ReadonlySet<number>): LaidOutBranches {
    const { graph } = delta;
    const next = new LaidOutBranches(this.#table, graph);
    for (const [leaf, path] of this.#paths) {
      const end = leafAfter(graph, leaf);
      if (end === undefined || next.#paths.has(end)) continue;
      const from = path.grow(delta, end, before);
      next.#paths.set(end, path);
      for (const listed of this.#lists.values()) {
        if (listed.leaf !== leaf) continue;
        this.#grow(listed, delta, path, from, calls);
        next.#lists.set(listKey(end, listed.level, listed.folds), { ...listed, leaf: end });
      }
    }
    this.#paths.clear();
    this.#lists.clear();
    return next;
  }

  #grow(
    { growing, folded }: Listed,
    { graph, agents }: GraphDelta,
    path: IncrementalPath,
    from: number,
    calls: ReadonlySet<number>,
  ): void {
    const before = growing.list;
    growing.grow(graph, path, from, agents);
    const { list } = growing;
    const others = [growing.stableSince(before) ?? 0, ...rowsOfCalls(this.#table, path, list, calls)];
    // An agent's call is never folded, so runs may change anywhere when agents do.
    for (const runs of folded.values()) runs.grow(graph, list, agents ? 0 : Math.min(...others));
  }

  #listed(branch: Branch, level: number, folds: KeyedFolds): Listed {
    const { leaf } = branch;
    return remember(this.#lists, listKey(leaf, level, folds), MAX_LISTS, () => {
      const growing = new IncrementalList(this.#table, this.#graph, this.path(branch), level, folds);
      return { growing, folded: new Map(), leaf, level, folds };
    });
  }
}

/** The new leaf of a branch that ended in this one: appended records may have made it longer. */
function leafAfter({ branches: branchesOf, steps }: SessionGraph, leaf: number): number | undefined {
  const branches = branchesOf[at(steps.thread, leaf)] ?? [];
  return (branches.find((one) => one.leaf === leaf) ?? branches[0])?.leaf;
}

function listKey(leaf: number, level: number, folds: KeyedFolds): string {
  return `${leaf} ${level} ${folds.key}`;
}

/** The entry of this key, made if there is none; the least recently used ones are dropped. */
function remember<K, V>(cache: Map<K, V>, key: K, most: number, make: () => V): V {
  const known = cache.get(key) ?? make();
  putLatest(cache, key, known, most);
  return known;
}
