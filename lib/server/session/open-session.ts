import { firstPlace } from "@/lib/format/lists";
import type { PreviousValues } from "@/lib/log/adding/previous-values";
import type { Branch } from "@/lib/log/graph/branches";
import type { GraphDelta } from "@/lib/log/graph/incremental-graph";
import type { Path, SessionGraph } from "@/lib/log/graph/session-graph";
import type { RowList } from "@/lib/log/rows/flatten";
import { rowsOfCalls } from "@/lib/log/rows/incremental-list";
import { recordIdOf } from "@/lib/log/rows/row-context";
import { type SessionLog, SessionTable, type SessionTableData } from "@/lib/log/table/session-table";
import type { Rewriting } from "@/lib/redact/home-folder";
import type { SessionFiles } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { parseRecordId, type RecordId } from "@/lib/wire/ids";
import type { InheritedRow } from "@/lib/wire/rows";
import { type KeyedFolds, LaidOutBranches } from "./laid-out-branches";
import { type LogsRead, NOTHING_READ } from "./logs-read";

/** Measured with sessions of some 250 records: the objects of table and graph, independent of length. */
const SESSION_BYTES = 150_000;
const NONE_CHANGED: ReadonlySet<number> = new Set();

/** Records logged in one session that belong to a neighbouring one, by the row that shows them. */
export type InheritedRecords = {
  /** Records inherited from the previous session → their origin. */
  from: ReadonlyMap<RecordId, InheritedRow>;
  /** Calls whose result is in the next session, by tool-use id. */
  answered: ReadonlyMap<string, InheritedRow>;
};

const NOTHING_INHERITED: InheritedRecords = { from: new Map(), answered: new Map() };

/** The result of scanning a session. A growing table is shared by all its states. */
export type Skeleton = {
  table: SessionTable | SessionTableData;
  graph: SessionGraph;
  positions?: RecordPositions;
  changes?: readonly Change[];
  branches?: LaidOutBranches;
  read?: LogsRead;
};

/** A session in memory: its skeleton, its graph, and the paths and row lists that readers have requested. */
export class OpenSession {
  readonly files: SessionFiles;
  readonly logs: SessionLog[];
  readonly table: SessionTable;
  readonly graph: SessionGraph;
  #revision: number;
  #inherited: InheritedRecords = NOTHING_INHERITED;
  readonly positions: RecordPositions;
  /** What identifies its logs as those that it was read from. */
  readonly read: LogsRead;
  #changes: readonly Change[];
  readonly #branches: LaidOutBranches;
  #redaction: Rewriting | null = null;

  constructor(files: SessionFiles, logs: SessionLog[], skeleton: Skeleton, revision: number) {
    this.files = files;
    this.logs = logs;
    this.table = skeleton.table instanceof SessionTable ? skeleton.table : new SessionTable(skeleton.table);
    this.graph = skeleton.graph;
    this.positions = skeleton.positions ?? new RecordPositions(this.table);
    this.read = skeleton.read ?? NOTHING_READ;
    this.#changes = skeleton.changes ?? [];
    this.#branches = skeleton.branches ?? new LaidOutBranches(this.table, this.graph);
    this.#revision = revision;
  }

  /**
   * Replaces secrets in everything that is read of its logs, before anything is cut; `null` reads the logs as they are.
   */
  get redaction(): Rewriting | null {
    return this.#redaction;
  }

  /** The same session, read with its secrets replaced. It shares everything that contains no text. */
  redactedBy(redaction: Rewriting): OpenSession {
    const { table, graph, positions, read } = this;
    const skeleton = { table, graph, positions, changes: this.#changes, branches: this.#branches, read };
    const redacted = new OpenSession(this.files, this.logs, skeleton, this.#revision);
    redacted.#inherited = this.#inherited;
    redacted.#redaction = redaction;
    return redacted;
  }

  /** Approximate memory, including everything that has been laid out. */
  get bytes(): number {
    return this.table.records.size * 160 + SESSION_BYTES + this.#branches.bytes;
  }

  /** Grows with each state in which readers see something else. */
  get revision(): number {
    return this.#revision;
  }

  /** The records it has in common with the previous and next session. */
  get inherited(): InheritedRecords {
    return this.#inherited;
  }

  /** Sets the records in common with the previous and next session, as found by the library; readers see it as a change. */
  relink(inherited: InheritedRecords): void {
    const { table } = this;
    const records = new Set(changedKeys(this.#inherited.from, inherited.from).map((id) => this.find(id)));
    const changed = changedKeys(this.#inherited.answered, inherited.answered);
    const calls = new Set(changed.flatMap((id) => table.callsWith(table.toolIds.find(id))));
    this.#inherited = inherited;
    if (records.size + calls.size === 0) return;
    const after = this.#revision;
    this.#revision = nextRevision(this);
    const change = { revision: this.#revision, after, calls, messages: NONE_CHANGED, records, more: false };
    this.#changes = withChange(this.#changes, change);
  }

  /**
   * The session with added records. Its paths and lists move on to the new state; this state lays them out
   * again if it is still read.
   * @param calls those whose rows have changed
   */
  grown(
    files: SessionFiles,
    logs: SessionLog[],
    delta: GraphDelta,
    before: PreviousValues,
    calls: ReadonlySet<number>,
  ): OpenSession {
    const { table, positions, read } = this;
    const { graph } = delta;
    const revision = nextRevision(this);
    const more = delta.agents || delta.from.length > 0;
    const messages = new Set(before.tokens.keys());
    const change = { revision, after: this.revision, calls, messages, records: NONE_CHANGED, more };
    const changes = withChange(this.#changes, change);
    const branches = this.#branches.grown(delta, before, calls);
    const next = new OpenSession(files, logs, { table, graph, positions, changes, branches, read }, revision);
    next.#inherited = this.#inherited;
    return next;
  }

  /** The path of a branch, kept for the next window. */
  path(branch: Branch): Path {
    return this.#branches.path(branch).path;
  }

  /** True when a record is on a branch. */
  isOn(branch: Branch, record: number): boolean {
    return this.positionOn(branch, record) !== -1;
  }

  /** The position of a record on a branch, -1 where it is not on it. */
  positionOn(branch: Branch, record: number): number {
    return this.#branches.path(branch).positionOf(record);
  }

  /** The rows of a branch at a level, kept for the next window. */
  rows(branch: Branch, level: number, folds: KeyedFolds): RowList {
    return this.#branches.rows(branch, level, folds);
  }

  /** The same with runs of calls folded. @param open creates the predicate for open runs, of which `key` is the name */
  foldedRows(
    branch: Branch,
    level: number,
    folds: KeyedFolds,
    key: string,
    open: () => (firstBlock: number) => boolean,
  ): RowList {
    return this.#branches.foldedRows(branch, level, folds, key, open);
  }

  /** How many of the first rows of a list are the same as in an earlier one; null where that is not known. */
  stableRows(before: RowList, list: RowList): number | null {
    return this.#branches.stableRows(before, list);
  }

  /** What has changed in existing rows since a revision: null where that is not known individually. */
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

  /** Orders records by file, then line: the files of a session that grows are read in turns. */
  compareRecords(one: number, other: number): number {
    const { records } = this.table;
    return records.file.at(one) - records.file.at(other) || one - other;
  }

  /** The last record with this uuid, -1 for none. */
  findUuid(uuid: string): number {
    const { records, uuids } = this.table;
    const wanted = uuids.find(uuid);
    let record = wanted === -1 ? -1 : this.graph.parents.length - 1;
    while (record >= 0 && records.uuid.at(record) !== wanted) record -= 1;
    return record;
  }

  /** The record of an id. Throws `record-not-found`. */
  find(id: string): number {
    const address = parseRecordId(id as RecordId);
    const file = this.logs.findIndex((log) => log.key === address.file);
    const record = this.positions.find(file, address.offset);
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

/** Increases across an eviction or a restart too, so that an open page can tell that its state is older. */
export function nextRevision(before: OpenSession | null): number {
  return Math.max((before?.revision ?? 0) + 1, Date.now());
}

/** Number of states whose changes are kept: readers follow every one or start again. */
const MAX_CHANGES = 64;

/** Calls, messages and records whose rows stay but have new content. */
export type Changed = {
  calls: ReadonlySet<number>;
  messages: ReadonlySet<number>;
  records: ReadonlySet<number>;
};

/** The changes of a state to existing rows. `after`: the previous revision. `more`: other rows changed too, which is not known individually. */
export type Change = Changed & { revision: number; after: number; more: boolean };

/** Appends a change, keeping those of the last states. */
function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  return [...changes, change].slice(-MAX_CHANGES);
}

/** What has changed in existing rows since a revision: null where that is not known individually. */
function changesSince(changes: readonly Change[], revision: number): Changed | null {
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
 * Finds records by file and offset. Those of a file are in file order, but not consecutive where several files
 * were read in turns: each file keeps its runs of consecutive records. Follows its table as that grows.
 */
export class RecordPositions {
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
    const run = firstPlace(0, runs.from.length, (one) => this.#offset(runs.from[one] as number) > offset) - 1;
    const from = runs.from[run];
    if (from === undefined) return NONE;
    const record = firstPlace(from, runs.to[run] as number, (one) => this.#offset(one) > offset) - 1;
    return this.#offset(record) === offset ? record : NONE;
  }

  /** The end of the last line of every file, without its newline: it may not have one yet. */
  ends(): number[] {
    this.#follow();
    const { records } = this.#table;
    return Array.from(this.#runs, (runs) => {
      const last = (runs?.to.at(-1) ?? 0) - 1;
      return last < 0 ? 0 : this.#offset(last) + records.length.at(last);
    });
  }

  #offset(record: number): number {
    return this.#table.records.offset.at(record);
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
