import type { AgentId, BranchId, RecordId, SessionId } from "./ids";
import type { Detail } from "./rows";

/** How a thread is read: what stands at its upper edge, what is open, what is selected. Rows are named by their keys. */
export type ThreadStanding = {
  /** `null` before anything of it is drawn. */
  at: { key: string; recordId: RecordId; block: number } | null;
  /** Which share of that row is above the edge, from 0 to 1. */
  above: number;
  /** The end of the thread is in view, and is followed. */
  atEnd: boolean;
  open: string[];
  selected: string | null;
  /** The selected row is in view: so it is to be for who follows in a smaller window. */
  showsSelected: boolean;
};

/** What of a session's page is shown, in the words of its address. */
export type PresentedView = {
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail;
  fold: string | null;
  /** Keys of open runs; `all` where none is folded. */
  runs: string | null;
  panes: string | null;
  view: string | null;
  turn: number | null;
  /** What is selected in the graph, where that is shown. */
  at: string | null;
  file: string | null;
  version: string | null;
  against: string | null;
  line: number | null;
  /** What is compared; another session among it does not exist for guests. */
  left: string | null;
  right: string | null;
  /** What is selected in the waterfall. */
  step: string | null;
  /** How the view shows it, where not as usual. */
  look: string | null;
  /** The part of the time that is shown alone. */
  range: string | null;
};

/** What stands at the upper edge of a view in the thread's place: of changes one of them, of a file's text a line. */
export type ViewStanding = {
  /** By the key of its call's row. */
  change: string | null;
  line: number | null;
  /** Which share of that is above the edge, from 0 to 1. */
  above: number;
  /** The line that is pointed at is in view: so it is to be for who follows in a smaller window. */
  showsLine: boolean;
};

/**
 * Where somebody is in a session: never what their screen looks like. `scrolled`: in the view in the thread's place, where
 * that scrolls by itself. `beside`: the agents' threads in panes.
 */
export type Position = {
  sessionId: SessionId;
  shown: PresentedView;
  thread: ThreadStanding;
  scrolled: ViewStanding | null;
  beside: { agent: AgentId; thread: ThreadStanding }[];
};

/** Who follows: a guest by a number and what they call themselves, another window of the owner's by neither. */
export type Follower = { guest: number | null; name: string | null };

/** A session that its owner presents. `window` and `followers` are told to the owner's windows alone. */
export type Presenting = {
  /** Tells one presentation from the next. */
  id: string;
  position: Position;
  window: string | null;
  /** The first 50 of `count`. */
  followers: { count: number; first: Follower[] } | null;
};

/** UTF-16 units of what a guest calls themselves. */
export const MAX_GUEST_NAME = 40;
