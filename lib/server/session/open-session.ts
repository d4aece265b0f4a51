import type { Before } from "@/lib/thread/before";
import { type Branch } from "@/lib/thread/branches";
import type { Folds, RowList } from "@/lib/thread/flatten";
import type { Growth } from "@/lib/thread/grow/growing-graph";
import { GrowingList, rowsOfCalls } from "@/lib/thread/grow/growing-list";
import { GrowingPath } from "@/lib/thread/grow/growing-path";
import { GrowingRuns } from "@/lib/thread/grow/growing-runs";
import type { SessionLog } from "@/lib/thread/log-file";
import type { Path } from "@/lib/thread/path";
import { recordIdOf } from "@/lib/thread/rows/row-context";
import type { SessionGraph } from "@/lib/thread/session-graph";
import { SessionTable, type SessionTableData } from "@/lib/thread/session-table";
import { at } from "@/lib/thread/table";
import type { RecordId } from "@/lib/wire/ids";
import type { SessionFiles } from "../catalog/session-files";
import { ViewerError } from "../viewer-error";
import { type CarriedLines, changedKeys, NOTHING_CARRIED } from "./carried-lines";
import { RecordPlaces } from "./record-places";

const KEPT_PATHS = 8;
const KEPT_LISTS = 12;
const KEPT_FOLDED = 4;
/** States whose changes are known one by one: readers look at every one or start anew. */
const MOST_CHANGES = 64;
const NONE_CHANGED: ReadonlySet<number> = new Set();

/** What a session is read into. A table that goes on growing is shared by all that it was. */
export type Skeleton = {
  table: SessionTable | SessionTableData;
  graph: SessionGraph;
  places?: RecordPlaces;
  changes?: readonly Change[];
};

type KeyedFolds = Folds & { key: string };
/** What a state has changed of rows that stay. `after`: the revision before. `more`: and others, nobody knows which. */
export type Change = {
  revision: number;
  after: number;
  calls: ReadonlySet<number>;
  messages: ReadonlySet<number>;
  records: ReadonlySet<number>;
  more: boolean;
};
type Listed = {
  growing: GrowingList;
  /** By the runs that are open. */
  folded: Map<string, GrowingRuns>;
  leaf: number;
  level: number;
  folds: KeyedFolds;
};

/** A session held in memory: its skeleton, its graph, and the paths and row lists that readers have asked for. */
export class OpenSession {
  readonly files: SessionFiles;
  readonly logs: SessionLog[];
  readonly table: SessionTable;
  readonly graph: SessionGraph;
  #revision: number;
  /** What it costs to keep, about. */
  readonly bytes: number;
  #carried: CarriedLines = NOTHING_CARRIED;
  readonly places: RecordPlaces;
  /** Calls whose rows the last states have changed. */
  #changes: readonly Change[];
  readonly #paths = new Map<number, GrowingPath>();
  readonly #lists = new Map<string, Listed>();

  constructor(files: SessionFiles, logs: SessionLog[], skeleton: Skeleton, revision: number) {
    this.files = files;
    this.logs = logs;
    this.table = skeleton.table instanceof SessionTable ? skeleton.table : new SessionTable(skeleton.table);
    this.graph = skeleton.graph;
    this.places = skeleton.places ?? new RecordPlaces(this.table);
    this.#changes = skeleton.changes ?? [];
    this.#revision = revision;
    this.bytes = this.table.records.size * 160 + 65_536;
  }

  get revision(): number {
    return this.#revision;
  }

  /** What it shares with the sessions before and after. */
  get carried(): CarriedLines {
    return this.#carried;
  }

  /** Takes over what those who know the library say of the sessions before and after: readers see it as any change. */
  relink(carried: CarriedLines): void {
    const { table } = this;
    const records = new Set(changedKeys(this.#carried.from, carried.from).map((id) => this.find(id)));
    const changed = changedKeys(this.#carried.answered, carried.answered);
    const calls = new Set(changed.map((id) => table.callOfId[table.toolIds.find(id)] ?? -1));
    this.#carried = carried;
    if (records.size + calls.size === 0) return;
    const after = this.#revision;
    this.#revision = nextRevision(this);
    const change = { revision: this.#revision, after, calls, messages: NONE_CHANGED, records, more: false };
    this.#changes = [...this.#changes, change].slice(-MOST_CHANGES);
  }

  /**
   * The session with what has been added since. What was laid out of this one goes on there; this one lays it out
   * again for whoever still reads it.
   * @param calls those whose rows are others now
   */
  grown(
    files: SessionFiles,
    logs: SessionLog[],
    growth: Growth,
    before: Before,
    calls: ReadonlySet<number>,
  ): OpenSession {
    const { table, places } = this;
    const { graph } = growth;
    const revision = nextRevision(this);
    const more = growth.agents || growth.from.length > 0;
    const messages = new Set(before.tokens.keys());
    const change = { revision, after: this.revision, calls, messages, records: NONE_CHANGED, more };
    const changes = [...this.#changes, change].slice(-MOST_CHANGES);
    const next = new OpenSession(files, logs, { table, graph, places, changes }, revision);
    next.#carried = this.#carried;
    for (const [leaf, path] of this.#paths) {
      const branches = graph.branches[at(graph.steps.thread, leaf)] ?? [];
      const branch = branches[0]?.leaf === leaf ? branches[0] : branches.find((one) => one.leaf === leaf);
      const end = (branch ?? branches[0])?.leaf;
      if (end === undefined || next.#paths.has(end)) continue;
      const from = path.grow(growth, end, before);
      next.#paths.set(end, path);
      for (const listed of this.#lists.values()) {
        if (listed.leaf !== leaf) continue;
        this.#grow(listed, growth, path, from, calls);
        next.#lists.set(listKey(end, listed.level, listed.folds), { ...listed, leaf: end });
      }
    }
    this.#paths.clear();
    this.#lists.clear();
    return next;
  }

  #grow(
    { growing, folded }: Listed,
    { graph, agents }: Growth,
    path: GrowingPath,
    from: number,
    calls: ReadonlySet<number>,
  ): void {
    const before = growing.list;
    growing.grow(graph, path, from, agents);
    const { list } = growing;
    const others = [growing.stableSince(before) ?? 0, ...rowsOfCalls(this.table, path, list, calls)];
    // Of an agent's call another row is told apart.
    for (const runs of folded.values()) runs.grow(graph, list, agents ? 0 : Math.min(...others));
  }

  /** A branch laid out, kept for the next window. */
  path(branch: Branch): Path {
    return this.#path(branch).path;
  }

  /** True when a record is on a branch. */
  isOn(branch: Branch, record: number): boolean {
    return this.placeOn(branch, record) !== -1;
  }

  /** The place of a record on a branch, -1 where it is not on it. */
  placeOn(branch: Branch, record: number): number {
    return this.#path(branch).placeOf(record);
  }

  /** The rows of a branch at a level, kept for the next window. */
  rows(branch: Branch, level: number, folds: KeyedFolds): RowList {
    return this.#listed(branch, level, folds).growing.list;
  }

  /** The same with runs of calls folded. @param open makes what tells which of them are open, of which `key` is the name */
  foldedRows(
    branch: Branch,
    level: number,
    folds: KeyedFolds,
    key: string,
    open: () => (firstBlock: number) => boolean,
  ): RowList {
    const { growing, folded } = this.#listed(branch, level, folds);
    const make = () => new GrowingRuns(this.table, this.graph, growing.list, open());
    return remember(folded, key, KEPT_FOLDED, make).list;
  }

  /** How many of the first rows of a list are the same as in one of before; null where that is not known. */
  stableRows(before: RowList, list: RowList): number | null {
    for (const { growing, folded } of this.#lists.values()) {
      for (const one of [growing, ...folded.values()]) if (one.list === list) return one.stableSince(before);
    }
    return null;
  }

  /** What has changed in its place since a revision: null where that is not known one by one. */
  changesSince(revision: number): Pick<Change, "calls" | "messages" | "records"> | null {
    const changes = this.#changes.filter((change) => change.revision > revision);
    const isKnown = this.#changes.some((change) => change.after === revision);
    if (!isKnown || changes.some(({ more }) => more)) return null;
    return {
      calls: new Set(changes.flatMap(({ calls }) => [...calls])),
      messages: new Set(changes.flatMap(({ messages }) => [...messages])),
      records: new Set(changes.flatMap(({ records }) => [...records])),
    };
  }

  /** The rows of a list that show these calls. */
  rowsOfCalls(branch: Branch, list: RowList, calls: ReadonlySet<number>): number[] {
    return rowsOfCalls(this.table, this.#path(branch), list, calls);
  }

  #path(branch: Branch): GrowingPath {
    const make = () => new GrowingPath(this.table, this.graph, branch.leaf);
    return remember(this.#paths, branch.leaf, KEPT_PATHS, make);
  }

  #listed(branch: Branch, level: number, folds: KeyedFolds): Listed {
    const { leaf } = branch;
    return remember(this.#lists, listKey(leaf, level, folds), KEPT_LISTS, () => {
      const growing = new GrowingList(this.table, this.graph, this.#path(branch), level, folds);
      return { growing, folded: new Map(), leaf, level, folds };
    });
  }

  recordId(record: number): RecordId {
    return recordIdOf(this, record);
  }

  /** The record of an id. Throws `record-not-found`. */
  find(id: string): number {
    const [key = "", offset = ""] = id.split("~");
    const file = this.logs.findIndex((log) => log.key === key);
    const wanted = Number.parseInt(offset, 36);
    const record = this.places.find(file, wanted);
    if (record !== -1 && record < this.graph.parents.length) return record;
    throw new ViewerError("record-not-found", "There is no such record in this session", {
      hint: "The log may have been rewritten since the link was made. Open the session without it.",
    });
  }
}

/** Grows also over an eviction or a restart, so that an open page sees what is older. */
export function nextRevision(before: OpenSession | null): number {
  return Math.max((before?.revision ?? 0) + 1, Date.now());
}

function listKey(leaf: number, level: number, folds: KeyedFolds): string {
  return `${leaf} ${level} ${folds.key}`;
}

/** A small cache: the entry least recently used goes first. */
function remember<K, V>(cache: Map<K, V>, key: K, most: number, make: () => V): V {
  const kept = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, kept);
  for (const oldest of cache.keys()) {
    if (cache.size <= most) break;
    cache.delete(oldest);
  }
  return kept;
}
