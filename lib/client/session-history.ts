import { useQueryStates } from "nuqs";
import { useCallback } from "react";
import { noteWrite } from "./address";
import { onPopStateBeforeRouter } from "./before-router";
import {
  arriveAt,
  currentEntry,
  newGround,
  pushEntry,
  putEntry,
  readEntry,
  routerState,
} from "./history-entry";
import {
  isSameThread,
  onWayBack,
  type PushOrReplace,
  parseThreadUrl,
  type SetThreadUrl,
  stepOf,
  THREAD_PARSERS,
  type ThreadUrl,
  threadSearch,
} from "./session-url";

/*
 * The address of a session and the browser's history. What is opened (a view, a pane, an agent's thread, a branch, a
 * sheet) is an entry, and Back undoes it. To close what was opened last is to go back, so that no entry is left that
 * Back would seem to do nothing for. How the thread is read (its detail, folds, what is looked for) is no step: it
 * stays as it is on the way back.
 */

/** Writes a change to the address of the entry; resolves when it says it. */
type Write = (change: Partial<ThreadUrl>) => Promise<unknown>;

/** A change that waits for the browser to have gone back. */
type Waiting = { change: Partial<ThreadUrl>; how: PushOrReplace | undefined; write: Write };

/** The browser goes back, to an entry that shall say this; what is asked for on the way comes after. */
type Return = {
  target: ThreadUrl;
  waiting: Waiting[];
  arrive: () => void;
  timer: ReturnType<typeof setTimeout>;
};

/** Later than this the browser does not go back any more. */
const MAX_RETURN_MS = 2_000;

/** Told before an entry is left, so that the place is kept with it. */
let beforeLeaving: () => void = () => undefined;
/** Told when the browser has gone to an entry on another ground. `isSame`: the thread is the one that is shown. */
let onOtherGround: (isSame: boolean) => void = () => undefined;
/** Told when the browser has gone to another entry of this page. */
let onReturn: () => void = () => undefined;
let returning: Return | null = null;
/** What has been asked for and is not in the address yet. */
let pending: Partial<ThreadUrl> = {};
let writes = 0;
/** The address before the browser went elsewhere, and what the router kept with it. */
let known: { path: string; url: ThreadUrl; router: Record<string, unknown> } | null = null;

/** What the address says, or is about to. */
export function threadUrlNow(): ThreadUrl {
  return { ...(returning?.target ?? parseThreadUrl(window.location.search)), ...pending };
}

/** Changes the address. `how`: otherwise than what is changed asks for. */
function changeThreadUrl(asked: Partial<ThreadUrl>, how: PushOrReplace | undefined, write: Write): void {
  if (returning) {
    returning.waiting.push({ change: asked, how, write });
    return;
  }
  const now = threadUrlNow();
  const entry = currentEntry();
  const under = entry.under === undefined ? null : parseThreadUrl(entry.under);
  const change = withPlace(asked, now, under);
  const target = { ...now, ...change };
  // A place in another thread is gone to, also where the reader came from that thread.
  const isGoing = typeof asked.at === "string" && !isSameThread(now, target);
  const step = how ?? (isGoing ? "push" : stepOf(now, target, under));
  if (step === "back") return goBack(target, write);
  if (step === "push") {
    beforeLeaving();
    const isOther = how === "push" || !isSameThread(now, target);
    const ground = isOther ? newGround() : (currentEntry().ground ?? newGround());
    putEntry(currentEntry(), hrefOf(now));
    pushEntry(hrefOf(target), { under: threadSearch(now), ground });
    remember();
  }
  writeNow(change, write);
}

function hrefOf(url: ThreadUrl): string {
  const { pathname, search, hash } = window.location;
  return pathname + threadSearch(url, search) + hash;
}

/** A change with what it means for the place that the address names. */
function withPlace(asked: Partial<ThreadUrl>, now: ThreadUrl, under: ThreadUrl | null): Partial<ThreadUrl> {
  // What is selected in the graph is no place in what follows it.
  if (now.view === "graph" && asked.view && asked.view !== "graph" && under && !("at" in asked))
    return { ...asked, at: under.at, y: under.y };
  // Where a row stands was said of another one.
  return "at" in asked && asked.at !== now.at && now.y !== null ? { y: null, ...asked } : asked;
}

function writeNow(change: Partial<ThreadUrl>, write: Write): void {
  pending = { ...pending, ...change };
  writes += 1;
  const settle = () => {
    writes -= 1;
    if (writes > 0) return;
    pending = {};
    putEntry();
    remember();
  };
  void noteWrite(write(change)).then(settle, settle);
}

function goBack(target: ThreadUrl, write: Write): void {
  beforeLeaving();
  let arrive: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const timer = setTimeout(() => {
    // The entry below is not there any more.
    endReturn();
    writeNow(target, write);
  }, MAX_RETURN_MS);
  returning = { target, waiting: [], arrive, timer };
  void noteWrite(promise);
  window.history.back();
}

function endReturn(): void {
  if (!returning) return;
  const { waiting, arrive, timer } = returning;
  clearTimeout(timer);
  returning = null;
  arrive();
  // Behind the router, which hears of the entry after us.
  if (waiting.length > 0)
    setTimeout(() => {
      for (const { change, how, write } of waiting) changeThreadUrl(change, how, write);
    });
}

function remember(): void {
  const { pathname: path, search } = window.location;
  known = { path, url: parseThreadUrl(search), router: routerState() };
}

/** The browser has gone to another entry. Called before the router, which is told of an address of this page from here. */
function onPopState(event: PopStateEvent): void {
  const before = known;
  const left = currentEntry();
  pending = {};
  // A link to a part of the page, as the one that skips to the content, makes an entry without a state.
  const { under: _, ...same } = left;
  const entry = event.state === null ? same : readEntry();
  if (!before || window.location.pathname !== before.path) {
    endReturn();
    return;
  }
  const there = parseThreadUrl(window.location.search);
  const isSameGround = entry.ground !== undefined && entry.ground === left.ground;
  const from = returning?.target ?? before.url;
  const url = onWayBack(from, there, isSameGround);
  // The router hears of the entry from here; without a state it leaves it alone.
  Object.defineProperty(event, "state", { value: null });
  arriveAt(hrefOf(url), before.router, entry);
  remember();
  if (!isSameGround) onOtherGround(isSameThread(before.url, url));
  onReturn();
  endReturn();
}

/**
 * Follows the browser's history on a session's page.
 * @returns ends it
 */
export function followHistory(handlers: {
  beforeLeaving: () => void;
  onOtherGround: (isSame: boolean) => void;
  onReturn: () => void;
}): () => void {
  ({ beforeLeaving, onOtherGround, onReturn } = handlers);
  const entry = readEntry();
  if (entry.ground === undefined) putEntry({ ...entry, ground: newGround() });
  remember();
  const leave = onPopStateBeforeRouter(onPopState);
  return () => {
    leave();
    beforeLeaving = () => undefined;
    onOtherGround = () => undefined;
    onReturn = () => undefined;
    known = null;
  };
}

/** The address of a session page, and the only way to write it. */
export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  const [url, write] = useQueryStates(THREAD_PARSERS);
  const setUrl = useCallback<SetThreadUrl>(
    (change, how) =>
      changeThreadUrl(change, how, (values) => write(values, { history: "replace", shallow: true })),
    [write],
  );
  return [url, setUrl];
}

/** One value of the address; only a change of this one draws again. */
export function useThreadUrlValue<Name extends "at" | "detail">(name: Name): ThreadUrl[Name] {
  return useQueryStates({ [name]: THREAD_PARSERS[name] })[0][name] as ThreadUrl[Name];
}
