import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { isApple, isComposed, isForInputMethod } from "./key-events";
import { Listeners } from "./listeners";

/** What keys are for, in the order in which they are listed. */
export const KEY_GROUPS = [
  "Move",
  "Find",
  "Open and read",
  "Mark and organise",
  "Views and panes",
  "Copy and share",
  "Settings and help",
] as const;

/**
 * A command that keys start. `keys`: as `KeyboardEvent.key` says, with `mod+` for ⌘ or Ctrl: `j`, `J`, `mod+k`; none for
 * one that only the palette has.
 */
export type KeyCommand = {
  keys: readonly string[];
  /** What it does, for the list of keys: "row down". */
  label: string;
  group: (typeof KEY_GROUPS)[number];
  /** Also while a text field has the focus (`mod+` commands only make sense there). */
  inFields?: boolean;
  /** Whether it can be run now; without it, always. What can't is neither listed nor does its key do anything. */
  when?: (() => boolean) | undefined;
  run: (event: KeyboardEvent) => void;
};

type Scope = () => readonly KeyCommand[];

/** Later scopes win over earlier ones: a pane over the thread, the thread over the page. */
const scopes: Scope[] = [];
/** Told when scopes come or go, or one-letter keys are turned off or on. */
const followers = new Listeners();
let changes = 0;
let holds = 0;
let singleKeys = true;
/** Presses that no command took, while the commands of a part of the page are on their way; `null` while none are. */
let kept: KeyboardEvent[] | null = null;

/** Adds commands until the returned function is called. They are asked for at each press, so may change. */
export function addScope(scope: Scope): () => void {
  scopes.push(scope);
  tellFollowers();
  if (scopes.length === 1) window.addEventListener("keydown", onKeyDown);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    tellFollowers();
    if (scopes.length === 0) window.removeEventListener("keydown", onKeyDown);
  };
}

function tellFollowers(): void {
  changes += 1;
  followers.tell();
}

/**
 * A number that is another when features have come or gone, or one-letter keys are turned off or on, for who lists
 * commands: after a reload a dialog may be there before the page below it.
 */
export function useCommandChanges(): number {
  return useSyncExternalStore(
    followers.add,
    () => changes,
    () => 0,
  );
}

/** No key does anything, for a dialog, until the returned function is called. */
export function holdKeys(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

/** Whether a key does anything as the reader has set it: `mod+` keys, arrows, Enter and `?` always do. */
export function isAllowed(name: string): boolean {
  return singleKeys || name.length !== 1 || name === "?";
}

/** Turns one-letter keys off or on; `mod+` keys, arrows and Enter stay. */
export function allowSingleKeys(allowed: boolean): void {
  if (singleKeys === allowed) return;
  singleKeys = allowed;
  tellFollowers();
}

/** What can be run now, later scopes first, one command a key, each with the keys that are its own. */
export function listCommands(): KeyCommand[] {
  const taken = new Set<string>();
  return [...scopes].reverse().flatMap((scope) =>
    scope().flatMap((command) => {
      if (command.when?.() === false) return [];
      const keys = command.keys.filter((key) => !taken.has(key));
      for (const key of keys) taken.add(key);
      return keys.length > 0 || command.keys.length === 0 ? [{ ...command, keys }] : [];
    }),
  );
}

/** The name of a pressed key: `j`, `J`, `mod+k`, `Enter`, `shift+ArrowDown`. */
function keyName(
  event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "shiftKey">,
  composed: boolean,
): string {
  if (composed) return event.key;
  if (event.shiftKey && event.key.startsWith("Arrow")) return `shift+${event.key}`;
  if (!event.metaKey && !event.ctrlKey) return event.key;
  // On a Mac Ctrl is for editing: Ctrl K cuts the rest of a line.
  const isMod = event.metaKey || !isApple();
  // With Shift a letter is another shortcut, and mostly the browser's own: Ctrl Shift C opens its tools.
  const shift = event.shiftKey && /^\p{L}$/u.test(event.key) ? "shift+" : "";
  return `${isMod ? "mod" : "ctrl"}+${shift}${event.key.toLowerCase()}`;
}

function onKeyDown(event: KeyboardEvent): void {
  const composed = isComposed(event);
  if (event.defaultPrevented || isForInputMethod(event) || (event.altKey && !composed) || holds > 0) return;
  const name = keyName(event, composed);
  if (!isAllowed(name)) return;
  const command = commandOf(event, name);
  if (isNative(event, name)) return;
  if (!command) {
    if (!isTyping(event.target)) kept?.push(event);
    return;
  }
  event.preventDefault();
  command.run(event);
}

function commandOf(event: KeyboardEvent, name: string): KeyCommand | undefined {
  const typing = isTyping(event.target);
  const commands = listCommands().filter((one) => !typing || one.inFields);
  const called = (key: string) => commands.find(({ keys }) => keys.includes(key));
  // Some commands go further with Shift held.
  return called(name) ?? (name.startsWith("shift+") ? called(event.key) : undefined);
}

/** Runs what was pressed one after another: each press finds the page as the one before has left it. */
function runKept(presses: readonly KeyboardEvent[]): void {
  for (const event of presses) {
    const command = holds > 0 ? undefined : commandOf(event, keyName(event, isComposed(event)));
    if (command) flushSync(() => command.run(event));
  }
}

/**
 * Keeps the presses that no command takes while a part of the page is on its way, and runs them once its own commands are
 * there. They are forgotten where another part is awaited instead, or none.
 * @param part its name; `null` where none is wanted
 */
export function useKeptKeys(part: string | null, isThere: boolean): void {
  const last = useRef<{ part: string; presses: readonly KeyboardEvent[] } | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = null;
    // In a step of its own: what a press changes is drawn before the next one.
    if (isThere && before && before.part === part) queueMicrotask(() => runKept(before.presses));
  }, [part, isThere]);
  useLayoutEffect(() => {
    if (part === null || isThere) return;
    const presses: KeyboardEvent[] = [];
    kept = presses;
    return () => {
      if (kept === presses) kept = null;
      last.current = { part, presses };
    };
  }, [part, isThere]);
}

const CHECKBOX = "input[type=checkbox]";
const FIELD = `input:not(${CHECKBOX}), textarea, select, [contenteditable]`;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELD) !== null;
}

/** Enter and space belong to the focused button, checkbox, link or menu. */
function isNative(event: KeyboardEvent, name: string): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="menu"]')) return true;
  return (name === "Enter" || name === " ") && target.closest(`a, button, summary, ${CHECKBOX}`) !== null;
}

/**
 * Registers a feature's commands while it is mounted: keys, the palette and the list of keys are made of them. The
 * newest `commands` are used at each press.
 */
export function useKeys(commands: readonly KeyCommand[]): void {
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  useLayoutEffect(() => addScope(() => newest.current), []);
}
