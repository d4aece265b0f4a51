import { createContext, useContext, useEffect, useLayoutEffect, useState } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import { FollowState } from "@/components/present/follow-state";
import { linkToGive } from "@/components/share/share-link";
import { addressOfElsewhere } from "@/components/thread/open-thread";
import type { ThreadStore } from "@/components/thread/thread-store";
import { panePlaces } from "@/components/thread/use-reading-place";
import { useCreatedThread } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import { offerViewLink } from "@/lib/client/address/address-writes";
import { threadUrlNow } from "@/lib/client/address/session-history";
import {
  formatPanePlaces,
  formatPermalink,
  openedBy,
  type Pane,
  paneKey,
  paneOf,
  parsePanes,
  parsePermalink,
  type SetThreadUrl,
  type ThreadChoice,
  type ThreadUrl,
  threadSearch,
  viewOf,
  withoutPanes,
  withPane,
} from "@/lib/client/address/session-url";
import { copyText } from "@/lib/client/copy-text";
import type { FileStepPlace } from "@/lib/wire/files";
import { type AgentId, formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import type { Row } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import type { Span } from "@/lib/wire/spans";

/** The address as it was read last, with what has been written to it since. */
type Address = { get: () => ThreadUrl; set: SetThreadUrl };

/** What the address says of the views that stand in the thread's place, each of its own. */
const OF_NO_VIEW = {
  ...{ file: null, version: null, against: null, line: null },
  ...{ left: null, right: null, step: null, look: null },
};

/** A session's page: its main thread, and the panes and overlays that the address lists beside it. */
export class SessionStore {
  readonly #address: Address;
  /** What the rows of the main thread may ask for. Its functions never change. */
  readonly rowActions: ThreadActions;
  readonly following: FollowState;
  /** Where to go in the thread when it is there again: what something else covers takes no focus. */
  #goal: RecordId | null = null;

  constructor(
    readonly thread: ThreadStore,
    address: Address,
  ) {
    this.#address = address;
    this.following = new FollowState(thread.sessionId);
    this.rowActions = {
      sessionId: thread.sessionId,
      lane: 0,
      toggleOpen: thread.toggleOpen,
      unfoldedIn: thread.unfoldedIn,
      linkedLines: thread.linkedLines,
      toggleFold: thread.toggleFold,
      toggleRun: thread.toggleRun,
      switchBranch: thread.switchBranch,
      toRow: (row) => void thread.goTo({ row, align: "center" }),
      inspect: this.inspect,
      openChanges: this.openChanges,
      compare: this.openCompare,
      showContext: this.showContext,
      linkTo: this.#linkTo,
      copyLink: (row, suffix) => {
        void copyText(linkToGive(this.#linkTo(row, suffix))).then((copied) =>
          toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err"),
        );
      },
      openAgent: this.openAgent,
      showAgent: (agent) => address.set({ agent, at: null, fold: null }),
    };
  }

  /** Opens another place of the session, away from where the reader is. */
  leaveFor = (place: Partial<ThreadUrl>): void => {
    this.thread.release();
    this.#address.set(place);
  };

  /** Goes to a record of the session, whichever thread shows it. */
  goToRecord = (record: RecordId): void => void this.thread.goTo({ record });

  /** A link to a row, open where it is open. `suffix`: lines or a hunk in it. */
  #linkTo: NonNullable<ThreadActions["linkTo"]> = ({ recordId, block }, suffix = "") => {
    const at = formatPermalink({ recordId, block, lines: null, hunk: null }) + suffix;
    const key = formatRowKey(recordId, block);
    return this.#placeLink(at, { open: suffix === "" && this.thread.get().open.has(key) ? [key] : [] });
  };

  /** The address of a place of the thread: `open` lists the rows that are open there, `y` is where it stands on screen. */
  #placeLink(at: string, { y = null, open }: { y?: number | null; open: readonly string[] }): string {
    const { pathname, search, origin } = window.location;
    const beside = panePlaces(this.#address.get().panes);
    const place = {
      at,
      y,
      open: [...open, ...beside.open].join(",") || null,
      paneAt: formatPanePlaces(beside.places),
      sheet: null,
      follow: null,
    };
    return origin + pathname + threadSearch(place, search);
  }

  /** A link to what is on screen: the selected row, else the one at the top, where it stands, and what is open. */
  linkToView = (): string => {
    const seen = this.thread.seen();
    if (this.isCovered() || !seen) {
      const { origin, pathname, search, hash } = window.location;
      return origin + pathname + threadSearch(threadUrlNow(), search) + hash;
    }
    const { recordId, block, offsetPx } = seen;
    const at = formatPermalink({ recordId, block, lines: null, hunk: null });
    return this.#placeLink(at, { y: Math.round(offsetPx), open: this.thread.openInView() });
  };

  // Panes

  showPane = (pane: Pane): void => this.#address.set({ panes: withPane(this.#address.get().panes, pane) });

  closePane = (pane: Pane): void =>
    this.#address.set({
      panes: withoutPanes(this.#address.get().panes, (one) => paneKey(one) === paneKey(pane)),
      ...(pane.kind === "record" ? { record: null } : {}),
    });

  closeLastPane = (): void => {
    const last = parsePanes(this.#address.get().panes).at(-1);
    if (last) this.closePane(last);
  };

  hasPanes = (): boolean => parsePanes(this.#address.get().panes).length > 0;

  /** Shows a record, as the one before it is shown, else by its facts. */
  inspect = (id: RecordId): void => {
    const { panes, record } = this.#address.get();
    this.#address.set({
      panes: withPane(panes, { kind: "record", id }),
      record: paneOf(panes, "record") ? record : null,
    });
  };

  showContext = (id: RecordId): void => this.showPane({ kind: "context", id });

  inspected = (): RecordId | null => paneOf(this.#address.get().panes, "record");

  closeInspector = (): void => {
    const id = this.inspected();
    if (id) this.closePane({ kind: "record", id });
  };

  /** Shows the selected row's record, or that of the first row in view; closes the pane where it is open. */
  toggleInspector = (): void => {
    if (this.inspected()) return this.closeInspector();
    const row = this.thread.rowAtHand();
    if (row) this.inspect(row.recordId);
  };

  /** Shows the context of the selected row in its pane; asked again for the same row, the pane goes. */
  toggleContext = (): void => {
    const contextOf = paneOf(this.#address.get().panes, "context");
    const row = this.thread.selected()?.row;
    if (row && row.recordId !== contextOf) this.showPane({ kind: "context", id: row.recordId });
    else if (contextOf) this.closePane({ kind: "context", id: contextOf });
    else toast("Select a row first (j and k move)");
  };

  toggleFiles = (): void => this.#togglePane({ kind: "files", id: "" });

  toggleComments = (): void => this.#togglePane({ kind: "comments", id: "" });

  #togglePane(pane: Pane): void {
    if (parsePanes(this.#address.get().panes).some(({ kind }) => kind === pane.kind)) this.closePane(pane);
    else this.showPane(pane);
  }

  openAgent = (id: AgentId): void => this.showPane({ kind: "agent", id });

  openSelectedAgent = (): void => {
    const row = this.thread.selected()?.row;
    const agentId = row ? agentOf(row) : null;
    if (agentId) this.openAgent(agentId);
    else toast("Select an agent’s row first");
  };

  /** Closes the outline where it lies over the page. */
  closeOutline = (): void => {
    if (this.#address.get().sheet === "outline") this.#address.set({ sheet: null });
  };

  // Overlays

  /** Something else stands in the thread's place: the graph, the changes, the context or the time, or a comparison. */
  isCovered = (): boolean => viewOf(this.#address.get()) !== "thread";

  showsChanges = (): boolean => this.#address.get().view === "changes";

  openChanges = (turn: number | null): void => this.#address.set({ view: "changes", turn, ...OF_NO_VIEW });

  /** Back to the thread: closes what stands in its place, and what was selected in that. */
  closeView = (): void => this.#address.set({ view: null, ...OF_NO_VIEW });

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
    const row = this.#address.get().view === null ? this.thread.rowAtHand() : null;
    const step =
      row && formatPermalink({ recordId: row.recordId, block: row.block, lines: null, hunk: null });
    this.#address.set({ view: "waterfall", ...OF_NO_VIEW, step });
  };

  toggleWaterfall = (): void =>
    this.#address.get().view === "waterfall" ? this.closeView() : this.openWaterfall();

  /** Leaves what stands in the thread's place for what an outline over it names. Back leads there again. */
  leaveView = (change: Partial<ThreadUrl>, goal: RecordId | null = null): void => {
    this.#goal = goal;
    this.#goTo(change);
  };

  leaveForAgent = (id: AgentId): void =>
    this.leaveView({ panes: withPane(this.#address.get().panes, { kind: "agent", id }) });

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
    const { detail } = this.thread.get().choice;
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
    if (goal) this.goToRecord(goal);
  };

  openChangesOfTurn = (): void => {
    const turn = this.thread.selected()?.row.turn ?? this.thread.get().position.turn;
    this.openChanges(turn > 0 ? turn : null);
  };

  /** Opens the brief of the turn that is being read below its header, which is gone to where it is not selected. */
  toggleBrief = async (): Promise<void> => {
    const turn = this.thread.selected()?.row.turn || this.thread.get().position.turn;
    if (turn < 1) return;
    const selected = this.thread.selected()?.row;
    const header = selected?.kind === "turn" ? selected : await this.thread.goTo({ turn });
    if (header?.kind === "turn" && header.turn === turn) this.thread.toggleOpen(header.key);
  };
}

function agentOf(row: Row): AgentId | null {
  if (row.kind === "agent-return") return row.agentId;
  return row.kind === "tool" ? (row.agent?.agentId ?? null) : null;
}

/** What every part of a session's page is drawn from. */
export type SessionContextValue = {
  sessionId: SessionId;
  session: SessionDetail | null;
  url: ThreadUrl;
  setUrl: SetThreadUrl;
  choice: ThreadChoice;
  store: SessionStore;
};

export const SessionContext = createContext<SessionContextValue | null>(null);

/** The session's page around. Throws outside of one. */
export function useSessionPage(): SessionContextValue {
  const page = useContext(SessionContext);
  if (!page) throw new Error("There is no session around.");
  return page;
}

/** The store of a session's page, for as long as the page is there. */
export function useCreatedSession(
  sessionId: SessionId,
  choice: ThreadChoice,
  url: ThreadUrl,
  setUrl: SetThreadUrl,
): SessionStore {
  const [address] = useState(() => new WrittenAddress(url, setUrl));
  useLayoutEffect(() => address.read(url, setUrl), [address, url, setUrl]);
  const thread = useCreatedThread({
    sessionId,
    choice,
    address,
    open: openedBy(url),
    onElsewhere: (where, record) => {
      thread.release();
      const { at, runs } = address.get();
      // What the address names already is shown in its entry: Back would lead here again.
      const isNamed = record === null || parsePermalink(at)?.recordId === record;
      const shown = addressOfElsewhere(where, runs);
      address.set(isNamed ? shown : { ...shown, at: record }, isNamed ? "replace" : undefined);
    },
  });
  const [store] = useState(() => new SessionStore(thread, address));
  useEffect(() => offerViewLink({ href: store.linkToView, subscribe: store.thread.subscribe }), [store]);
  return store;
}

/** Two changes in one frame both count: what is written is read again before the page is drawn with it. */
class WrittenAddress implements Address {
  #url: ThreadUrl;
  #write: SetThreadUrl;

  constructor(url: ThreadUrl, write: SetThreadUrl) {
    this.#url = url;
    this.#write = write;
  }

  get = (): ThreadUrl => this.#url;

  set: SetThreadUrl = (change, how) => {
    this.#url = { ...this.#url, ...change };
    this.#write(change, how);
  };

  read(url: ThreadUrl, write: SetThreadUrl): void {
    this.#url = url;
    this.#write = write;
  }
}
