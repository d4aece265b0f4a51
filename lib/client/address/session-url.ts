import {
  createLoader,
  createParser,
  createSerializer,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs";
import { type AgentId, type BranchId, formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import { DETAILS, type Detail } from "@/lib/wire/rows";
import { withoutBasePath } from "./base-path";

/** What the address of a session says, as it stands there. */
export type ThreadUrl = {
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail | null;
  fold: string | null;
  /** Keys of runs that are open, where runs are folded; `all` where none is, whatever the reader prefers. */
  runs: string | null;
  at: string | null;
  /** How far below the thread's upper edge the row of `at` stands, in pixels; without it, in the middle. */
  y: number | null;
  /** Keys of rows that a shared link opens. */
  open: string | null;
  panes: string | null;
  /** Where the threads in agents' panes are read, as `at` and `y` say it of the page's own. */
  paneAt: string | null;
  /** How the record's pane shows it, where not by its facts: `raw`, its line. */
  record: string | null;
  /** `outline`: what lies over the thread where the page is narrow. */
  sheet: string | null;
  /**
   * What stands in the thread's place: `graph`, the session's picture, `changes`, what it changed, `context`, what filled
   * the window, `waterfall`, where its time went, `compare`, two of its branches.
   */
  view: string | null;
  /** The turn whose changes are shown; `null` for those of the session. */
  turn: number | null;
  /** The file that is shown of the changes, its version, the one it is compared with, and the line that is pointed at. */
  file: string | null;
  version: string | null;
  against: string | null;
  line: number | null;
  /** What is compared: a branch, or another session, each. */
  left: string | null;
  right: string | null;
  /** The place of what is selected in the waterfall, without it `at`; a request of the thread whose requests are shown. */
  step: string | null;
  /** How a view shows what it shows, where not as usual: `differences` of a comparison, requests as a `table`. */
  look: string | null;
  /** The part of the session's time that its outline and changes, and the waterfall's totals, are of: `parseRange`. */
  range: string | null;
  /** What is looked for in the session. */
  q: string | null;
  /** `1`: opens at the end. */
  follow: string | null;
};

const VIEWS = ["thread", "graph", "waterfall", "changes", "context", "compare"] as const;

/** What a session's page shows: its thread, or what stands in the place of that. */
export type ViewName = (typeof VIEWS)[number];

/** Which view an address names; for a view that this page does not know, the thread. */
export function viewOf({ view }: Pick<ThreadUrl, "view">): ViewName {
  return VIEWS.find((name) => name === view) ?? "thread";
}

/** The session that a page's path names, as the browser has it; `null` for any other page. */
export function sessionOfPath(pathname: string): SessionId | null {
  const [, id] = /^\/sessions\/([^/]+)/.exec(withoutBasePath(pathname)) ?? [];
  return id ? (decodeURIComponent(id) as SessionId) : null;
}

/** For `useQueryStates`: an id as it stands in an address. Whether there is such a thing is the server's to say. */
export function parseAsId<Id extends string>() {
  return createParser<Id>({ parse: (text) => text as Id, serialize: (id) => id });
}

/** The parameters of a session's address. */
export const THREAD_PARSERS = {
  branch: parseAsId<BranchId>(),
  agent: parseAsId<AgentId>(),
  detail: parseAsStringLiteral(DETAILS),
  fold: parseAsString,
  runs: parseAsString,
  at: parseAsString,
  y: parseAsInteger,
  open: parseAsString,
  panes: parseAsString,
  paneAt: parseAsString,
  record: parseAsString,
  sheet: parseAsString,
  view: parseAsString,
  turn: parseAsInteger,
  file: parseAsString,
  version: parseAsString,
  against: parseAsString,
  line: parseAsInteger,
  left: parseAsString,
  right: parseAsString,
  step: parseAsString,
  look: parseAsString,
  range: parseAsString,
  q: parseAsString,
  follow: parseAsString,
};

/** Whether a change of the address is an entry of the browser's history, for one whose kind does not tell. */
export type PushOrReplace = "push" | "replace";

/**
 * Changes the address. `late`: together with the next change, or when there was none for a moment. It is for what changes
 * many times a second and is drawn from elsewhere meanwhile: with each write the whole page is drawn again. `followed`: as
 * who is followed has it: the first of these is an entry, from which Back leads to what was shown before.
 */
export type SetThreadUrl = (change: Partial<ThreadUrl>, how?: PushOrReplace | "late" | "followed") => void;

/** Reads the query of a session's address. */
export const parseThreadUrl: (search: string) => ThreadUrl = createLoader(THREAD_PARSERS);

const serialize = createSerializer(THREAD_PARSERS);

/** The query of an address, with its `?`; `base` is one of which parameters are kept that are none of a thread's. */
export function threadSearch(url: Partial<ThreadUrl>, base = ""): string {
  return serialize(base, url);
}

/** What is open: two addresses of one shape differ only in how it is read. */
function shapeOf({ view, turn, file, agent, branch, panes, sheet }: ThreadUrl): string {
  const open = parsePanes(panes).map(paneName);
  const changes = view === "changes" ? [turn, file] : [null, null];
  return [view, ...changes, agent, branch, open.toSorted().join(","), sheet].join("|");
}

/** Whether two addresses show the same thread, however it is read. */
export function isSameThread(one: ThreadUrl, other: ThreadUrl): boolean {
  return one.agent === other.agent && one.branch === other.branch;
}

/**
 * What a change is to the browser's history. What opens something is an entry; what leads to where the reader came
 * from (`under`) goes back; folds, places, words that are typed and what is closed otherwise are no steps.
 */
export function stepOf(now: ThreadUrl, target: ThreadUrl, under: ThreadUrl | null): PushOrReplace | "back" {
  if (shapeOf(now) === shapeOf(target)) return "replace";
  if (under && shapeOf(under) === shapeOf(target)) return "back";
  const had = new Set(parsePanes(now.panes).map(paneName));
  const opensPane = parsePanes(target.panes).some((pane) => !had.has(paneName(pane)));
  const opensSheet = target.sheet !== null && target.sheet !== now.sheet;
  const opensFile = target.view === "changes" && target.file !== null && target.file !== now.file;
  const isElsewhere = now.view !== target.view || opensFile || !isSameThread(now, target);
  return opensPane || opensSheet || isElsewhere ? "push" : "replace";
}

/** Which pane it is, whatever it shows: agents stand side by side, of other panes there is one of each kind. */
export function paneName(pane: Pane): string {
  return pane.kind === "agent" ? paneKey(pane) : pane.kind;
}

/**
 * The address that an entry of the history gets when the browser comes to it: what is open is the entry's, but how
 * the thread was read meanwhile stays. Another place or thread (not `isSameGround`) has its own folds and place.
 */
export function onWayBack(from: ThreadUrl, there: ThreadUrl, isSameGround: boolean): ThreadUrl {
  const { detail, q, range } = from;
  if (!isSameGround || !isSameThread(from, there)) return { ...there, detail, q, range };
  const { view, turn, agent, branch, panes, sheet, file, version, against, line, left, right } = there;
  const ofSame = shapeOf(from) === shapeOf(there) ? from.panes : panes;
  // What is selected in the graph or the waterfall is selected there alone, as a view's look is its own, until the reader goes to it.
  const { at, y, step, look } = from.view === view ? from : there;
  const shown = { view, turn, file, version, against, line, left, right, step, look };
  return { ...from, ...shown, agent, branch, panes: ofSame, sheet, at, y };
}

/** Which thread is shown, and how much of it; `key` tells two of them apart. */
export type ThreadChoice = {
  key: string;
  branch: BranchId | null;
  agent: AgentId | null;
  detail: Detail;
  fold: string | null;
  /** As the server takes it: `folded`, then the keys of open runs; `null` where every call has its row. */
  runs: string | null;
};

/** In place of the keys of open runs: each call has its row. */
export const ALL_RUNS = "all";

/** So many open runs a request for rows takes, and for each agent beside them its stream of events. */
const MAX_OPEN_RUNS = 500;
export const MAX_OPEN_RUNS_IN_PANE = 100;

/**
 * The thread that an address means; `preferred` is the reader's own detail, `foldsRuns` whether runs are folded. Of more
 * than `mostRuns` open ones those that were opened last are open.
 */
export function threadChoice(
  {
    branch,
    agent,
    detail,
    fold,
    runs,
  }: Pick<ThreadUrl, "branch" | "agent" | "detail" | "fold"> & { runs?: string | null },
  preferred: Detail,
  foldsRuns: boolean,
  mostRuns = MAX_OPEN_RUNS,
): ThreadChoice {
  const shown = detail ?? preferred;
  // Only this detail has calls in a row and leaves something out.
  const open = runs?.split(",").filter(Boolean).slice(-mostRuns) ?? [];
  const isFolded = foldsRuns && shown === "tools" && !open.includes(ALL_RUNS);
  const folded = isFolded ? ["folded", ...open].join(",") : null;
  return {
    key: [branch, agent, shown, fold, folded].join("|"),
    branch,
    agent,
    detail: shown,
    fold,
    runs: folded,
  };
}

/** Open runs with this one opened, or closed where it is open: `null` for none. */
export function toggledRun(runs: string | null, key: string): string | null {
  const open = new Set(runs?.split(",").filter(Boolean));
  if (!open.delete(key)) open.add(key);
  return [...open].join(",") || null;
}

/** Open runs with these among them. */
export function withRuns(runs: string | null, keys: readonly string[]): string | null {
  return [...new Set([...(runs?.split(",").filter(Boolean) ?? []), ...keys])].join(",") || null;
}

/** A pane beside the thread. The address lists them as `panes=agent:<id>,record:<id>,context:<id>,files,comments`. */
export type Pane =
  | { kind: "record" | "context"; id: RecordId }
  | { kind: "agent"; id: AgentId }
  | { kind: "files" | "comments"; id: "" };

const KINDS: readonly string[] = ["record", "context", "agent"] satisfies Pane["kind"][];

/** Reads the address's `panes`; kinds that this page does not know are left out. */
export function parsePanes(text: string | null): Pane[] {
  return (text ?? "").split(",").flatMap((one) => {
    if (one === "files" || one === "comments") return [{ kind: one, id: "" } as const];
    const colon = one.indexOf(":");
    const kind = one.slice(0, Math.max(0, colon));
    const id = one.slice(colon + 1);
    return KINDS.includes(kind) && id ? [{ kind, id } as Pane] : [];
  });
}

/** The inverse; `null` for no pane, so that the address loses the parameter. */
export function formatPanes(panes: readonly Pane[]): string | null {
  return panes.map(paneKey).join(",") || null;
}

/** A pane as the address has it. */
export function paneKey({ kind, id }: Pane): string {
  return id === "" ? kind : `${kind}:${id}`;
}

/** The record that the pane of this kind is about, `null` while it is closed. */
export function paneOf(panes: string | null, kind: "record" | "context"): RecordId | null {
  const pane = parsePanes(panes).find((one) => one.kind === kind);
  return pane?.kind === "record" || pane?.kind === "context" ? pane.id : null;
}

/** The panes with this one among them: agents stand side by side, of the others there is one of each kind. */
export function withPane(panes: string | null, pane: Pane): string | null {
  const kept = parsePanes(panes).filter((one) =>
    pane.kind === "agent" ? one.id !== pane.id : one.kind !== pane.kind,
  );
  return formatPanes([...kept, pane]);
}

/** The panes without those that `leaves` names. */
export function withoutPanes(panes: string | null, leaves: (pane: Pane) => boolean): string | null {
  return formatPanes(parsePanes(panes).filter((pane) => !leaves(pane)));
}

/** A place in an agent's pane: what `at` and `y` are for the thread beside it. */
export type PanePlace = { agent: AgentId; at: string; y: number | null };

/** Reads `paneAt=<agent>@<recordId>[.block][:L12-20|:h2][@<y>],…`; what has another form is left out. */
export function parsePanePlaces(text: string | null): PanePlace[] {
  return (text ?? "").split(",").flatMap((one) => {
    const match = /^([^@]+)@([^@]+)(?:@(-?\d{1,6}))?$/.exec(one);
    const [, agent, at = null, y] = match ?? [];
    if (!agent || at === null || !parsePermalink(at)) return [];
    return [{ agent: agent as AgentId, at, y: y === undefined ? null : Number(y) }];
  });
}

/** The inverse; `null` for no place, so that the address loses the parameter. */
export function formatPanePlaces(places: readonly PanePlace[]): string | null {
  const one = ({ agent, at, y }: PanePlace) => [agent, at, ...(y === null ? [] : [y])].join("@");
  return places.map(one).join(",") || null;
}

/** A part of a session's time. */
export type TimeRange = { fromMs: number; toMs: number };

/** Reads the address's `range=<fromMs>-<toMs>`, in epoch milliseconds; anything else is `null`. */
export function parseRange(range: string | null): TimeRange | null {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(range ?? "") ?? [];
  const [fromMs, toMs] = [Number(from), Number(to)];
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/** A range as `parseRange` reads it, in whole milliseconds around it; `null` for none, so that the address loses the parameter. */
export function formatRange(range: TimeRange | null): string | null {
  if (!range) return null;
  const from = Math.floor(range.fromMs);
  return `${from}-${Math.max(from + 1, Math.ceil(range.toMs))}`;
}

/** What `?at=` points at: a record, a block in it, and lines or a hunk inside the block. */
export type Permalink = {
  recordId: RecordId;
  block: number | null;
  lines: { from: number; to: number } | null;
  hunk: number | null;
};

const PLACE = /^([^.:\s]+)(?:\.(\d{1,6}))?(?::(?:L(\d{1,9})(?:-(\d{1,9}))?|h(\d{1,6})))?$/;

/** Reads `<recordId>[.block][:L12-20|:h2]`; anything else is `null`. */
export function parsePermalink(at: string | null): Permalink | null {
  const match = at === null ? null : PLACE.exec(at);
  if (!match?.[1]) return null;
  const [, recordId, block, from, to, hunk] = match;
  const first = from === undefined ? null : Number(from);
  const last = to === undefined ? first : Number(to);
  return {
    recordId: recordId as RecordId,
    block: block === undefined ? null : Number(block),
    lines:
      first === null || last === null ? null : { from: Math.min(first, last), to: Math.max(first, last) },
    hunk: hunk === undefined ? null : Number(hunk),
  };
}

/** The inverse of `parsePermalink`. */
export function formatPermalink({ recordId, block, lines, hunk }: Permalink): string {
  const inBlock = block === null ? "" : `.${block}`;
  if (lines) return `${recordId}${inBlock}:L${lines.from}${lines.to > lines.from ? `-${lines.to}` : ""}`;
  return hunk === null ? `${recordId}${inBlock}` : `${recordId}${inBlock}:h${hunk}`;
}

/** The keys of the rows that an address opens: a link to lines or a hunk is a link into an opened row. */
export function openedBy({ at, open }: Pick<ThreadUrl, "at" | "open">): ReadonlySet<string> {
  const place = parsePermalink(at);
  const inside = place !== null && (place.lines !== null || place.hunk !== null);
  const listed = open?.split(",").filter(Boolean) ?? [];
  return new Set(inside ? [...listed, formatRowKey(place.recordId, place.block ?? 0)] : listed);
}
