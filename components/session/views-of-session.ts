import type { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import type { ThreadStore } from "@/components/thread/thread-store";
import {
  formatPermalink,
  type ThreadUrl,
  viewOf,
  withoutPanes,
  withPane,
} from "@/lib/client/address/session-url";
import type { FileStepPlace } from "@/lib/wire/files";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import type { Span } from "@/lib/wire/spans";
import { panesCoverPage } from "./panes/pane-sizes";
import type { Address } from "./session-address";

/** What the address says of the views that stand in the thread's place, each of its own. */
const OF_NO_VIEW = {
  ...{ file: null, version: null, against: null, line: null },
  ...{ left: null, right: null, step: null, look: null },
};

/** Whether the changes are shown, all of them and not one file's versions: comments stand beside them. */
export function listsChanges({ view, file }: Pick<ThreadUrl, "view" | "file">): boolean {
  return view === "changes" && file === null;
}

/** What stands in the place of a session's thread: the graph, the changes, the context, the time or a comparison. */
export class ViewsOfSession {
  readonly #thread: ThreadStore;
  readonly #atHand: ThreadAtHand;
  readonly #address: Address;
  /** Where to go in the thread when it is there again: what something else covers takes no focus. */
  #goal: RecordId | null = null;

  constructor(atHand: ThreadAtHand, address: Address) {
    this.#atHand = atHand;
    this.#thread = atHand.main;
    this.#address = address;
  }

  /** Something else stands in the thread's place: the graph, the changes, the context or the time, or a comparison. */
  isCovered = (): boolean => viewOf(this.#address.get()) !== "thread";

  /** The thread or the list of changes is shown, of which both may be commented. */
  takesComments = (): boolean => !this.isCovered() || listsChanges(this.#address.get());

  showsChanges = (): boolean => this.#address.get().view === "changes";

  openChanges = (turn: number | null): void => {
    const { panes } = this.#address.get();
    // There comments would lie over the changes that were asked for.
    const uncovered = panesCoverPage() && { panes: withoutPanes(panes, ({ kind }) => kind === "comments") };
    this.#address.set({ view: "changes", turn, ...OF_NO_VIEW, ...uncovered });
  };

  /** Back to the thread: closes what stands in its place, and what was selected in that. */
  close = (): void => this.#address.set({ view: null, ...OF_NO_VIEW });

  /**
   * Shows two branches beside each other; without them the active one, and the one that was left last. Whoever looks at
   * two others sees of them what they saw of those.
   */
  openCompare = (left: string | null = null, right: string | null = null): void => {
    const { view, look } = this.#address.get();
    const kept = view === "compare" ? { look } : null;
    this.#address.set({ view: "compare", ...OF_NO_VIEW, left, right, ...kept });
  };

  /** Compares the branch that is read with the one that was left last, or with the active one. */
  compareBranches = (): void => {
    const { branch, agent } = this.#address.get();
    if (agent === null && branch !== null) this.openCompare(branch);
    else this.openCompare();
  };

  /** Shows where the time went, at the row at hand. */
  openWaterfall = (): void => {
    const row = this.#address.get().view === null ? this.#atHand.get().rowAtHand() : null;
    const step =
      row && formatPermalink({ recordId: row.recordId, block: row.block, lines: null, hunk: null });
    this.#address.set({ view: "waterfall", ...OF_NO_VIEW, step });
  };

  toggleWaterfall = (): void =>
    this.#address.get().view === "waterfall" ? this.close() : this.openWaterfall();

  /** Leaves what stands in the thread's place for what an outline over it names. Back leads there again. */
  leave = (change: Partial<ThreadUrl>, goal: RecordId | null = null): void => {
    this.#goal = goal;
    this.#goTo(change);
  };

  leaveForAgent = (id: AgentId): void =>
    this.leave({ panes: withPane(this.#address.get().panes, { kind: "agent", id }) });

  /** Leaves the waterfall for a step's row, in whichever thread that is. Back leads to the waterfall again. */
  leaveForSpan = ({
    recordId,
    block,
    kind,
    name,
    agentId = null,
  }: Omit<Span, "agentId"> & { agentId?: AgentId | null }): void => {
    const { agent, detail } = this.#address.get();
    const isPrompt = kind === "human" && name === "you";
    this.#goal = recordId;
    this.#goTo({
      at: formatPermalink({ recordId, block, lines: null, hunk: null }),
      detail: isPrompt ? detail : this.#detailOfCalls(),
      ...(agent === agentId ? {} : { agent: agentId, branch: null, fold: null }),
    });
  };

  /** The thread's detail, or one that shows calls and thoughts, with which an answer may begin. */
  #detailOfCalls(): ThreadUrl["detail"] {
    const { detail } = this.#thread.get().choice;
    return detail === "prompts" || detail === "conversation" ? "tools" : this.#address.get().detail;
  }

  /** To leave a view for a place is a step, so that Back leads to the view again. */
  #goTo(change: Partial<ThreadUrl>): void {
    const how = this.#address.get().view === null ? undefined : "push";
    this.#address.set({ view: null, ...OF_NO_VIEW, ...change }, how);
  }

  /** Shows a file's versions, in place of what stands here. */
  openFile = (file: string, version: string | null = null): void =>
    this.#address.set({ view: "changes", ...OF_NO_VIEW, file, version });

  /** Back to all changes. */
  closeFile = (): void => this.#address.set(OF_NO_VIEW);

  /** Leaves what stands in the thread's place for a step of it, on whichever branch or agent's thread that is. */
  leaveForStep = ({ recordId, block, tool, agentId, branch }: FileStepPlace): void => {
    const { agent, branch: shown } = this.#address.get();
    const isHere = agent === agentId && (agentId !== null || shown === branch);
    this.#goal = recordId;
    this.#goTo({
      at: formatPermalink({ recordId, block, lines: null, hunk: null }),
      // What is no call is a line of the client's bookkeeping.
      detail: tool === null ? "everything" : this.#detailOfCalls(),
      ...(isHere ? {} : { agent: agentId, branch: agentId === null ? branch : null, fold: null }),
    });
  };

  showsRequests = (): boolean => this.#address.get().view === "context";

  openRequests = (): void => this.#address.set({ view: "context", ...OF_NO_VIEW });

  /** Leaves what stands in the thread's place for an answer, on whichever thread that is; with what its model saw beside it. */
  leaveForRequest = (
    { recordId, agentId }: Pick<SessionRequest, "recordId" | "agentId">,
    withContext: boolean,
  ): void => {
    const { agent, panes } = this.#address.get();
    this.#goal = recordId;
    this.#goTo({
      at: formatPermalink({ recordId, block: null, lines: null, hunk: null }),
      detail: this.#detailOfCalls(),
      ...(withContext ? { panes: withPane(panes, { kind: "context", id: recordId }) } : {}),
      ...(agent === agentId ? {} : { agent: agentId, branch: null, fold: null }),
    });
  };

  /** Goes there when the thread is there again. */
  reachGoal = (): void => {
    const goal = this.#goal;
    this.#goal = null;
    if (goal) void this.#thread.goTo({ record: goal });
  };

  /** Shows what the turn at hand changed; from an agent's thread, whose turns are not the session's, all changes. */
  openChangesOfTurn = (): void => {
    const thread = this.#atHand.get();
    const turn = thread.selected()?.row.turn ?? thread.get().position.turn;
    this.openChanges(turn > 0 && thread.get().choice.agent === null ? turn : null);
  };
}
