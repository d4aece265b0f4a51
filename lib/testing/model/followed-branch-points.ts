import type { PreviousValues } from "@/lib/log/adding/previous-values";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import { isRecordRow, type RowList } from "@/lib/log/rows/flatten";
import { runAt } from "@/lib/log/rows/fold-runs";
import { IncrementalList, IncrementalRuns, rowsOfCalls } from "@/lib/log/rows/incremental-list";
import { IncrementalPath } from "@/lib/log/rows/incremental-path";
import { Level } from "@/lib/log/table/kinds";
import type { SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { foldRuns, layOutPath, listRows } from "./read-at-once";

const LEVELS = [Level.prompts, Level.conversation, Level.tools, Level.everything];
const OPEN = [() => false, () => true];
const FOLDS = [new Set<number>(), new Set([1])];

type Name = (record: number) => string;
type Way = {
  leaf: number;
  path: IncrementalPath;
  lists: { list: IncrementalList; runs: IncrementalRuns[] }[];
};

/** The active way of every thread, laid out once and then followed. */
export class FollowedBranchPoints {
  readonly #table: SessionTable;
  readonly #logs: readonly SessionLog[];
  #ways: Way[] = [];
  /** Where rows that were told to be the same are not. */
  readonly wrong: string[] = [];

  constructor(table: SessionTable, logs: readonly SessionLog[], graph: SessionGraph) {
    this.#table = table;
    this.#logs = logs;
    this.#open(graph);
  }

  /** Goes on if it can. Names the ways that are followed then by the first records of their leaves. */
  follow(growth: GraphDelta | null, before: PreviousValues): string[] {
    if (growth) this.#grow(growth, before);
    return growth ? this.#ways.map(({ leaf }) => this.#name(at(growth.graph.steps.first, leaf))) : [];
  }

  #grow(growth: GraphDelta, before: PreviousValues): void {
    const { graph } = growth;
    const ways: Way[] = [];
    for (const { leaf, path, lists } of this.#ways) {
      const branches = graph.branches[at(graph.steps.thread, leaf)] ?? [];
      const end = (branches.find((branch) => branch.leaf === leaf) ?? branches[0])?.leaf;
      if (end === undefined || ways.some((way) => way.leaf === end)) continue;
      const from = path.grow(growth, end, before);
      for (const { list, runs } of lists) {
        const known = list.list;
        const old = copyOf(known);
        const folded = runs.map((one) => ({ one, known: one.list, old: copyOf(one.list) }));
        list.grow(graph, path, from, growth.agents);
        const stable = list.stableSince(known) ?? -1;
        this.#check(old, list.list, stable);
        const calls = rowsOfCalls(this.#table, path, list.list, before.calls.keys());
        for (const { one, known: rows, old: copy } of folded) {
          one.grow(graph, list.list, growth.agents ? 0 : Math.min(stable, ...calls));
          this.#check(copy, one.list, one.stableSince(rows) ?? -1);
        }
      }
      ways.push({ leaf: end, path, lists });
    }
    this.#ways = ways;
    this.#open(graph);
  }

  /** A run grows where it stands: how long each is does not count. */
  #check(old: RowList, now: RowList, stable: number): void {
    let same = 0;
    while (same < Math.min(stable, now.count) && isSameRow(old, now, same)) same += 1;
    if (same !== stable) this.wrong.push(`${stable} of ${old.count} rows`);
  }

  /** What is followed, without numbers, for every way of these. */
  facts(): string[][] {
    return this.#ways.map(({ path, lists }) => [
      ...pathFacts(path.path, this.#name),
      ...lists.flatMap(({ list, runs }) =>
        [list, ...runs].flatMap((one) => ["--", ...rowNames(this.#table, one.list, this.#name)]),
      ),
    ]);
  }

  /** The same of the same ways, laid out anew. `leaves`: their last records by name. */
  static cold(
    table: SessionTable,
    logs: readonly SessionLog[],
    graph: SessionGraph,
    leaves: readonly string[],
  ): string[][] {
    const name = namer(table, logs);
    const byLeaf = new Map(
      graph.branches.flat().map((branch) => [name(at(graph.steps.first, branch.leaf)), branch]),
    );
    return leaves.map((leaf) => {
      const branch = byLeaf.get(leaf);
      if (!branch) return [`no branch ends in ${leaf}`];
      const path = layOutPath(table, graph, branch);
      const lists = LEVELS.flatMap((level) =>
        FOLDS.flatMap((folds) => {
          const list = listRows(table, graph, path, level, folds);
          return [list, ...OPEN.map((isOpen) => foldRuns(table, graph, list, isOpen))];
        }),
      );
      return [...pathFacts(path, name), ...lists.flatMap((list) => ["--", ...rowNames(table, list, name)])];
    });
  }

  get #name(): Name {
    return namer(this.#table, this.#logs);
  }

  #open(graph: SessionGraph): void {
    for (const [branch] of graph.branches) {
      if (!branch || this.#ways.some(({ leaf }) => leaf === branch.leaf)) continue;
      const path = new IncrementalPath(this.#table, graph, branch.leaf);
      const lists = LEVELS.flatMap((level) =>
        FOLDS.map((folds) => {
          const list = new IncrementalList(this.#table, graph, path, level, folds);
          return {
            list,
            runs: OPEN.map((isOpen) => new IncrementalRuns(this.#table, graph, list.list, isOpen)),
          };
        }),
      );
      this.#ways.push({ leaf: branch.leaf, path, lists });
    }
  }
}

/** A list of its own: one that goes on shares the memory of the one before. */
function copyOf({ count, kind, of, turn }: RowList): RowList {
  return { count, kind: kind.slice(0, count), of: of.slice(0, count), turn: turn.slice(0, count) };
}

function isSameRow(one: RowList, other: RowList, row: number): boolean {
  return (
    one.kind[row] === other.kind[row] && one.of[row] === other.of[row] && one.turn[row] === other.turn[row]
  );
}

function namer({ records }: SessionTable, logs: readonly SessionLog[]): Name {
  return (record) =>
    record === -1 ? "-" : `${logs[records.file.at(record)]?.key}~${records.offset.at(record)}`;
}

function pathFacts({ records, turns }: Path, name: Name): string[] {
  return [
    Array.from(records, name).join(" "),
    ...turns.map(({ record, compactedBefore, ...turn }) =>
      JSON.stringify({ ...turn, record: name(record), after: name(compactedBefore) }),
    ),
  ];
}

function rowNames({ blocks }: SessionTable, list: RowList, name: Name): string[] {
  const { count, kind, of, turn } = list;
  return Array.from({ length: count }, (_, row) => {
    const isRecord = isRecordRow(at(kind, row));
    const record = isRecord ? at(of, row) : blocks.record.at(at(of, row));
    const block = isRecord ? "" : `.${blocks.index.at(at(of, row))}`;
    return `${at(kind, row)} ${name(record)}${block} ${at(turn, row)} ${runAt(list, row)?.blocks.length ?? ""}`;
  });
}
