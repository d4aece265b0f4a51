import { putLatest } from "@/lib/format/lists";
import { textHash } from "@/lib/log/adding/text-prefix";
import type { Branch } from "@/lib/log/graph/branches";
import { isRecordRow, RowKind, type RowList, recordOfRow } from "@/lib/log/rows/flatten";
import { RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { chooseBranch, idOfBranch } from "@/lib/server/session/answers/branch-entries";
import { foldsOf, rowList, rowsOf } from "@/lib/server/session/answers/session-rows";
import type { Changed, OpenSession } from "@/lib/server/session/open-session";
import { markRunning, type RunningCalls } from "@/lib/server/session/running-calls";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";

/** Rows before the new ones whose content may have changed: calls that got their result, counts. */
const LOOK_BACK_ROWS = 24;
const MAX_ROWS = 160;
/** Maximum number of earlier rows that are sent again: a call with a late result, a call whose agent continues. */
const MAX_CHANGED = 16;

/** Folded turns; the open runs among the folded ones, `null` where no run is folded. */
export type Folding = { fold: number[]; runs: string[] | null };

type RowsEvent = Extract<LiveEvent, { kind: "rows" }>;
type BranchEvent = Extract<LiveEvent, { kind: "branch" }>;

/** One view of a session, and what its readers have been sent. */
export class ViewFeed {
  readonly #view: LiveView;
  readonly #fold: number[];
  readonly #runs: string[] | null;
  #begun = false;
  #revision = 0;
  /** The rows last sent, and the table they belong to. */
  #last: { table: SessionTable; list: RowList } | null = null;
  #branch: { id: BranchId; leaf: string } | null = null;
  readonly #sent = new SentRowCache();
  /** What ran according to the rows last sent. */
  #running: RunningCalls | null = null;

  constructor(view: LiveView, { fold, runs }: Folding) {
    this.#view = view;
    this.#fold = fold;
    this.#runs = runs;
  }

  /** What has changed since the previous call; the first call reports nothing. */
  async advance(
    sessionId: SessionId,
    session: OpenSession,
    running: RunningCalls | null,
  ): Promise<(RowsEvent | BranchEvent)[]> {
    const isFirst = !this.#begun;
    this.#begun = true;
    const branch = this.#choose(session);
    if (!branch) return [];
    const since = this.#revision;
    if (since === session.revision) return [];
    const isMarked = runningKey(running) === runningKey(this.#running);
    const { revision, table } = session;
    const list = this.#list(session, branch);
    const known = this.#last && session.stableRows(this.#last.list, list);
    const stable = known ?? this.#stableRows(session, list);
    const id = idOfBranch(session, branch);
    const switched = since > 0 && this.#view.branch === null && this.#left(session, branch);
    const from = this.#branch?.id ?? null;
    const noteSent = () => {
      this.#revision = revision;
      this.#running = running;
      this.#last = { table, list };
      this.#branch = { id, leaf: session.recordId(branch.leafRecord) };
    };
    const total = list.count;
    if (isFirst) {
      noteSent();
      return [];
    }
    const begin = Math.max(stable, total - MAX_ROWS);
    const again = this.#again(session, branch, list, begin, isMarked && known !== null ? since : null);
    const built = [
      ...(await this.#rowsAt(session, again, running)),
      ...(await this.#rows(session, begin, total - begin, running)),
    ];
    // Not before: where a row could not be read, all of them are still to be sent.
    noteSent();
    const { rows, complete } = this.#sent.choose(built, stable, begin);
    const { branch: asked, agent, runs } = this.#view;
    const view = { branch: asked, agent, runs };
    const event: RowsEvent = {
      kind: "rows",
      sessionId,
      since,
      revision,
      total,
      stable,
      complete,
      rows,
      branch: id,
      view,
    };
    return switched ? [{ kind: "branch", sessionId, from, to: id, view }, event] : [event];
  }

  /** A view of an agent or branch that does not exist (yet or any more) has no rows. */
  #choose(session: OpenSession) {
    try {
      return chooseBranch(session, this.#view, null);
    } catch (error) {
      if (isViewerError(error)) return null;
      throw error;
    }
  }

  #list(session: OpenSession, branch: Branch) {
    return rowList(session, branch, this.#view.detail, foldsOf(this.#fold, this.#runs));
  }

  /** True when the leaf followed so far is no longer on this branch. */
  #left(session: OpenSession, branch: Branch): boolean {
    if (!this.#branch) return false;
    try {
      const leaf = session.find(this.#branch.leaf);
      return !session.isOn(branch, leaf);
    } catch (error) {
      if (isViewerError(error)) return true;
      throw error;
    }
  }

  /** How many of the first rows are the same as last time, compared by their position on disk. */
  #stableRows(session: OpenSession, list: RowList): number {
    if (!this.#last) return 0;
    const { table, list: before } = this.#last;
    return stableRows(rowIdentities(table, before), rowIdentities(session.table, list));
  }

  /**
   * Rows before `begin` whose content may have changed, and the prompt of the last turn.
   * @param since null where the changes are unknown: then all of the last rows
   */
  #again(session: OpenSession, branch: Branch, list: RowList, begin: number, since: number | null): number[] {
    const window = Math.max(0, begin - LOOK_BACK_ROWS);
    const last = Array.from({ length: begin - window }, (_, row) => window + row);
    const prompt = list.turn.indexOf(list.turn.at(-1) ?? 0);
    const above = prompt !== -1 && prompt < window ? [prompt] : [];
    const changes = since === null ? null : session.changesSince(since);
    if (!changes) return [...above, ...last];
    const changed = rowsOfChange(session, branch, list, changes);
    const far = changed.filter((row) => row < window && row !== prompt).slice(-MAX_CHANGED);
    const near = new Set(changed);
    return [
      ...above,
      ...far,
      ...last.filter((row) => near.has(row) || dependsOnLaterRows(session.table, list, row)),
    ];
  }

  async #rowsAt(
    session: OpenSession,
    rows: readonly number[],
    running: RunningCalls | null,
  ): Promise<[number, Row][]> {
    const built: [number, Row][] = [];
    const sorted = rows.toSorted((a, b) => a - b);
    for (let first = 0, end = 0; first < sorted.length; first = end) {
      end = first + 1;
      while (sorted[end] === (sorted[end - 1] as number) + 1) end += 1;
      built.push(...(await this.#rows(session, sorted[first] as number, end - first, running)));
    }
    return built;
  }

  async #rows(
    session: OpenSession,
    from: number,
    count: number,
    running: RunningCalls | null,
  ): Promise<[number, Row][]> {
    const { branch, agent, detail } = this.#view;
    const window = { branch, agent, detail, fold: this.#fold, runs: this.#runs, from, count, around: null };
    const answer = markRunning(await rowsOf(session, window), agent, running);
    return answer.rows.map((row, at) => [answer.from + at, row]);
  }
}

/** What marks rows by itself: how far the log was known marks only those that are read anew. */
function runningKey(running: RunningCalls | null): string {
  return JSON.stringify({ ...running, readTo: null }, (_, value: unknown) =>
    value instanceof Set ? [...value] : value,
  );
}

/** Maximum number of rows whose sent content is remembered. */
const MAX_MARKS = 128;
const MARKS = 2 ** 31;
/** A larger answer is not pushed: readers at that position request it. */
const MAX_BYTES = 16 << 10;

/** Remembers what was sent of the last rows, so that unchanged rows are not sent again. */
class SentRowCache {
  /** Row's key → hash of its content as sent. */
  readonly #sent = new Map<string, number>();

  /**
   * Of these rows (from `begin` on, or to be sent again) those that differ from what was sent before: as many as fit, from the end.
   * @param stable how many of the first rows are the same as before
   */
  choose(
    built: readonly [number, Row][],
    stable: number,
    begin: number,
  ): { rows: [number, Row][]; complete: boolean } {
    const chosen: [number, Row][] = [];
    let bytes = 0;
    let complete = begin <= stable;
    for (const entry of built.toReversed()) {
      const { key } = entry[1];
      const json = JSON.stringify(entry[1]);
      const mark = json.length * MARKS + textHash(json);
      if (entry[0] < stable && this.#sent.get(key) === mark) continue;
      this.#sent.delete(key);
      bytes += json.length;
      if (bytes <= MAX_BYTES) {
        chosen.push(entry);
        putLatest(this.#sent, key, mark, MAX_MARKS);
      } else if (entry[0] >= stable) complete = false;
    }
    return { rows: chosen.reverse(), complete };
  }
}

const KINDS = 8;
const BLOCKS = 128;
const OFFSETS = 2 ** 32;

/**
 * A number for each row of a list that encodes its position on disk: a row of a later list is the same
 * if its number is. Exact for logs up to 4 GiB, 2,048 files and 127 blocks a line.
 */
function rowIdentities({ records, blocks }: SessionTable, list: RowList): Float64Array {
  const found = new Float64Array(list.count);
  for (let row = 0; row < list.count; row++) {
    const kind = at(list.kind, row);
    const of = at(list.of, row);
    const isBlock = !isRecordRow(kind);
    const record = isBlock ? blocks.record.at(of) : of;
    const block = isBlock ? (blocks.index.at(of) + 1) % BLOCKS : 0;
    const position = records.file.at(record) * OFFSETS + records.offset.at(record);
    found[row] = (position * BLOCKS + block) * KINDS + kind;
  }
  return found;
}

/** How many of the first rows are the same in both lists. */
function stableRows(before: Float64Array, after: Float64Array): number {
  const most = Math.min(before.length, after.length);
  let row = 0;
  while (row < most && before[row] === after[row]) row++;
  return row;
}

/** The rows of a list, wherever they are, whose calls, messages or lines have changed. */
export function rowsOfChange(
  session: Pick<OpenSession, "table" | "rowsOfCalls">,
  branch: Branch,
  list: RowList,
  { calls, messages, records: lines }: Changed,
): number[] {
  const { records, blocks } = session.table;
  const rows = session.rowsOfCalls(branch, list, calls);
  for (let row = Math.max(0, list.count - LOOK_BACK_ROWS * 4); messages.size > 0 && row < list.count; row++) {
    if (isRecordRow(at(list.kind, row))) continue;
    if (messages.has(records.message.at(blocks.record.at(at(list.of, row))))) rows.push(row);
  }
  // Inherited lines rarely change.
  for (let row = 0; lines.size > 0 && row < list.count; row++)
    if (lines.has(recordOfRow(session.table, list, row))) rows.push(row);
  return [...new Set(rows)];
}

/** True for a row whose content depends on later rows: counts of a turn or branch, a compaction's summary, a run's calls. */
function dependsOnLaterRows({ records, blocks }: SessionTable, list: RowList, row: number): boolean {
  const kind = at(list.kind, row);
  if (kind !== RowKind.block) return true;
  return records.kind.at(blocks.record.at(at(list.of, row))) === RecordKind.compactBoundary;
}
