import { useLayoutEffect, useRef } from "react";

/** A command that keys start. `keys`: as `KeyboardEvent.key` says, with `mod+` for ⌘ or Ctrl: `j`, `J`, `mod+k`. */
export type KeyCommand = {
  keys: readonly string[];
  /** What it does, for the list of keys: "row down". */
  label: string;
  group: "Move" | "Open" | "Find" | "Views and copies";
  /** Also while a text field has the focus (`mod+` commands only make sense there). */
  inFields?: boolean;
  run: (event: KeyboardEvent) => void;
};

type Scope = { name: string; commands: () => readonly KeyCommand[] };

/** Later scopes win over earlier ones: a pane over the thread, the thread over the page. */
const scopes: Scope[] = [];
/** Scopes whose keys rest, by name, and how many ask for it. */
const resting = new Map<string, number>();
let holds = 0;
let singleKeys = true;

/** Adds commands until the returned function is called. They are asked for at each press, so may change. */
export function addScope(name: string, commands: () => readonly KeyCommand[]): () => void {
  const scope = { name, commands };
  scopes.push(scope);
  if (scopes.length === 1) window.addEventListener("keydown", onKeyDown);
  return () => {
    scopes.splice(scopes.indexOf(scope), 1);
    if (scopes.length === 0) window.removeEventListener("keydown", onKeyDown);
  };
}

/** Keys rest, for a dialog, until the returned function is called. */
export function holdKeys(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

/** The keys of these scopes rest, as long as what they act on is covered, until the returned function is called. */
export function restScopes(names: readonly string[]): () => void {
  for (const name of names) resting.set(name, (resting.get(name) ?? 0) + 1);
  return () => {
    for (const name of names) resting.set(name, (resting.get(name) ?? 1) - 1);
  };
}

/** Whether a key does anything as the reader has set it: `mod+` keys, arrows, Enter and `?` always do. */
export function isAllowed(name: string): boolean {
  return singleKeys || name.length !== 1 || name === "?";
}

/** Turns one-letter keys off or on; `mod+` keys, arrows and Enter stay. */
export function allowSingleKeys(allowed: boolean): void {
  singleKeys = allowed;
}

/** What can be pressed now, later scopes first, one command a key, each with the keys that are its own. */
export function listCommands(): KeyCommand[] {
  const taken = new Set<string>();
  return [...scopes]
    .reverse()
    .filter(({ name }) => !resting.get(name))
    .flatMap((scope) =>
      scope.commands().flatMap((command) => {
        const keys = command.keys.filter((key) => !taken.has(key));
        for (const key of keys) taken.add(key);
        return keys.length > 0 ? [{ ...command, keys }] : [];
      }),
    );
}

/** The name of a pressed key: `j`, `J`, `mod+k`, `Enter`. */
function keyName(event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey">): string {
  return event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey || holds > 0) return;
  const name = keyName(event);
  if (!isAllowed(name)) return;
  const typing = isTyping(event.target);
  const command = listCommands().find((one) => one.keys.includes(name) && (!typing || one.inFields));
  if (!command || isNative(event, name)) return;
  event.preventDefault();
  command.run(event);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Enter and space belong to the focused button, link or menu. */
function isNative(event: KeyboardEvent, name: string): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="menu"]')) return true;
  return (name === "Enter" || name === " ") && target.closest("a, button, summary") !== null;
}

/** Registers a component's commands while it is mounted. The newest `commands` are used at each press. */
export function useKeys(scope: string, commands: readonly KeyCommand[]): void {
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  useLayoutEffect(() => addScope(scope, () => newest.current), [scope]);
}

/** Keeps the keys of these scopes from acting on what is covered. `names` never change. */
export function useSuspendedKeys(covered: boolean, names: readonly string[]): void {
  useLayoutEffect(() => (covered ? restScopes(names) : undefined), [covered, names]);
}
