import { type Branch } from "@/lib/thread/branches";
import { type Folds, flatten, type RowList } from "@/lib/thread/flatten";
import type { SessionLog } from "@/lib/thread/log-file";
import { layOutPath, type Path } from "@/lib/thread/path";
import { recordIdOf } from "@/lib/thread/rows/row-context";
import type { SessionGraph } from "@/lib/thread/session-graph";
import { SessionTable, type SessionTableData } from "@/lib/thread/session-table";
import type { RecordId } from "@/lib/wire/ids";
import type { SessionFiles } from "../catalog/session-files";
import { ViewerError } from "../viewer-error";
import { type CarriedLines, NOTHING_CARRIED } from "./carried-lines";
import { RecordPlaces } from "./record-places";

const KEPT_PATHS = 8;
const KEPT_LISTS = 12;

/** What a session is read into. A table that goes on growing is shared by all that it was. */
export type Skeleton = {
  table: SessionTable | SessionTableData;
  graph: SessionGraph;
  places?: RecordPlaces;
};

/** A session held in memory: its skeleton, its graph, and the paths and row lists that readers have asked for. */
export class OpenSession {
  readonly files: SessionFiles;
  readonly logs: SessionLog[];
  readonly table: SessionTable;
  readonly graph: SessionGraph;
  readonly revision: number;
  /** What it costs to keep, about. */
  readonly bytes: number;
  /** What it shares with the sessions before and after; told by those who know the library. */
  carried: CarriedLines = NOTHING_CARRIED;
  readonly places: RecordPlaces;
  readonly #paths = new Map<number, Path>();
  readonly #lists = new Map<string, RowList>();

  constructor(files: SessionFiles, logs: SessionLog[], skeleton: Skeleton, revision: number) {
    this.files = files;
    this.logs = logs;
    this.table = skeleton.table instanceof SessionTable ? skeleton.table : new SessionTable(skeleton.table);
    this.graph = skeleton.graph;
    this.places = skeleton.places ?? new RecordPlaces(this.table);
    this.revision = revision;
    this.bytes = this.table.records.size * 160 + 65_536;
  }

  /** A branch laid out, kept for the next window. */
  path(branch: Branch): Path {
    return remember(this.#paths, branch.leaf, KEPT_PATHS, () => layOutPath(this.table, this.graph, branch));
  }

  /** The rows of a branch at a level, kept for the next window. */
  rows(branch: Branch, level: number, folds: Folds & { key: string }): RowList {
    const key = `${branch.leaf} ${level} ${folds.key}`;
    return remember(this.#lists, key, KEPT_LISTS, () =>
      flatten(this.table, this.graph, this.path(branch), level, folds),
    );
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
