import { hasToken, withoutToken } from "@/lib/client/connection/token";
import { readStored, writeStored } from "@/lib/client/storage";
import { parseJson } from "@/lib/format/json-values";

/**
 * What the page keeps with an entry of the browser's history, beside what the router has there. It survives a reload
 * and a visit to another page.
 */
export type HistoryEntry = {
  /** The query of the address below, where this entry was opened from it. */
  under?: string;
  /** Entries of one ground show the page at one place; only what lies over or beside it differs. */
  ground?: string;
  /** It shows what another window presents. */
  isFollowed?: true;
  /** The dialog that is open over the page. What is kept has the shape that whoever keeps it gives it. */
  dialog?: unknown;
};

/** Where the browser is in its history. `router`: what the router keeps there. */
export type Standing = { entry: HistoryEntry; href: string; router: Record<string, unknown> };

/** The field of `history.state`. */
const FIELD = "backscroll";

/** The router's own fields. */
const OF_ROUTER = ["__NA", "__PRIVATE_NEXTJS_INTERNALS_TREE"];

let standing: Standing = { entry: {}, href: "", router: {} };
/** Told of each entry that is made, whoever makes it, with where the browser was before. */
const onPush = new Set<(below: Standing) => void>();
/** Where the reader was on each ground. What is kept has the shape that whoever keeps it gives it. */
const places = new Map<string, unknown>();
/** Where the tab keeps them through a reload: a write to the history would end a way back that is under way. */
const KEY = "backscroll.places";
const MAX_KEPT = 40;
let grounds = 0;

// Below the router and whatever else writes the address: none of them keeps the field of others with an entry.
if (typeof window !== "undefined") {
  stand();
  followWrites();
}

function followWrites(): void {
  const push = window.history.pushState.bind(window.history);
  const replace = window.history.replaceState.bind(window.history);
  window.history.pushState = (state: object | null, unused, href) => {
    const below = standing;
    push(state, unused, withoutItsToken(href));
    stand();
    for (const listener of onPush) listener(below);
  };
  window.history.replaceState = (state: object | null, unused, href) => {
    const isLost = Object.keys(standing.entry).length > 0 && !(FIELD in (state ?? {}));
    replace(isLost ? { ...state, [FIELD]: standing.entry } : state, unused, withoutItsToken(href));
    stand();
  };
}

/** The router keeps the address with which the page was opened, and goes back to it with the token that was taken out. */
function withoutItsToken(href: string | URL | null | undefined): string | URL | null | undefined {
  const isTaken = !hasToken(window.location.hash);
  return isTaken && typeof href === "string" ? href.replace(/#.*/, withoutToken) : href;
}

function stateOf(): Record<string, unknown> {
  return (window.history.state as Record<string, unknown> | null) ?? {};
}

function stand(): void {
  const { pathname, search, hash } = window.location;
  const state = stateOf();
  standing = {
    entry: (state[FIELD] as HistoryEntry | undefined) ?? {},
    href: pathname + search + hash,
    router: Object.fromEntries(Object.entries(state).filter(([name]) => OF_ROUTER.includes(name))),
  };
}

/**
 * The browser has gone to another entry. To be called once, before anything is asked about that one.
 * @returns where it was before
 */
export function noteStep({ state }: Pick<PopStateEvent, "state">): Standing {
  const left = standing;
  stand();
  const { ground } = left.entry;
  // A link to a part of the page, as the one that skips to the content, makes an entry without a state.
  if (state === null && ground !== undefined) standing.entry = { ground };
  return left;
}

/** The entry that the browser is at. */
export function currentEntry(): HistoryEntry {
  return standing.entry;
}

/** Puts the entry where the browser keeps it. `href`: its address, where that is not there yet. */
export function putEntry(next: HistoryEntry, href?: string): void {
  window.history.replaceState({ ...stateOf(), [FIELD]: next }, "", href);
}

/**
 * Gives the entry that the browser has come to its address, and tells the router of that as of one that the page has
 * written. `left`: the entry before, of the same page. By itself the router would go back to what it knew when the
 * entry was made, and after a reload ask the server for the page, or load it anew.
 */
export function arriveAt(href: string, left: Standing): void {
  // With its fields the router takes a write for its own, and is not told.
  window.history.replaceState({ ...stateOf(), ...left.router, [FIELD]: standing.entry }, "", href);
  if (href !== left.href) correctHref(href);
}

/** Gives the entry another address, and tells the router of it as of one that the page has written. */
export function correctHref(href: string): void {
  window.history.replaceState({ [FIELD]: standing.entry }, "", href);
}

/** The second argument of a write by which what writes the address otherwise knows its own, and lets others wait. */
const OWN = "__nuqs__";

/**
 * Makes an entry with an address of its own, at once: what writes the address otherwise does that a moment later, when
 * the reader may have gone back already.
 */
export function pushEntry(href: string, pushed: HistoryEntry): void {
  window.history.pushState({ [FIELD]: pushed }, OWN, href);
}

/** Makes an entry with the address that is there. The router is not told. */
export function pushEntryHere(pushed: HistoryEntry): void {
  window.history.pushState({ ...standing.router, [FIELD]: pushed }, OWN, standing.href);
}

/**
 * Tells of each entry that is made, by the page or by the router.
 * @returns ends it
 */
export function onPushedEntry(listener: (below: Standing) => void): () => void {
  onPush.add(listener);
  return () => onPush.delete(listener);
}

/** A name for a ground that no entry has yet. */
export function newGround(): string {
  grounds += 1;
  return `${Date.now().toString(36)}.${grounds}`;
}

/** Keeps where the reader is on the ground of this entry. */
export function keepPlace(place: unknown): void {
  const { ground } = standing.entry;
  if (ground === undefined) return;
  readPlaces();
  // The newest are the last.
  places.delete(ground);
  places.set(ground, place);
  writeStored(KEY, JSON.stringify([...places].slice(-MAX_KEPT)), "tab");
}

/** Where the reader was when this entry's ground was left, or the page; `null` where that is not known. */
export function keptPlace(): unknown {
  readPlaces();
  return places.get(standing.entry.ground ?? "") ?? null;
}

function readPlaces(): void {
  if (places.size > 0) return;
  const kept = parseJson(readStored(KEY, "tab"));
  for (const entry of Array.isArray(kept) ? kept : [])
    if (Array.isArray(entry)) places.set(String(entry[0]), entry[1]);
}
