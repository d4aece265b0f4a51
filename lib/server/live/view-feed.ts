import type { Branch } from "@/lib/thread/branches";
import type { RowList } from "@/lib/thread/flatten";
import type { SessionTable } from "@/lib/thread/session-table";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";
import { branchId, chooseBranch } from "../session/choose-branch";
import type { OpenSession } from "../session/open-session";
import { foldsOf, rowList } from "../session/row-list";
import { rowsOf } from "../session/session-rows";
import { isViewerError } from "../viewer-error";
import { markRunning, type RunningCalls } from "./mark-running";
import { rowIdentities, stableRows } from "./row-identity";

/** Rows above the new ones whose content may have changed: calls that got their result, counts. */
const LOOK_BACK_ROWS = 24;
const MOST_ROWS = 160;
/** Rows further up that are told again: a call that got its result late, an agent's that goes on. */
const MOST_CHANGED = 16;
/** A larger answer is not pushed: who looks there asks for it. */
const MOST_BYTES = 16 << 10;

/** Folded turns; the open ones of the folded runs, `null` where none is folded. */
export type Folding = { fold: number[]; runs: string[] | null };

type RowsEvent = Extract<LiveEvent, { kind: "rows" }>;
type BranchEvent = Extract<LiveEvent, { kind: "branch" }>;

/** One way to look at a session, and what those who look that way have been told of it. */
export class ViewFeed {
  readonly #view: LiveView;
  readonly #fold: number[];
  readonly #runs: string[] | null;
  #revision = 0;
  /** The rows of the last time, and what they are rows of. */
  #told: { table: SessionTable; list: RowList } | null = null;
  #branch: { id: BranchId; leaf: string } | null = null;
  #sent = new Map<string, string>();
  #running: RunningCalls | null = null;

  constructor(view: LiveView, { fold, runs }: Folding) {
    this.#view = view;
    this.#fold = fold;
    this.#runs = runs;
  }

  /** What has changed since the call before; the first call tells nothing. */
  async advance(
    sessionId: SessionId,
    session: OpenSession,
    running: RunningCalls | null,
  ): Promise<(RowsEvent | BranchEvent)[]> {
    const branch = this.#choose(session);
    if (!branch) return [];
    const since = this.#revision;
    if (since === session.revision) return [];
    this.#running = running;
    const list = this.#list(session, branch);
    const stable = this.#stableRows(session, list);
    const id = branchId(session, branch);
    const switched = since > 0 && this.#view.branch === null && this.#left(session, branch);
    const from = this.#branch?.id ?? null;
    this.#revision = session.revision;
    this.#told = { table: session.table, list };
    this.#branch = { id, leaf: session.recordId(branch.leafRecord) };
    const total = list.count;
    const begin = Math.max(0, Math.min(stable, total) - LOOK_BACK_ROWS, total - MOST_ROWS);
    const changed = since > 0 ? session.changedRows(branch, list, since) : [];
    const above = changed.filter((row) => row < begin).slice(-MOST_CHANGED);
    const built = [...(await this.#rowsAt(session, above)), ...(await this.#build(session, begin, total))];
    if (since === 0) {
      this.#choosePart(built, stable);
      return [];
    }
    const { rows, complete } = this.#choosePart(built, stable);
    const event: RowsEvent = {
      kind: "rows",
      sessionId,
      since,
      revision: session.revision,
      total,
      stable,
      complete,
      rows,
      branch: id,
    };
    return switched ? [{ kind: "branch", sessionId, from, to: id }, event] : [event];
  }

  /** A view of an agent or branch that is not there yet, or no more, is one without rows. */
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

  /** True when the leaf followed until now is not on this branch any more. */
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

  /** The rows from `from` on, and the prompt of the last turn above them. */
  async #build(session: OpenSession, from: number, total: number): Promise<[number, Row][]> {
    const rows = await this.#rows(session, from, total - from);
    const turn = rows.at(-1)?.[1].turn ?? 0;
    if (turn === 0 || rows.some(([, row]) => row.kind === "turn" && row.turn === turn)) return rows;
    return [...(await this.#promptOf(session, turn, from)), ...rows];
  }

  /** How many of the first rows are the same ones as the last time. */
  #stableRows(session: OpenSession, list: RowList): number {
    if (!this.#told) return 0;
    const { table, list: before } = this.#told;
    // Read anew, or another branch: they are compared by where they stand on disk.
    return (
      session.stableRows(before, list) ??
      stableRows(rowIdentities(table, before), rowIdentities(session.table, list))
    );
  }

  async #rowsAt(session: OpenSession, rows: readonly number[]): Promise<[number, Row][]> {
    const built: [number, Row][] = [];
    for (const row of rows) built.push(...(await this.#rows(session, row, 1)));
    return built;
  }

  async #promptOf(session: OpenSession, turn: number, before: number): Promise<[number, Row][]> {
    const branch = this.#choose(session);
    if (!branch) return [];
    const list = this.#list(session, branch);
    const index = list.turn.subarray(0, before).indexOf(turn);
    return index === -1 ? [] : this.#rows(session, index, 1);
  }

  async #rows(session: OpenSession, from: number, count: number): Promise<[number, Row][]> {
    const { branch, agent, detail } = this.#view;
    const window = { branch, agent, detail, fold: this.#fold, runs: this.#runs, from, count, around: null };
    const answer = markRunning(await rowsOf(session, window), agent !== null, this.#running);
    return answer.rows.map((row, at) => [answer.from + at, row]);
  }

  /** Of these rows the ones that are not what was sent before, from the end as many as fit. */
  #choosePart(built: [number, Row][], stable: number): { rows: [number, Row][]; complete: boolean } {
    const sent = new Map<string, string>();
    const chosen: [number, Row][] = [];
    let bytes = 0;
    let complete = built.length === 0 || (built.find(([index]) => index >= stable)?.[0] ?? stable) <= stable;
    for (const entry of built.toReversed()) {
      const json = JSON.stringify(entry[1]);
      sent.set(entry[1].key, json);
      if (entry[0] < stable && this.#sent.get(entry[1].key) === json) continue;
      bytes += json.length;
      if (bytes <= MOST_BYTES) chosen.push(entry);
      else if (entry[0] >= stable) complete = false;
      else sent.delete(entry[1].key);
    }
    this.#sent = sent;
    return { rows: chosen.reverse(), complete };
  }
}
