import type { ShownThread } from "@/components/thread/live-views";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import type { BranchId, SessionId } from "@/lib/wire/ids";

/** The page's own thread as it is now, and who decides whether it goes along with the session to another branch. */
export type FollowedThread = {
  shown: ShownThread | null;
  handlers: {
    /** Another branch became the active one; true when the view stays on the one before, `from`. */
    onBranch: (from: BranchId, to: BranchId) => boolean;
  };
};

/**
 * Whether the page's own thread is still on the branch on which the session goes on. While it is not, or that is not
 * known, rows that come are none of its.
 */
export class FollowedBranch {
  readonly #sessionId: SessionId;
  readonly #newest: () => FollowedThread;
  /** The view stays on a branch that the session has left, and is opened anew on it in a moment. */
  #stays = false;
  /**
   * After a pause, in which no event told whether the session has left the branch. `isDue`: the thread's rows are to be
   * renewed; `isAnew`: as another server counts them.
   */
  #unsure: { isDue: boolean; isAnew?: boolean } | null = null;
  #isLooking = false;

  constructor(sessionId: SessionId, newest: () => FollowedThread) {
    this.#sessionId = sessionId;
    this.#newest = newest;
  }

  /** Rows that come are this thread's. */
  get takesRows(): boolean {
    return !this.#stays && this.#unsure === null;
  }

  /** The thread is asked for anew, on the branch that its address names. */
  opened(): void {
    this.#stays = false;
  }

  /** All of the session is read anew, and the thread with it. */
  reset(): void {
    this.#stays = false;
    this.#unsure = null;
  }

  /** The session went on from one branch to another: the thread goes along, unless it stays on the one before. */
  left(from: BranchId, to: BranchId): void {
    const { shown, handlers } = this.#newest();
    this.#stays = handlers.onBranch(from, to);
    if (!this.#stays && shown?.choice.branch === null) shown.windows.goOn(to);
  }

  /** There was a pause: what is missed is told in a moment. */
  mayHaveLeft(): void {
    this.#unsure ??= { isDue: false };
  }

  /** Its rows are to be renewed, too, where it is not known yet whether they are still those of the active branch. */
  renewWhenKnown(): void {
    if (this.#unsure) this.#unsure.isDue = true;
  }

  /** What was missed has been told. @param isBehind the thread lacks some of it */
  settle(isBehind: boolean): void {
    if (!this.#unsure || this.#isLooking) return;
    if (this.#unsure.isDue || isBehind) void this.renew();
    else this.#unsure = null;
  }

  /**
   * Renews the thread after a pause, unless it stays on a branch that was left. By itself a thread is renewed with rows
   * of the branch that it shows, so it is asked first whether the session has left that. @param isAnew another server counts its rows
   */
  async renew(isAnew = this.#unsure?.isAnew === true): Promise<void> {
    const { shown } = this.#newest();
    if (this.#stays) return;
    this.#unsure = { isDue: true, isAnew };
    if (this.#isLooking) return;
    this.#isLooking = true;
    const left = shown && (await branchLeft(this.#sessionId, shown));
    this.#isLooking = false;
    // Another thread has come, to which this has yet to be done.
    if (this.#newest().shown !== shown) return this.renew();
    const isOther = this.#unsure?.isAnew;
    this.#unsure = null;
    if (this.#stays) return;
    if (left) this.left(left.from, left.to);
    if (shown && !this.#stays) shown.windows[isOther ? "restart" : "renew"]();
  }
}

const MAX_LOOKS = 3;
/** Rows that come are not held up for longer. */
const MAX_LOOK_MS = 5_000;

/**
 * The branch of a thread and the active one, where the address names none and the session has left that branch; else
 * `null`. A branch is called by its last line, so both are asked for as they are at one revision.
 */
async function branchLeft(
  sessionId: SessionId,
  { choice: { branch, agent, detail, fold, runs }, windows }: ShownThread,
): Promise<{ from: BranchId; to: BranchId } | null> {
  const known = windows.getSnapshot().branch;
  if (branch !== null || known === null) return null;
  const view = { agent, detail, fold, runs, from: 0, count: 1 };
  const signal = AbortSignal.timeout(MAX_LOOK_MS);
  const ask = (of: BranchId | null) => api.rows(sessionId, { ...view, branch: of }, { signal });
  try {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const [shown, active] = await Promise.all([ask(known), ask(null)]);
      // Told meanwhile, by rows that came or by a reset.
      if (windows.getSnapshot().branch !== known || shown.branch === active.branch) return null;
      if (shown.branch === null || active.branch === null) return null;
      if (shown.revision === active.revision) return { from: shown.branch, to: active.branch };
    }
  } catch (error) {
    // What cannot be asked for now is told by the thread itself.
    if (!(error instanceof ApiError || signal.aborted)) throw error;
  }
  return null;
}
