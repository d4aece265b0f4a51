import { useEffect, useSyncExternalStore } from "react";
import { basePath } from "@/lib/client/base-path";
import { LiveStream } from "@/lib/client/connection/live-stream";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import type { SessionState } from "@/lib/wire/library";
import type { Doing, LiveEvent, LiveState } from "@/lib/wire/live";
import { hasRules, NO_RULES, type NotifyRules, parseRules, whyTold } from "./notify-rules";

const KEY = "backscroll.notify";
/** Another Backscroll below another path of the same host has told of sessions that are not here. */
const firedKey = () => `backscroll.notified${basePath()}`;
/** Of what was told so much is listed. */
const MAX_FIRED = 50;
/** One thing may be heard of twice, as by two tabs of which one takes over. */
const SAME_MS = 20_000;

let cached = { text: null as string | null, isAllowed: false, rules: NO_RULES };

function read(): NotifyRules {
  const text = readStored(KEY);
  const isAllowed = "Notification" in window && Notification.permission === "granted";
  if (text !== cached.text || isAllowed !== cached.isAllowed) {
    const rules = parseRules(text);
    cached = { text, isAllowed, rules: isAllowed ? rules : { ...NO_RULES, sound: rules.sound } };
  }
  return cached.rules;
}

/**
 * What the reader wishes to be told, kept in this browser. Nothing while that does not allow notifications: it takes its
 * leave back by itself where a page was not visited for long.
 */
export function useNotifyRules(): NotifyRules {
  return useSyncExternalStore(
    (listener) => followStored(KEY, listener),
    read,
    () => NO_RULES,
  );
}

/** Sets rules; the browser asks for its permission with the first that is on. False where it was refused. */
export async function setNotifyRules(change: Partial<NotifyRules>): Promise<boolean> {
  if (hasRules({ ...NO_RULES, ...change }) && !(await isPermitted())) return false;
  writeStored(KEY, JSON.stringify({ ...parseRules(readStored(KEY)), ...change }));
  return true;
}

async function isPermitted(): Promise<boolean> {
  if (!("Notification" in window)) return false;
  return Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
}

/** Something that the reader was told: of which session, when, and why. */
export type Fired = { key: string; sessionId: string; title: string; why: string; atMs: number };

let fired: { text: string | null; list: readonly Fired[] } = { text: null, list: [] };

function readFired(): readonly Fired[] {
  const text = readStored(firedKey());
  if (text !== fired.text) fired = { text, list: parseFired(text) };
  return fired.list;
}

/** What was told, the newest first. Anything else that is stored is none. */
function parseFired(text: string | null): Fired[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(list) ? list.filter(isFired) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isFired(one: unknown): one is Fired {
  if (typeof one !== "object" || one === null) return false;
  const { key, sessionId, title, why, atMs } = one as Partial<Record<keyof Fired, unknown>>;
  const texts = [key, sessionId, title, why];
  return texts.every((text) => typeof text === "string") && typeof atMs === "number";
}

/** What this browser has told its reader, the newest first. */
export function useFired(): readonly Fired[] {
  return useSyncExternalStore(
    (listener) => followStored(firedKey(), listener),
    readFired,
    () => NOTHING,
  );
}

const NOTHING: readonly Fired[] = [];

export function clearFired(): void {
  writeStored(firedKey(), null);
}

/** How a session stands, as far as a notification tells of it. */
export type NotifyState = {
  id: string;
  title: string;
  state: SessionState;
  asks?: Doing["kind"] | undefined;
  sinceMs?: number | null;
};

/**
 * Tells of running sessions while this browser has rules: of all of them, whatever page is open, in the background too. Of
 * the browser's tabs one does so, on a stream of its own that carries nothing else; when it goes, another one takes over.
 * @param isOwner guests are told of nothing
 */
export function useTelling(isOwner: boolean): void {
  const isOn = hasRules(useNotifyRules()) && isOwner;
  useEffect(() => {
    // Where there are no locks, at an address without TLS, browsers show no notifications either.
    if (!isOn || !("locks" in navigator)) return;
    const end = new AbortController();
    const telling = navigator.locks.request(`backscroll.told${basePath()}`, { signal: end.signal }, () =>
      tellUntil(end.signal),
    );
    telling.catch((error: unknown) => {
      if (!end.signal.aborted) throw error;
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

/** How sessions stand, as far as a stream has told, and what of its events is news to the reader. */
export class KnownStandings {
  readonly #titles = new Map<string, string>();
  #server: string | null = null;
  #standings: ReadonlyMap<string, NotifyState> | null = null;

  /** What the reader is told of. A first hello is no news. */
  take(event: Extract<LiveEvent, { kind: "hello" | "state" }>): News[] {
    if (event.kind === "state") {
      this.#titles.set(event.state.sessionId, event.title);
      return this.#look([...this.#allBut([event.state]), this.#standingOf(event.state)]);
    }
    for (const [id, title] of Object.entries(event.titles)) this.#titles.set(id, title);
    // All that was missed follows, one after the other.
    if (event.resumed && this.#standings) return [];
    // A server that has just begun looks at its sessions in a moment: one that it does not name has not ended.
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

/** Standings by id. A session that may go on in a moment counts as what it was. */
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
    // Told by several tabs it is still one.
    const notification = new Notification(title, { body: why, tag: `${sessionId} ${key}` });
    notification.onclick = () => window.focus();
  } catch (cause) {
    // Chrome on Android asks for leave and then makes none but for a service worker: what is told is listed and heard.
    if (!(cause instanceof TypeError)) throw cause;
  }
}

const TONES = [660, 880];
const TONE_S = 0.12;

/** Two short tones, made here: nothing is loaded for them. A browser that was not clicked in yet plays none. */
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

/** Something that has happened to a session, since when it is so, and the rule by which it is told. */
type News = {
  id: string;
  title: string;
  body: string;
  rule: "waits" | "ends";
  sinceMs?: number | null | undefined;
};

/** What has happened between two looks at all sessions that are running or waiting: one that is missing has ended. */
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
