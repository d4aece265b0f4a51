import { firstProseLine } from "@/components/thread/rows/row-line";
import { firstPlace } from "@/lib/format/lists";
import { textStart } from "@/lib/format/text";
import { toolNamed } from "@/lib/tools/tools";
import { type AgentId, parseRowKey, type RecordId } from "@/lib/wire/ids";
import type { Row, RowLane, RowsResponse } from "@/lib/wire/rows";
import type { ErrorsResponse, OutlineEntry, OutlineResponse } from "@/lib/wire/session";

const MAX_ANSWER = 160;
const MAX_PROMPT = 120;
/** A row does not say whether the result of a stopped call is marked as an error, as most are. */
const FAILED: ReadonlySet<string> = new Set(["error", "denied", "interrupted", "timed-out"]);

/** Rows with some turns folded, and the index of each among all. */
type View = { fold: string; rows: readonly Row[]; base: readonly number[] };

/**
 * A thread of an exported file, which answers like the API for a thread that has no other branch, and no longer grows.
 */
export class ExportedThread {
  #view: View;
  #places: Map<RecordId, number> | null = null;

  constructor(readonly rows: readonly Row[]) {
    this.#view = { fold: "", rows, base: rows.map((_, index) => index) };
  }

  /** `fold`: the folded turns. */
  window(fold: ReadonlySet<number>, from: number, count: number): RowsResponse {
    const { rows } = this.#viewOf(fold);
    return {
      revision: 1,
      total: rows.length,
      from,
      rows: rows.slice(from, from + count),
      at: null,
      branch: null,
    };
  }

  /** A window around a record; `null` if it is in another thread. */
  around(fold: ReadonlySet<number>, recordId: RecordId, count: number): RowsResponse | null {
    const place = this.#placeOf(recordId);
    if (place === null) return null;
    const { base, rows } = this.#viewOf(fold);
    const above = lastUpTo(base, place);
    const isShown = base[above] === place;
    const from = Math.max(0, Math.min(above - (count >> 1), rows.length - count));
    return {
      ...this.window(fold, from, count),
      at: isShown ? above : null,
      near: isShown ? undefined : Math.max(0, above),
    };
  }

  has(recordId: RecordId): boolean {
    return this.#placeOf(recordId) !== null;
  }

  /** The turns after the first `from` of the session: those of a part have their numbers in the session. */
  outline(fold: ReadonlySet<number>, from: number, count: number): OutlineResponse {
    const started = this.#agentsByTurn();
    const turns = this.#viewOf(fold).rows.flatMap((row, index): OutlineEntry[] => {
      if (row.kind !== "turn") return [];
      const { turn, recordId, atMs, toolCalls, errors, denied, added, removed, agents } = row;
      const prompt = textStart(row.prompt.text, MAX_PROMPT);
      const counts = { toolCalls, errors, denied, added, removed, agents };
      const agentIds = started.get(turn) ?? [];
      return [{ turn, recordId, row: index, prompt, atMs, ...counts, agentIds, compactedBefore: null }];
    });
    const behind = turns.filter(({ turn }) => turn > from);
    return { revision: 1, total: turns.length, from, turns: behind.slice(0, count) };
  }

  /** The agents that calls started, by the turn of the call; one that a later call resumed is of the first. */
  #agentsByTurn(): Map<number, AgentId[]> {
    const found = new Map<number, AgentId[]>();
    const seen = new Set<AgentId>();
    for (const row of this.rows) {
      if (row.kind !== "tool") continue;
      for (const { agentId } of row.agents ?? (row.agent ? [row.agent] : [])) {
        if (seen.has(agentId)) continue;
        seen.add(agentId);
        found.set(row.turn, [...(found.get(row.turn) ?? []), agentId]);
      }
    }
    return found;
  }

  errors(fold: ReadonlySet<number>): ErrorsResponse {
    const { rows } = this.#viewOf(fold);
    const where = (holds: (row: Row) => boolean, among = rows) =>
      among.flatMap((row, index) => (holds(row) ? [index] : []));
    const failed = where(isError);
    return {
      revision: 1,
      rows: failed,
      denied: failed.filter((index) => rows[index]?.kind === "tool" && isDenied(rows[index])).length,
      hidden: where(isError, this.rows).length - failed.length,
      elsewhere: 0,
      places: [],
      edits: where(isEdit),
      forks: [],
    };
  }

  #viewOf(fold: ReadonlySet<number>): View {
    const name = [...fold].join();
    if (this.#view.fold === name) return this.#view;
    const answers = new Map<number, string>();
    if (fold.size > 0)
      for (const row of this.rows) if (row.kind === "text") answers.set(row.turn, row.text.text);
    const base = this.rows.flatMap((row, index) => (isHidden(row, fold) ? [] : [index]));
    const rows = base.map((index) => {
      const row = this.rows[index] as Row;
      if (row.kind === "turn" && fold.has(row.turn))
        return { ...row, folded: true, answer: firstProseLine(answers.get(row.turn) ?? "", MAX_ANSWER) };
      return row.lanes ? { ...row, lanes: row.lanes.map((lane) => moved(lane, base)) } : row;
    });
    this.#view = { fold: name, rows, base };
    return this.#view;
  }

  /** The row of a record, or of the call that it is the result of. */
  #placeOf(recordId: RecordId): number | null {
    if (!this.#places) {
      this.#places = new Map();
      for (const [index, { recordId: own, shows }] of this.rows.entries())
        for (const id of [own, ...(shows ?? []).map((key) => parseRowKey(key).recordId)])
          if (!this.#places.has(id)) this.#places.set(id, index);
    }
    return this.#places.get(recordId) ?? null;
  }
}

function isHidden(row: Row, fold: ReadonlySet<number>): boolean {
  return row.turn > 0 && fold.has(row.turn) && row.kind !== "turn" && row.kind !== "compaction";
}

function isError(row: Row): boolean {
  if (row.kind === "tool") return FAILED.has(row.state);
  return row.kind === "unreadable" || (row.kind === "event" && row.level === "error");
}

/** Not every change of a file has line counts: a notebook's cells have none. */
function isEdit(row: Row): boolean {
  if (row.kind !== "tool") return false;
  const changes = row.server === null && toolNamed(row.name)?.files === "changes";
  return row.added !== null || row.removed !== null || (changes && row.state === "ok");
}

function isDenied(row: Row): boolean {
  return row.kind === "tool" && row.state === "denied";
}

/** A lane whose first row is elsewhere among the visible rows. */
function moved([lane, column, phase, from, agent]: RowLane, base: readonly number[]): RowLane {
  return [lane, column, phase, Math.max(0, lastUpTo(base, from)), agent];
}

/** The last index whose number is at most `most`, -1 for none. `sorted` is ascending. */
function lastUpTo(sorted: readonly number[], most: number): number {
  return firstPlace(0, sorted.length, (index) => (sorted[index] ?? 0) > most) - 1;
}
