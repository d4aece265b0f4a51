import type { Branch } from "@/lib/log/graph/branches";
import type { RowList } from "@/lib/log/rows/flatten";
import type { SessionTable } from "@/lib/log/table/session-table";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { markRunning, type RunningCalls } from "@/lib/server/session/running-calls";
import type { BranchId, SessionId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";
import { branchId, chooseBranch } from "../session/choose-branch";
import type { OpenSession } from "../session/open-session";
import { foldsOf, rowList } from "../session/row-list";
import { rowsOf } from "../session/session-rows";
import { rowIdentities, stableRows } from "./row-identity";
import { rowsOfChange, tellsOfLater } from "./rows-of-change";
import { SentRows } from "./sent-rows";

/** Rows above the new ones whose content may have changed: calls that got their result, counts. */
const LOOK_BACK_ROWS = 24;
const MOST_ROWS = 160;
/** Rows further up that are told again: a call that got its result late, an agent's that goes on. */
const MOST_CHANGED = 16;

/** Folded turns; the open ones of the folded runs, `null` where none is folded. */
export type Folding = { fold: number[]; runs: string[] | null };

type RowsEvent = Extract<LiveEvent, { kind: "rows" }>;
type BranchEvent = Extract<LiveEvent, { kind: "branch" }>;

/** One way to look at a session, and what those who look that way have been told of it. */
export class ViewFeed {
  readonly #view: LiveView;
  readonly #fold: number[];
  readonly #runs: string[] | null;
  #begun = false;
  #revision = 0;
  /** The rows of the last time, and what they are rows of. */
  #told: { table: SessionTable; list: RowList } | null = null;
  #branch: { id: BranchId; leaf: string } | null = null;
  readonly #sent = new SentRows();
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
    const isFirst = !this.#begun;
    this.#begun = true;
    const branch = this.#choose(session);
    if (!branch) return [];
    const since = this.#revision;
    if (since === session.revision) return [];
    const isMarked = runningKey(running) === runningKey(this.#running);
    this.#running = running;
    const list = this.#list(session, branch);
    const known = this.#told && session.stableRows(this.#told.list, list);
    const stable = known ?? this.#stableRows(session, list);
    const id = branchId(session, branch);
    const switched = since > 0 && this.#view.branch === null && this.#left(session, branch);
    const from = this.#branch?.id ?? null;
    this.#revision = session.revision;
    this.#told = { table: session.table, list };
    this.#branch = { id, leaf: session.recordId(branch.leafRecord) };
    const total = list.count;
    if (isFirst) return [];
    const begin = Math.max(stable, total - MOST_ROWS);
    const again = this.#again(session, branch, list, begin, isMarked && known !== null ? since : null);
    const built = [
      ...(await this.#rowsAt(session, again)),
      ...(await this.#rows(session, begin, total - begin)),
    ];
    const { rows, complete } = this.#sent.choose(built, stable, begin);
    const { branch: asked, agent, runs } = this.#view;
    const view = { branch: asked, agent, runs };
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
      view,
    };
    return switched ? [{ kind: "branch", sessionId, from, to: id, view }, event] : [event];
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

  /** How many of the first rows are the same ones as the last time: compared by where they stand on disk. */
  #stableRows(session: OpenSession, list: RowList): number {
    if (!this.#told) return 0;
    const { table, list: before } = this.#told;
    return stableRows(rowIdentities(table, before), rowIdentities(session.table, list));
  }

  /**
   * Rows before `begin` whose content may be another now, and the prompt of the last turn.
   * @param since null where nobody knows what has changed: then all of the last ones
   */
  #again(session: OpenSession, branch: Branch, list: RowList, begin: number, since: number | null): number[] {
    const window = Math.max(0, begin - LOOK_BACK_ROWS);
    const last = Array.from({ length: begin - window }, (_, row) => window + row);
    const prompt = list.turn.indexOf(list.turn.at(-1) ?? 0);
    const above = prompt !== -1 && prompt < window ? [prompt] : [];
    const changes = since === null ? null : session.changesSince(since);
    if (!changes) return [...above, ...last];
    const changed = rowsOfChange(session, branch, list, changes);
    const far = changed.filter((row) => row < window && row !== prompt).slice(-MOST_CHANGED);
    const near = new Set(changed);
    return [
      ...above,
      ...far,
      ...last.filter((row) => near.has(row) || tellsOfLater(session.table, list, row)),
    ];
  }

  async #rowsAt(session: OpenSession, rows: readonly number[]): Promise<[number, Row][]> {
    const built: [number, Row][] = [];
    const sorted = rows.toSorted((a, b) => a - b);
    for (let first = 0, end = 0; first < sorted.length; first = end) {
      end = first + 1;
      while (sorted[end] === (sorted[end - 1] as number) + 1) end += 1;
      built.push(...(await this.#rows(session, sorted[first] as number, end - first)));
    }
    return built;
  }

  async #rows(session: OpenSession, from: number, count: number): Promise<[number, Row][]> {
    const { branch, agent, detail } = this.#view;
    const window = { branch, agent, detail, fold: this.#fold, runs: this.#runs, from, count, around: null };
    const answer = markRunning(await rowsOf(session, window), agent, this.#running);
    return answer.rows.map((row, at) => [answer.from + at, row]);
  }
}

function runningKey(running: RunningCalls | null): string {
  return JSON.stringify(running, (_, value: unknown) => (value instanceof Set ? [...value] : value));
}
