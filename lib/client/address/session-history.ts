import { useQueryStates } from "nuqs";
import { useCallback } from "react";
import { readStored, writeStored } from "@/lib/client/storage";
import { noteWrite } from "./address-writes";
import { beforeRouter, goBack, keepFromRouter, whenStill } from "./before-router";
import {
  arriveAt,
  correctHref,
  currentEntry,
  type HistoryEntry,
  newGround,
  onPushedEntry,
  pushEntry,
  putEntry,
  type Standing,
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

/** Told before an entry is left, so that the place is kept with it. */
let beforeLeaving: () => void = () => undefined;
/** Told when the browser has gone to an entry on another ground. `isSame`: the thread is the one that is shown. */
let onOtherGround: (isSame: boolean) => void = () => undefined;
/** Told when the browser has gone to another entry of this page. */
let onReturn: () => void = () => undefined;
/** The browser goes back, to an entry that shall say this. */
let returning: ThreadUrl | null = null;
/** What has been asked for and is not in the address yet. */
let pending: Partial<ThreadUrl> = {};
let writes = 0;
/** What has been asked for and can wait, and what writes it when nothing else does. */
let late: Partial<ThreadUrl> = {};
let lateTimer: ReturnType<typeof setTimeout> | undefined;
const LATE_MS = 400;

/** The address that the browser has gone to, until the page writes it or is elsewhere. */
let arrived: { search: string; url: ThreadUrl } | null = null;

/** What the address below says, where this entry was opened from it; `null` where it was not. */
export function threadUrlBelow(): ThreadUrl | null {
  const { under } = currentEntry();
  return under === undefined ? null : parseThreadUrl(under);
}

/** What the address says, or is about to. */
export function threadUrlNow(): ThreadUrl {
  return { ...(returning ?? parseThreadUrl(window.location.search)), ...pending, ...late };
}

/**
 * The tab keeps here what an address did not say yet when its entry was left, by a reload or a step through the history:
 * by then it takes no more writes. The entry says it when the browser is there again.
 */
const UNWRITTEN_KEY = "backscroll.unwritten";

type Place = Pick<Location, "pathname" | "search" | "hash">;

/** For which entry that is: its ground, and its address as it is. */
function unwrittenFor(ground: string | undefined, { pathname, search }: Place): string {
  return `${ground} ${pathname}${search} `;
}

/**
 * Where the browser was when it began to leave the page, for a moment: what is written to the address from then until the
 * page is gone is lost with it, as the browser reloads the address that it knew.
 */
let leftFrom: { ground: string | undefined; place: Place } | null = null;
let leftTimer: ReturnType<typeof setTimeout> | undefined;
/** A server that answers later has the page reloaded without what was written meanwhile. */
const MAX_LEAVING_MS = 10_000;

function beginLeaving(): void {
  const { pathname, search, hash } = window.location;
  leftFrom = { ground: currentEntry().ground, place: { pathname, search, hash } };
  clearTimeout(leftTimer);
  leftTimer = setTimeout(endLeaving, MAX_LEAVING_MS);
}

function endLeaving(): void {
  clearTimeout(leftTimer);
  leftFrom = null;
}

/** Keeps what the address that the browser reloads does not say, of what was asked for and written. */
function keepUnloaded(): void {
  const from = leftFrom;
  endLeaving();
  const { ground } = currentEntry();
  const { pathname, search } = window.location;
  const isLost = from !== null && from.ground === ground && from.place.pathname === pathname;
  if (!isLost || from.place.search === search) return keepUnwritten();
  const href = hrefOf({ ...parseThreadUrl(search), ...pending, ...late });
  if (returning === null) writeStored(UNWRITTEN_KEY, unwrittenFor(ground, from.place) + href, "tab");
}

/** Keeps what has been asked for at an entry, where that is not in its address and the page is not going back from it. */
function keepUnwritten(ground = currentEntry().ground, place: Place = window.location): void {
  const unwritten = { ...pending, ...late };
  if (returning !== null || Object.keys(unwritten).length === 0) return;
  const href = hrefOf({ ...parseThreadUrl(place.search), ...unwritten }, place);
  if (href === hrefOf(parseThreadUrl(place.search), place)) return;
  writeStored(UNWRITTEN_KEY, unwrittenFor(ground, place) + href, "tab");
}

/** Whoever is at the entry again has its address say it, once. */
function takeUnwritten(): string | null {
  const kept = readStored(UNWRITTEN_KEY, "tab");
  const own = unwrittenFor(currentEntry().ground, window.location);
  if (!kept?.startsWith(own)) return null;
  writeStored(UNWRITTEN_KEY, null, "tab");
  return kept.slice(own.length);
}

/** Changes the address. `how`: otherwise than what is changed asks for. What comes while the browser goes back waits. */
function changeThreadUrl(asked: Partial<ThreadUrl>, how: PushOrReplace | undefined, write: Write): void {
  whenStill(() => changeNow(asked, how, write));
}

/** Whether the next change to what another window has opens an entry: an open dialog has one, and stays. */
export function opensFollowed(): boolean {
  const { isFollowed, dialog } = currentEntry();
  return !isFollowed && !dialog;
}

/**
 * Changes the address as another window has it. What was shown before stays an entry of its own, at its place. None is
 * below the new one, for who closes there what the other has opened: that leads nobody back.
 */
function changeFollowed(asked: Partial<ThreadUrl>, write: Write): void {
  whenStill(() => {
    if (opensFollowed()) {
      beforeLeaving();
      const now = threadUrlNow();
      pushOn(now, now, { ground: newGround(), isFollowed: true });
    }
    changeNow(asked, "replace", write);
  });
}

function changeLate(asked: Partial<ThreadUrl>, write: Write): void {
  late = { ...late, ...asked };
  clearTimeout(lateTimer);
  lateTimer = setTimeout(() => changeThreadUrl({}, "replace", write), LATE_MS);
}

/** What was to be written late, which is whoever asks for it to write. */
function takeLate(): Partial<ThreadUrl> {
  const taken = late;
  late = {};
  clearTimeout(lateTimer);
  return taken;
}

function changeNow(only: Partial<ThreadUrl>, how: PushOrReplace | undefined, write: Write): void {
  arrived = null;
  const now = threadUrlNow();
  const asked = { ...takeLate(), ...only };
  const under = threadUrlBelow();
  const change = withPlace(asked, now, under);
  const target = { ...now, ...change };
  // A place in another thread is gone to, also where the reader came from that thread.
  const isGoing = typeof asked.at === "string" && !isSameThread(now, target);
  const step = how ?? (isGoing ? "push" : stepOf(now, target, under));
  if (step === "back") return returnTo(now, target, write);
  if (step === "push") {
    beforeLeaving();
    const isOther = how === "push" || !isSameThread(now, target);
    const ground = isOther ? newGround() : (currentEntry().ground ?? newGround());
    pushOn(now, target, { under: threadSearch(now), ground });
  }
  writeNow(change, write);
}

/** Makes an entry for `target` above the one that is there, which says `now`. */
function pushOn(now: ThreadUrl, target: ThreadUrl, pushed: HistoryEntry): void {
  putEntry(currentEntry(), hrefOf(now));
  // What was kept is of an entry that is not there any more.
  writeStored(UNWRITTEN_KEY, null, "tab");
  pushEntry(hrefOf(target), pushed);
}

function hrefOf(url: ThreadUrl, { pathname, search, hash }: Place = window.location): string {
  return pathname + threadSearch(url, search) + hash;
}

/** A change with what it means for the place that the address names. */
function withPlace(asked: Partial<ThreadUrl>, now: ThreadUrl, under: ThreadUrl | null): Partial<ThreadUrl> {
  // What is selected in the graph is no place in what follows it, nor in what follows that.
  const leavesGraph = now.view === "graph" && asked.view && asked.view !== now.view;
  if (leavesGraph && under && !("at" in asked)) return { ...asked, at: under.at, y: under.y };
  // Where a row stands was said of another one.
  return "at" in asked && asked.at !== now.at && now.y !== null ? { y: null, ...asked } : asked;
}

function writeNow(change: Partial<ThreadUrl>, write: Write): void {
  pending = { ...pending, ...change };
  writes += 1;
  const settle = () => {
    writes -= 1;
    if (writes === 0) pending = {};
  };
  void noteWrite(write(change)).then(settle, settle);
}

function returnTo(now: ThreadUrl, target: ThreadUrl, write: Write): void {
  beforeLeaving();
  // For the way forward.
  putEntry(currentEntry(), hrefOf(now));
  returning = target;
  goBack(() => {
    // The entry below is not there any more.
    returning = null;
    writeNow(target, write);
  });
}

/** The browser has gone to another entry. Called before the router, which is told of an address of this page from here. */
function onStep(event: PopStateEvent, left: Standing): void {
  const before = new URL(left.href, window.location.href);
  keepUnwritten(left.entry.ground, before);
  const from = returning ?? parseThreadUrl(before.search);
  returning = null;
  pending = {};
  takeLate();
  if (window.location.pathname !== before.pathname) return;
  const entry = currentEntry();
  const unwritten = takeUnwritten();
  const there = parseThreadUrl(
    unwritten === null ? window.location.search : new URL(unwritten, window.location.href).search,
  );
  const isSameGround = entry.ground !== undefined && entry.ground === left.entry.ground;
  const url = onWayBack(from, there, isSameGround);
  // The router hears of the entry from here.
  keepFromRouter(event);
  arriveAt(hrefOf(url), left);
  arrived = { search: window.location.search, url };
  if (!isSameGround) onOtherGround(isSameThread(parseThreadUrl(before.search), url));
  onReturn();
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
  const standOnGround = () => {
    const entry = currentEntry();
    if (entry.ground === undefined) putEntry({ ...entry, ground: newGround() });
  };
  standOnGround();
  const unwritten = takeUnwritten();
  if (unwritten !== null) correctHref(unwritten);
  window.addEventListener("beforeunload", beginLeaving);
  window.addEventListener("pagehide", keepUnloaded);
  const leave = beforeRouter(onStep);
  const end = onPushedEntry(({ entry, href }) => {
    // One of the router's own, as to a hit in this session, or to another page.
    keepUnwritten(entry.ground, new URL(href, window.location.href));
    queueMicrotask(standOnGround);
  });
  return () => {
    leave();
    end();
    window.removeEventListener("beforeunload", beginLeaving);
    window.removeEventListener("pagehide", keepUnloaded);
    endLeaving();
    takeLate();
    beforeLeaving = () => undefined;
    onOtherGround = () => undefined;
    onReturn = () => undefined;
  };
}

/**
 * What the address says, of what nuqs tells of it. When the browser has gone to another entry, that (2.10.2) tells in its
 * first drawing some parts as they were written last, such as no agent beside a place in the agent's thread, and only then
 * those of the entry: who took both for one address went to that place in another thread.
 */
function withoutWritten(url: ThreadUrl): ThreadUrl {
  if (arrived === null || arrived.search !== window.location.search) return url;
  return threadSearch(url) === threadSearch(arrived.url) ? url : arrived.url;
}

/** The address of a session page, and the only way to write it. */
export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  const [told, write] = useQueryStates(THREAD_PARSERS);
  const url = withoutWritten(told);
  const toAddress = useCallback<Write>(
    (change) => write(change, { history: "replace", shallow: true }),
    [write],
  );
  const setUrl = useCallback<SetThreadUrl>(
    (change, how) => {
      if (how === "late") changeLate(change, toAddress);
      else if (how === "followed") changeFollowed(change, toAddress);
      else changeThreadUrl(change, how, toAddress);
    },
    [toAddress],
  );
  return [url, setUrl];
}

/** One value of the address; only a change of this one draws again. */
export function useThreadUrlValue<Name extends "at" | "paneAt" | "detail">(name: Name): ThreadUrl[Name] {
  return useQueryStates({ [name]: THREAD_PARSERS[name] })[0][name] as ThreadUrl[Name];
}
