import { useEffect, useSyncExternalStore } from "react";
import { basePath } from "@/lib/client/address/base-path";
import { LiveStream } from "@/lib/client/connection/live-stream";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import type { SessionState } from "@/lib/wire/library";
import type { Doing, LiveEvent, LiveState } from "@/lib/wire/live";
import { hasRules, NO_RULES, type NotifyRules, parseRules, whyTold } from "./notify-rules";

const KEY = "backscroll.notify";
/** Another Backscroll below another path of the same host notifies about other sessions. */
const firedKey = () => `backscroll.notified${basePath()}`;
/** The number of past notifications that are listed. */
const MAX_FIRED = 50;
/** An event may be received twice, for example by two tabs of which one takes over. */
const SAME_MS = 20_000;

let cached = { text: null as string | null, isAllowed: false, rules: NO_RULES };

function read(): NotifyRules {
  const text = readStored(KEY);
  // Without rules, as in most browsers, it is not asked: the page waits for the browser's answer, which takes milliseconds.
  const isAllowed = text !== null && "Notification" in window && Notification.permission === "granted";
  if (text !== cached.text || isAllowed !== cached.isAllowed) {
    const rules = parseRules(text);
    cached = { text, isAllowed, rules: isAllowed ? rules : { ...NO_RULES, sound: rules.sound } };
  }
  return cached.rules;
}

/**
 * The reader's notification rules, stored in this browser. None while the browser does not allow notifications: it
 * withdraws the permission by itself if a page was not visited for long.
 */
export function useNotifyRules(): NotifyRules {
  return useSyncExternalStore(
    (listener) => followStored(KEY, listener),
    read,
    () => NO_RULES,
  );
}

/** Sets rules; the browser asks for permission with the first one that is on. False if it was refused. */
export async function setNotifyRules(change: Partial<NotifyRules>): Promise<boolean> {
  if (hasRules({ ...NO_RULES, ...change }) && !(await isPermitted())) return false;
  writeStored(KEY, JSON.stringify({ ...parseRules(readStored(KEY)), ...change }));
  return true;
}

async function isPermitted(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
}

/** A notification: of which session, when, and why. */
export type Fired = { key: string; sessionId: string; title: string; why: string; atMs: number };

let fired: { text: string | null; list: readonly Fired[] } = { text: null, list: [] };

function readFired(): readonly Fired[] {
  const text = readStored(firedKey());
  if (text !== fired.text) fired = { text, list: parseFired(text) };
  return fired.list;
}

/** Past notifications, the newest first. Any other stored value counts as none. */
function parseFired(text: string | null): Fired[] {
  const list = parseJson(text);
  return Array.isArray(list) ? list.filter(isFired) : [];
}

function isFired(one: unknown): one is Fired {
  const { key, sessionId, title, why, atMs } = fieldsOf(one);
  const texts = [key, sessionId, title, why];
  return texts.every((text) => typeof text === "string") && typeof atMs === "number";
}

/** The notifications of this browser, the newest first. */
export function useFired(): readonly Fired[] {
  return useSyncExternalStore(
    (listener) => followStored(firedKey(), listener),
    readFired,
    () => NOTHING,
  );
}

const NOTHING: readonly Fired[] = [];

/** Empties the list of what this browser was told of, in all of its tabs. */
export function clearFired(): void {
  writeStored(firedKey(), null);
}

/** A session's state, as far as notifications concern it. */
export type NotifyState = {
  id: string;
  title: string;
  state: SessionState;
  asks?: Doing["kind"] | undefined;
  sinceMs?: number | null;
};

/**
 * Notifies about running sessions while this browser has rules: about all of them, whatever page is open, in the
 * background too. One of the browser's tabs does so, on a stream of its own that carries nothing else; when that tab is
 * closed, another one takes over.
 * @param isOwner guests get no notifications
 */
export function useTelling(isOwner: boolean): void {
  const isOn = hasRules(useNotifyRules()) && isOwner;
  useEffect(() => {
    // Without locks, at an address without TLS, browsers show no notifications either.
    if (!isOn || !("locks" in navigator)) return;
    const end = new AbortController();
    const telling = navigator.locks.request(`backscroll.told${basePath()}`, { signal: end.signal }, () =>
      tellUntil(end.signal),
    );
    telling.catch((error: unknown) => {
      if (end.signal.aborted) return undefined;
      // Refused where all cookies are blocked (Firefox 153): no other tab has this one's rules then.
      if (error instanceof DOMException && error.name === "SecurityError") return tellUntil(end.signal);
      throw error;
    });
    return () => end.abort();
  }, [isOn]);
}

function tellUntil(signal: AbortSignal): Promise<void> {
  const known = new KnownStandings();
  const onEvent = (event: LiveEvent) => {
    if (event.kind === "hello" || event.kind === "state") {
      for (const { id, title, body, rule, sinceMs } of known.take(event))
        if (read()[rule]) tell({ key: `${rule} ${sinceMs ?? ""}`, sessionId: id, title, why: body });
    } else if (event.kind === "calls") tellOfCalls(event);
  };
  const stream = new LiveStream({
    ...{ query: () => ({ news: 1 }), holds: () => true },
    ...{ onEvent, onGap: () => undefined },
  });
  stream.start();
  return new Promise((resolve) => {
    const stop = () => {
      stream.stop();
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** The states of sessions, as far as a stream has reported them, and which of its events are news to the reader. */
export class KnownStandings {
  readonly #titles = new Map<string, string>();
  #server: string | null = null;
  #standings: ReadonlyMap<string, NotifyState> | null = null;

  /** The events to notify about. A first hello is no news. */
  take(event: Extract<LiveEvent, { kind: "hello" | "state" }>): News[] {
    if (event.kind === "state") {
      this.#titles.set(event.state.sessionId, event.title);
      return this.#look([...this.#allBut([event.state]), this.#standingOf(event.state)]);
    }
    for (const [id, title] of Object.entries(event.titles)) this.#titles.set(id, title);
    // All missed events follow, one after the other.
    if (event.resumed && this.#standings) return [];
    // A restarted server examines its sessions a moment later: a session that it does not name has not ended.
    const isAnother = this.#server !== null && this.#server !== event.server;
    this.#server = event.server;
    const unnamed = isAnother ? this.#allBut(event.states) : [];
    return this.#look([...unnamed, ...event.states.map((state) => this.#standingOf(state))]);
  }

  #look(standings: readonly NotifyState[]): News[] {
    const before = this.#standings;
    const now = withKnownStates(before, standings);
    this.#standings = now;
    return before ? newsOf(before, now) : [];
  }

  #allBut(states: readonly LiveState[]): NotifyState[] {
    const named = new Set<string>(states.map(({ sessionId }) => sessionId));
    return [...(this.#standings?.values() ?? [])].filter(({ id }) => !named.has(id));
  }

  #standingOf({ sessionId: id, state, doing, sinceMs }: LiveState): NotifyState {
    return { id, state, asks: doing?.kind, sinceMs, title: this.#titles.get(id) || "A session" };
  }
}

function tellOfCalls({ sessionId, title, calls }: Extract<LiveEvent, { kind: "calls" }>): void {
  const rules = read();
  for (const call of calls) {
    const told = whyTold(call, rules);
    if (told)
      tell({
        ...{ key: `${told.rule} ${call.recordId}`, sessionId, why: told.why },
        title: title || "A session",
      });
  }
}

/** States by id. A session that may continue in a moment keeps its former state. */
export function withKnownStates(
  before: ReadonlyMap<string, NotifyState> | null,
  standings: readonly NotifyState[],
): Map<string, NotifyState> {
  return new Map(
    standings.map((one) => {
      const was = one.state === "unknown" ? before?.get(one.id)?.state : undefined;
      return [one.id, was ? { ...one, state: was } : one];
    }),
  );
}

function tell(news: Omit<Fired, "atMs">): void {
  const atMs = Date.now();
  const list = readFired();
  const isTold = list.some(
    (one) => one.key === news.key && one.sessionId === news.sessionId && atMs - one.atMs < SAME_MS,
  );
  show(news);
  if (isTold) return;
  writeStored(firedKey(), JSON.stringify([{ ...news, atMs }, ...list].slice(0, MAX_FIRED)));
  if (read().sound) playSound();
}

function show({ title, why, sessionId, key }: Omit<Fired, "atMs">): void {
  try {
    // Shown by several tabs it is still a single notification.
    const notification = new Notification(title, { body: why, tag: `${sessionId} ${key}` });
    notification.onclick = () => window.focus();
  } catch (cause) {
    // Chrome on Android asks for permission and then shows notifications only for a service worker: they are listed and
    // heard all the same.
    if (!(cause instanceof TypeError)) throw cause;
  }
}

const TONES = [660, 880];
const TONE_S = 0.12;

/** Two short tones, generated here: nothing is loaded for them. A browser without a click so far plays none. */
export function playSound(): void {
  const context = new AudioContext();
  const gain = context.createGain();
  gain.connect(context.destination);
  gain.gain.value = 0.08;
  for (const [index, hertz] of TONES.entries()) {
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(context.currentTime + index * TONE_S);
    tone.stop(context.currentTime + (index + 1) * TONE_S);
    if (index === TONES.length - 1) tone.onended = () => void context.close();
  }
}

/** An event of a session, its time, and the rule that it falls under. */
type News = {
  id: string;
  title: string;
  body: string;
  rule: "waits" | "ends";
  sinceMs?: number | null | undefined;
};

/** The events between two states of all sessions that are running or waiting: a missing one has ended. */
export function newsOf(
  before: ReadonlyMap<string, NotifyState>,
  now: ReadonlyMap<string, NotifyState>,
): News[] {
  const news: News[] = [];
  for (const [id, { title, state, asks, sinceMs }] of now) {
    const was = before.get(id)?.state ?? null;
    if (state === "waiting" && was !== "waiting")
      news.push({ id, title, body: ASKS[asks ?? "tool"] ?? "Waiting for you", rule: "waits", sinceMs });
    if (was === "running" && OVER[state]) news.push({ id, title, body: OVER[state], rule: "ends", sinceMs });
  }
  for (const [id, { title, state }] of before) {
    if (state === "running" && !now.has(id)) news.push({ id, title, body: OVER.idle ?? "", rule: "ends" });
  }
  return news;
}

const ASKS: Partial<Record<Doing["kind"], string>> = {
  question: "Has a question for you",
  permission: "Asks for permission",
};

const OVER: Partial<Record<SessionState, string>> = {
  idle: "Finished",
  ended: "Finished",
  interrupted: "Stopped midway",
};
