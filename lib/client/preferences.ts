import { useSyncExternalStore } from "react";
import { fieldsOf, parseJson } from "@/lib/format/json-values";
import { MAX_GUEST_NAME } from "@/lib/wire/presence";
import type { Detail } from "@/lib/wire/rows";
import { editorProblem } from "./editor-link";
import { followStored, readStored, writeStored } from "./storage";
import { PREFERENCES_KEY } from "./theme-script";

export type Preferences = {
  theme: "system" | "light" | "dark";
  /** Size of body text; rows grow with it. */
  textPx: 12 | 13 | 14 | 16;
  rows: "dense" | "roomy";
  /** What a session shows when its link does not say. */
  detail: Detail;
  /** Whether neighbouring calls of one tool are one row. */
  foldRuns: boolean;
  time: "clock" | "ago";
  /** Whether each row of a thread says when it was written. */
  rowTimes: boolean;
  /** Long lines of code and output: cut at the edge, or wrapped. */
  wrap: boolean;
  /** How diffs lie; `auto` puts them side by side on a wide page. */
  diff: "auto" | "unified" | "split";
  /** Whether a diff leaves out what differs in spaces alone. */
  ignoreSpace: boolean;
  /** Whether a running session opens at its end, where its rows come in. */
  follow: boolean;
  /** How running sessions are shown: each with its last rows, or a line each. */
  now: "tiles" | "list";
  /** Whether one-letter keys do anything. */
  singleKeys: boolean;
  /** The link that opens a file in the reader's editor, with `{path}` and `{line}`; empty for none. */
  editor: string;
  /** What a reader of shared sessions calls themselves there; empty for nothing. */
  guestName: string;
};

export const DEFAULT_PREFERENCES: Preferences = {
  theme: "system",
  textPx: 13,
  rows: "dense",
  detail: "tools",
  foldRuns: true,
  time: "clock",
  rowTimes: false,
  wrap: false,
  diff: "auto",
  ignoreSpace: false,
  follow: false,
  now: "tiles",
  singleKeys: true,
  editor: "",
  guestName: "",
};

/** Preferences that are one of a few values. */
export type ChoiceName = Exclude<keyof Preferences, "editor" | "guestName">;

const ALLOWED: { readonly [Name in ChoiceName]: readonly Preferences[Name][] } = {
  theme: ["system", "light", "dark"],
  textPx: [12, 13, 14, 16],
  rows: ["dense", "roomy"],
  detail: ["prompts", "conversation", "tools", "everything"],
  foldRuns: [true, false],
  time: ["clock", "ago"],
  rowTimes: [false, true],
  wrap: [false, true],
  diff: ["auto", "unified", "split"],
  ignoreSpace: [false, true],
  follow: [false, true],
  now: ["tiles", "list"],
  singleKeys: [true, false],
};

/** Preferences from their stored text. What is missing, unknown or not allowed becomes as in `usual`. */
export function parsePreferences(text: string | null, usual: Preferences = DEFAULT_PREFERENCES): Preferences {
  const stored = fieldsOf(parseJson(text));
  const preferences = { ...usual };
  for (const name of Object.keys(ALLOWED) as ChoiceName[]) take(preferences, name, stored[name]);
  const { editor, guestName } = stored;
  if (typeof editor === "string" && editorProblem(editor) === null) preferences.editor = editor;
  if (typeof guestName === "string") preferences.guestName = guestName.slice(0, MAX_GUEST_NAME);
  return preferences;
}

function take<Name extends ChoiceName>(into: Preferences, name: Name, value: unknown): void {
  const allowed = ALLOWED[name].find((one) => one === value);
  if (allowed !== undefined) into[name] = allowed;
}

let parsed: { text: string | null | undefined; preferences: Preferences } = {
  text: undefined,
  preferences: DEFAULT_PREFERENCES,
};

function readPreferences(): Preferences {
  const text = readStored(PREFERENCES_KEY);
  if (text !== parsed.text) parsed = { text, preferences: parsePreferences(text, usualPreferences()) };
  return parsed.preferences;
}

/** What holds where nothing was chosen: the defaults, and the text size that goes with the browser's own (`THEME_SCRIPT`). */
export function usualPreferences(): Preferences {
  const { browserText } = document.documentElement.dataset;
  const textPx = ALLOWED.textPx.find((one) => String(one) === browserText);
  return textPx === undefined ? DEFAULT_PREFERENCES : { ...DEFAULT_PREFERENCES, textPx };
}

/** Changes some preferences, keeps what was chosen, and applies all to the page and to other tabs. */
export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...readPreferences(), ...change };
  applyPreferences(next);
  const stored = fieldsOf(parseJson(readStored(PREFERENCES_KEY)));
  // What was not chosen goes on following the browser.
  const chosen = Object.entries(next).filter(([name]) => name in change || name in stored);
  writeStored(PREFERENCES_KEY, JSON.stringify(Object.fromEntries(chosen)));
}

/** Has everything be as if nothing had been chosen. */
export function resetPreferences(): void {
  applyPreferences(usualPreferences());
  writeStored(PREFERENCES_KEY, null);
}

function applyPreferences({ theme, textPx, rows }: Preferences): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  dataset.text = String(textPx);
  dataset.rows = rows;
}

function subscribe(listener: () => void): () => void {
  return followStored(PREFERENCES_KEY, () => {
    applyPreferences(readPreferences());
    listener();
  });
}

/** This browser's preferences; the defaults while the server renders. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences, () => DEFAULT_PREFERENCES);
}

/** What `--u` and `--roomy` in globals.css are, for code that has to know heights before they are drawn. */
export function measuresOf(preferences: Pick<Preferences, "textPx" | "rows">): {
  unit: number;
  roomyPx: number;
} {
  const unit = { 12: 0.923, 13: 1, 14: 1.077, 16: 1.231 }[preferences.textPx];
  return { unit, roomyPx: preferences.rows === "roomy" ? 6 : 0 };
}
