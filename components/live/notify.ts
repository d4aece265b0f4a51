import { useEffect, useRef, useSyncExternalStore } from "react";
import { followStored, readStored, writeStored } from "@/lib/client/storage";
import type { SessionState } from "@/lib/wire/library";
import type { Doing, LiveCall } from "@/lib/wire/live";
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

/** Titles of sessions that this page knows, for what comes without one. */
const titles = new Map<string, string>();

/** Tells of calls of a running session that a rule asks for. */
export function tellOfCalls(sessionId: string, calls: readonly LiveCall[]): void {
  const rules = read();
  for (const call of calls) {
    const told = whyTold(call, rules);
    if (told)
      tell({
        ...{ key: `${told.rule} ${call.recordId}`, sessionId, why: told.why },
        title: titles.get(sessionId) ?? "A session",
      });
  }
}

/** How a session stands, as far as a notification tells of it. */
export type NotifyState = {
  id: string;
  title: string;
  state: SessionState;
  asks?: Doing["kind"] | undefined;
};

/**
 * Tells of sessions that have begun to wait, or have ended, since the look before; also in a hidden tab, which
 * looks every 15 s. `isBoard`: what is missing now has ended.
 */
export function useNotifications(standings: readonly NotifyState[] | undefined, isBoard = false): void {
  const rules = useNotifyRules();
  const before = useRef<Map<string, NotifyState> | null>(null);
  useEffect(() => {
    if (!standings) return;
    const now = withKnownStates(before.current, standings);
    for (const { id, title } of standings) titles.set(id, title);
    for (const { id, title, body, rule } of before.current ? newsOf(before.current, now, isBoard) : [])
      if (rules[rule]) tell({ key: rule, sessionId: id, title, why: body });
    before.current = now;
  }, [standings, rules, isBoard]);
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

/** What has happened between two looks at sessions. */
export function newsOf(
  before: ReadonlyMap<string, NotifyState>,
  now: ReadonlyMap<string, NotifyState>,
  isBoard: boolean,
): { id: string; title: string; body: string; rule: "waits" | "ends" }[] {
  const news: ReturnType<typeof newsOf> = [];
  for (const [id, { title, state, asks }] of now) {
    const was = before.get(id)?.state ?? null;
    if (state === "waiting" && was !== "waiting" && (isBoard || was !== null))
      news.push({ id, title, body: ASKS[asks ?? "tool"] ?? "Waiting for you", rule: "waits" });
    if (was === "running" && OVER[state]) news.push({ id, title, body: OVER[state], rule: "ends" });
  }
  for (const [id, { title, state }] of before) {
    if (isBoard && state === "running" && !now.has(id))
      news.push({ id, title, body: OVER.idle ?? "", rule: "ends" });
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
