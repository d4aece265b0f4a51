import { createContext, useContext, useEffect, useLayoutEffect, useState } from "react";
import type { ThreadActions } from "@/components/content/row-actions";
import { FollowState } from "@/components/present/follow-state";
import { linkToGive } from "@/components/share/share-link";
import { addressOfElsewhere } from "@/components/thread/open-thread";
import { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import type { ThreadStore } from "@/components/thread/thread-store";
import { useCreatedThread } from "@/components/thread/use-thread";
import { toast } from "@/components/ui/toast";
import { offerViewLink } from "@/lib/client/address/address-writes";
import {
  openedBy,
  parsePermalink,
  type SetThreadUrl,
  type ThreadChoice,
  type ThreadUrl,
} from "@/lib/client/address/session-url";
import { copyText } from "@/lib/client/copy-text";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import type { SessionDetail } from "@/lib/wire/session";
import { SessionPanes } from "./panes/session-panes";
import { type Address, WrittenAddress } from "./session-address";
import { SessionLinks } from "./session-links";
import { ViewsOfSession } from "./views-of-session";

/** A session's page: its main thread, and what the address says of the panes beside it and the views in its place. */
export class SessionStore {
  readonly #address: Address;
  /** The thread on which keys act: the main one, or that of the agent in whose pane the focus is. */
  readonly atHand: ThreadAtHand;
  readonly panes: SessionPanes;
  readonly views: ViewsOfSession;
  readonly links: SessionLinks;
  /** What the rows of the main thread may ask for. Its functions never change. */
  readonly rowActions: ThreadActions;
  readonly following: FollowState;

  constructor(
    readonly thread: ThreadStore,
    address: Address,
  ) {
    this.#address = address;
    this.atHand = new ThreadAtHand(thread);
    const panes = new SessionPanes(this.atHand, address);
    const views = new ViewsOfSession(this.atHand, address);
    const links = new SessionLinks(thread, address);
    this.panes = panes;
    this.views = views;
    this.links = links;
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
      inspect: panes.inspect,
      openChanges: views.openChanges,
      compare: views.openCompare,
      showContext: panes.showContext,
      linkTo: links.toRow,
      copyLink: (row, suffix) => copyLink(links.toRow(row, suffix)),
      openAgent: panes.openAgent,
      showAgent: (agent) => address.set({ agent, at: null, fold: null }),
    };
  }

  /** What the rows of an agent's thread beside the page's own link to: themselves, in their pane. */
  linksBeside(agent: AgentId, beside: ThreadStore): Required<Pick<ThreadActions, "linkTo" | "copyLink">> {
    const linkTo: ThreadActions["linkTo"] = (row, suffix) =>
      this.links.toRowBeside(agent, beside, row, suffix);
    return { linkTo, copyLink: (row, suffix) => copyLink(linkTo(row, suffix)) };
  }

  /** Copies a link to the selected row of the thread on which keys act. */
  copyLinkAtHand = (row: Row): void => {
    const agent = this.atHand.agent();
    if (agent === null) this.rowActions.copyLink?.(row);
    else this.linksBeside(agent, this.atHand.get()).copyLink(row);
  };

  /** The list of the agent's thread beside the page's own in which the reader is; `null` for the page's own. */
  boxBeside = (): HTMLElement | null =>
    this.atHand.isMain() ? null : (this.atHand.get().list.current?.box() ?? null);

  /** Opens another place of the session, away from where the reader is. */
  leaveFor = (place: Partial<ThreadUrl>): void => {
    this.thread.release();
    this.#address.set(place);
  };

  /** Goes to a record of the session, whichever thread shows it, and from what stands in the thread's place, too. */
  goToRecord = (record: RecordId): void => {
    if (this.views.isCovered()) this.views.leave({ at: record }, record);
    else void this.thread.goTo({ record });
  };

  /** Closes the outline where it lies over the page. */
  closeOutline = (): void => {
    if (this.#address.get().sheet === "outline") this.#address.set({ sheet: null });
  };

  /** Opens the brief of the turn that is being read below its header, which is gone to where it is not selected. */
  toggleBrief = async (): Promise<void> => {
    const thread = this.atHand.get();
    const turn = thread.selected()?.row.turn || thread.get().position.turn;
    if (turn < 1) return;
    const selected = thread.selected()?.row;
    const header = selected?.kind === "turn" ? selected : await thread.goTo({ turn });
    if (header?.kind === "turn" && header.turn === turn) thread.toggleOpen(header.key);
  };
}

function copyLink(href: string): void {
  void copyText(linkToGive(href)).then((copied) =>
    toast(copied ? "Link copied" : "The browser does not allow copying", copied ? "plain" : "err"),
  );
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
  useEffect(() => offerViewLink({ href: store.links.toView, subscribe: store.thread.subscribe }), [store]);
  return store;
}
