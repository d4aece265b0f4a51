import type { Branch } from "@/lib/log/graph/branches";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import type { RowList } from "@/lib/log/rows/flatten";
import { rowsOfCalls } from "@/lib/log/rows/incremental-list";
import { recordIdOf } from "@/lib/log/rows/row-context";
import type { PreviousValues } from "@/lib/log/table/previous-values";
import { type SessionLog, SessionTable, type SessionTableData } from "@/lib/log/table/session-table";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { InheritedRow } from "@/lib/wire/rows";
import { type KeyedFolds, LaidOutBranches } from "./laid-out-branches";

/** Measured with sessions of some 250 records: the objects of table and graph, whatever their length. */
const SESSION_BYTES = 150_000;
const NONE_CHANGED: ReadonlySet<number> = new Set();

/** What stands in one of two sessions and belongs to the other, by the row that shows it. */
export type InheritedRecords = {
  /** Lines of the session before, by record: where they come from. */
  from: ReadonlyMap<RecordId, InheritedRow>;
  /** Calls whose result stands in the session after, by tool-use id. */
  answered: ReadonlyMap<string, InheritedRow>;
};

const NOTHING_CARRIED: InheritedRecords = { from: new Map(), answered: new Map() };

/** What a session is read into. A table that goes on growing is shared by all that it was. */
export type Skeleton = {
  table: SessionTable | SessionTableData;
  graph: SessionGraph;
  places?: RecordPlaces;
  changes?: readonly Change[];
  branches?: LaidOutBranches;
};

/** A session held in memory: its skeleton, its graph, and the paths and row lists that readers have asked for. */
export class OpenSession {
  readonly files: SessionFiles;
  readonly logs: SessionLog[];
  readonly table: SessionTable;
  readonly graph: SessionGraph;
  #revision: number;
  #carried: InheritedRecords = NOTHING_CARRIED;
  readonly places: RecordPlaces;
  #changes: readonly Change[];
  readonly #branches: LaidOutBranches;

  constructor(files: SessionFiles, logs: SessionLog[], skeleton: Skeleton, revision: number) {
    this.files = files;
    this.logs = logs;
    this.table = skeleton.table instanceof SessionTable ? skeleton.table : new SessionTable(skeleton.table);
    this.graph = skeleton.graph;
    this.places = skeleton.places ?? new RecordPlaces(this.table);
    this.#changes = skeleton.changes ?? [];
    this.#branches = skeleton.branches ?? new LaidOutBranches(this.table, this.graph);
    this.#revision = revision;
  }

  /** What it costs to keep, about, with all that has been laid out of it. */
  get bytes(): number {
    return this.table.records.size * 160 + SESSION_BYTES + this.#branches.bytes;
  }

  get revision(): number {
    return this.#revision;
  }

  /** What it shares with the sessions before and after. */
  get carried(): InheritedRecords {
    return this.#carried;
  }

  /** Takes over what those who know the library say of the sessions before and after: readers see it as any change. */
  relink(carried: InheritedRecords): void {
    const { table } = this;
    const records = new Set(changedKeys(this.#carried.from, carried.from).map((id) => this.find(id)));
    const changed = changedKeys(this.#carried.answered, carried.answered);
    const calls = new Set(changed.map((id) => table.callOfId[table.toolIds.find(id)] ?? -1));
    this.#carried = carried;
    if (records.size + calls.size === 0) return;
    const after = this.#revision;
    this.#revision = nextRevision(this);
    const change = { revision: this.#revision, after, calls, messages: NONE_CHANGED, records, more: false };
    this.#changes = withChange(this.#changes, change);
  }

  /**
   * The session with what has been added since. What was laid out of this one goes on there; this one lays it out
   * again for whoever still reads it.
   * @param calls those whose rows are others now
   */
  grown(
    files: SessionFiles,
    logs: SessionLog[],
    growth: GraphDelta,
    before: PreviousValues,
    calls: ReadonlySet<number>,
  ): OpenSession {
    const { table, places } = this;
    const { graph } = growth;
    const revision = nextRevision(this);
    const more = growth.agents || growth.from.length > 0;
    const messages = new Set(before.tokens.keys());
    const change = { revision, after: this.revision, calls, messages, records: NONE_CHANGED, more };
    const changes = withChange(this.#changes, change);
    const branches = this.#branches.grown(growth, before, calls);
    const next = new OpenSession(files, logs, { table, graph, places, changes, branches }, revision);
    next.#carried = this.#carried;
    return next;
  }

  /** A branch laid out, kept for the next window. */
  path(branch: Branch): Path {
    return this.#branches.path(branch).path;
  }

  /** True when a record is on a branch. */
  isOn(branch: Branch, record: number): boolean {
    return this.placeOn(branch, record) !== -1;
  }

  /** The place of a record on a branch, -1 where it is not on it. */
  placeOn(branch: Branch, record: number): number {
    return this.#branches.path(branch).placeOf(record);
  }

  /** The rows of a branch at a level, kept for the next window. */
  rows(branch: Branch, level: number, folds: KeyedFolds): RowList {
    return this.#branches.rows(branch, level, folds);
  }

  /** The same with runs of calls folded. @param open makes what tells which of them are open, of which `key` is the name */
  foldedRows(
    branch: Branch,
    level: number,
    folds: KeyedFolds,
    key: string,
    open: () => (firstBlock: number) => boolean,
  ): RowList {
    return this.#branches.foldedRows(branch, level, folds, key, open);
  }

  /** How many of the first rows of a list are the same as in one of before; null where that is not known. */
  stableRows(before: RowList, list: RowList): number | null {
    return this.#branches.stableRows(before, list);
  }

  /** What has changed in its place since a revision: null where that is not known one by one. */
  changesSince(revision: number): Changed | null {
    return changesSince(this.#changes, revision);
  }

  /** The rows of a list that show these calls. */
  rowsOfCalls(branch: Branch, list: RowList, calls: ReadonlySet<number>): number[] {
    return rowsOfCalls(this.table, this.#branches.path(branch), list, calls);
  }

  recordId(record: number): RecordId {
    return recordIdOf(this, record);
  }

  /** The last record with this uuid, -1 for none. */
  findUuid(uuid: string): number {
    const { records, uuids } = this.table;
    const wanted = uuids.find(uuid);
    let record = wanted === -1 ? -1 : this.graph.parents.length - 1;
    while (record >= 0 && records.get("uuid", record) !== wanted) record -= 1;
    return record;
  }

  /** The record of an id. Throws `record-not-found`. */
  find(id: string): number {
    const place = parseRecordId(id as RecordId);
    const file = this.logs.findIndex((log) => log.key === place.file);
    const record = this.places.find(file, place.offset);
    if (record !== -1 && record < this.graph.parents.length) return record;
    throw new ViewerError("record-not-found", "There is no such record in this session", {
      hint: "The log may have been rewritten since the link was made. Open the session without it.",
    });
  }
}

/** The keys whose values differ between two states of such a map. */
function changedKeys<K>(before: ReadonlyMap<K, InheritedRow>, after: ReadonlyMap<K, InheritedRow>): K[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)));
}

/** Grows also over an eviction or a restart, so that an open page sees what is older. */
export function nextRevision(before: OpenSession | null): number {
  return Math.max((before?.revision ?? 0) + 1, Date.now());
}

/** States whose changes are known one by one: readers look at every one or start anew. */
const MOST_CHANGES = 64;

/** Calls, messages and records whose rows stay and say something else. */
export type Changed = {
  calls: ReadonlySet<number>;
  messages: ReadonlySet<number>;
  records: ReadonlySet<number>;
};

/** What a state has changed of rows that stay. `after`: the revision before. `more`: and others, nobody knows which. */
export type Change = Changed & { revision: number; after: number; more: boolean };

/** The changes of the last states with one more. */
export function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  return [...changes, change].slice(-MOST_CHANGES);
}

/** What has changed in its place since a revision: null where that is not known one by one. */
export function changesSince(changes: readonly Change[], revision: number): Changed | null {
  const since = changes.filter((change) => change.revision > revision);
  const isKnown = changes.some((change) => change.after === revision);
  if (!isKnown || since.some(({ more }) => more)) return null;
  return {
    calls: new Set(since.flatMap(({ calls }) => [...calls])),
    messages: new Set(since.flatMap(({ messages }) => [...messages])),
    records: new Set(since.flatMap(({ records }) => [...records])),
  };
}

const NONE = -1;

/**
 * Finds records by where they stand. Those of a file come in its order, but not next to each other where files
 * were read by turns: they are known by the runs in which they do. Follows its table as that grows.
 */
export class RecordPlaces {
  readonly #table: SessionTable;
  /** File → first record and end of each run. */
  readonly #runs: { from: number[]; to: number[] }[] = [];
  #known = 0;

  constructor(table: SessionTable) {
    this.#table = table;
  }

  /** The record at this offset of a file, -1 for none. */
  find(file: number, offset: number): number {
    this.#follow();
    const runs = this.#runs[file];
    if (!runs) return NONE;
    const run = lastUpTo(runs.from.length, offset, (index) => this.#offset(runs.from[index] as number));
    if (run === NONE) return NONE;
    const from = runs.from[run] as number;
    const place = lastUpTo((runs.to[run] as number) - from, offset, (index) => this.#offset(from + index));
    return this.#offset(from + place) === offset ? from + place : NONE;
  }

  /** Where the last line of every file ends, without its newline: it may not have one yet. */
  ends(): number[] {
    this.#follow();
    const { records } = this.#table;
    return Array.from(this.#runs, (runs) => {
      const last = (runs?.to.at(-1) ?? 0) - 1;
      return last < 0 ? 0 : this.#offset(last) + records.get("length", last);
    });
  }

  #offset(record: number): number {
    return this.#table.records.get("offset", record);
  }

  #follow(): void {
    const { size, columns } = this.#table.records;
    for (; this.#known < size; this.#known++) {
      const file = columns.file[this.#known] as number;
      const runs = (this.#runs[file] ??= { from: [], to: [] });
      if (runs.to.at(-1) === this.#known) runs.to[runs.to.length - 1] = this.#known + 1;
      else {
        runs.from.push(this.#known);
        runs.to.push(this.#known + 1);
      }
    }
  }
}

/** The last of `count` ascending values that is no more than `most`, -1 for none. */
function lastUpTo(count: number, most: number, value: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
