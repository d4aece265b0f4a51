import { useEffect, useSyncExternalStore } from "react";
import { basePath } from "@/lib/client/base-path";
import { LiveStream } from "@/lib/client/live-stream";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import type { SessionState } from "@/lib/wire/library";
import type { Doing, LiveEvent, LiveState } from "@/lib/wire/live";
import { hasRules, NO_RULES, type NotifyRules, parseRules, whyTold } from "./notify-rules";

const KEY = "backscroll.notify";
const FIRED_KEY = "backscroll.notified";
/** Of what was told so much is listed. */
const MAX_FIRED = 50;
/** Several tabs hear of one thing. */
const SAME_MS = 20_000;

let cached: { text: string | null; rules: NotifyRules } = { text: null, rules: NO_RULES };

function read(): NotifyRules {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, rules: parseRules(text) };
  return cached.rules;
}

/** What the reader wishes to be told, kept in this browser. */
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
  writeStored(KEY, JSON.stringify({ ...read(), ...change }));
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
  const text = readStored(FIRED_KEY);
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
    (listener) => followStored(FIRED_KEY, listener),
    readFired,
    () => NOTHING,
  );
}

const NOTHING: readonly Fired[] = [];

export function clearFired(): void {
  writeStored(FIRED_KEY, null);
}

/** How a session stands, as far as a notification tells of it. */
export type NotifyState = {
  id: string;
  title: string;
  state: SessionState;
  asks?: Doing["kind"] | undefined;
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
  const titles = new Map<string, string>();
  let before: ReadonlyMap<string, NotifyState> | null = null;
  const look = (standings: readonly NotifyState[]) => {
    const now = withKnownStates(before, standings);
    for (const { id, title, body, rule } of before ? newsOf(before, now) : [])
      if (read()[rule]) tell({ key: rule, sessionId: id, title, why: body });
    before = now;
  };
  const standingOf = ({ sessionId: id, state, doing }: LiveState): NotifyState => ({
    ...{ id, state, asks: doing?.kind },
    title: titles.get(id) || "A session",
  });
  const onEvent = (event: LiveEvent) => {
    if (event.kind === "hello") {
      for (const [id, title] of Object.entries(event.titles)) titles.set(id, title);
      look(event.states.map(standingOf));
    } else if (event.kind === "state") {
      const { sessionId } = event.state;
      titles.set(sessionId, event.title);
      const others = [...(before?.values() ?? [])].filter(({ id }) => id !== sessionId);
      look([...others, standingOf(event.state)]);
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
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const atMs = Date.now();
  const list = readFired();
  const isTold = list.some(
    (one) => one.key === news.key && one.sessionId === news.sessionId && atMs - one.atMs < SAME_MS,
  );
  // Told by several tabs it is still one.
  const notification = new Notification(news.title, {
    body: news.why,
    tag: `${news.sessionId} ${news.key}`,
  });
  notification.onclick = () => window.focus();
  if (isTold) return;
  writeStored(FIRED_KEY, JSON.stringify([{ ...news, atMs }, ...list].slice(0, MAX_FIRED)));
  if (read().sound) playSound();
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

/** What has happened between two looks at all sessions that are running or waiting: one that is missing has ended. */
export function newsOf(
  before: ReadonlyMap<string, NotifyState>,
  now: ReadonlyMap<string, NotifyState>,
): { id: string; title: string; body: string; rule: "waits" | "ends" }[] {
  const news: ReturnType<typeof newsOf> = [];
  for (const [id, { title, state, asks }] of now) {
    const was = before.get(id)?.state ?? null;
    if (state === "waiting" && was !== "waiting")
      news.push({ id, title, body: ASKS[asks ?? "tool"] ?? "Waiting for you", rule: "waits" });
    if (was === "running" && OVER[state]) news.push({ id, title, body: OVER[state], rule: "ends" });
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
