// @vitest-environment page
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  addScope,
  allowSingleKeys,
  holdKeys,
  isAllowed,
  type KeyCommand,
  listCommands,
} from "./key-registry";

const pressed: string[] = [];
const command = (name: string, keys: string[], more: Partial<KeyCommand> = {}): KeyCommand => ({
  keys,
  label: name,
  group: "Move",
  run: () => pressed.push(name),
  ...more,
});

function press(key: string, target: Element = document.body, more: KeyboardEventInit = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  // happy-dom takes every Alt for AltGr.
  event.getModifierState = (name) => name === "AltGraph" && more.modifierAltGraph === true;
  target.dispatchEvent(event);
}

beforeEach(() => {
  pressed.length = 0;
  document.body.innerHTML = "<input><button>b</button>";
});

test("the later scope wins, and the earlier comes back when it goes", () => {
  const removePage = addScope(() => [command("page j", ["j"]), command("page k", ["k"])]);
  const removePane = addScope(() => [command("pane j", ["j"])]);
  press("j");
  press("k");
  expect(listCommands().map(({ label }) => label)).toEqual(["pane j", "page k"]);
  removePane();
  press("j");
  expect(pressed).toEqual(["pane j", "page k", "page j"]);
  removePage();
  press("j");
  expect(pressed).toHaveLength(3);
});

test("with Shift, arrows start what has them so, else what has the arrow alone and may look at Shift", () => {
  const remove = addScope(() => [
    command("select more", ["shift+ArrowDown"]),
    command("down", ["ArrowDown"]),
    command("right", ["ArrowRight"]),
  ]);
  for (const shiftKey of [false, true])
    for (const key of ["ArrowDown", "ArrowRight"]) press(key, document.body, { shiftKey });
  expect(pressed).toEqual(["down", "right", "select more", "right"]);
  remove();
});

test("with Shift, a letter with Ctrl is the browser's own: Ctrl Shift K and Ctrl Shift C open its tools", () => {
  const remove = addScope(() => [command("go to", ["mod+k"]), command("new tab", ["mod+enter"])]);
  press("K", document.body, { ctrlKey: true, shiftKey: true });
  expect(pressed).toEqual([]);
  // Caps Lock makes capitals too.
  press("K", document.body, { ctrlKey: true });
  press("Enter", document.body, { ctrlKey: true, shiftKey: true });
  expect(pressed).toEqual(["go to", "new tab"]);
  remove();
});

test("keys rest in fields, except those that say otherwise, and under a dialog", () => {
  const input = document.querySelector("input");
  const remove = addScope(() => [command("j", ["j"]), command("find", ["mod+k"], { inFields: true })]);
  if (input) {
    press("j", input);
    press("k", input, { ctrlKey: true });
  }
  const release = holdKeys();
  press("j");
  release();
  expect(pressed).toEqual(["find"]);
  remove();
});

test("a checkbox is nothing to type into: it has Space, and other keys are as everywhere", () => {
  document.body.innerHTML = "<input type=checkbox>";
  const box = document.body.firstElementChild as Element;
  const remove = addScope(() => [command("j", ["j"]), command("page down", [" "])]);
  press("j", box);
  press(" ", box);
  expect(pressed).toEqual(["j"]);
  remove();
});

test("Enter belongs to the button that has the focus", () => {
  const remove = addScope(() => [command("open", ["Enter"])]);
  const button = document.querySelector("button");
  if (button) press("Enter", button);
  press("Enter");
  expect(pressed).toEqual(["open"]);
  remove();
});

test("one-letter keys can be turned off; the list of keys and arrows stay", () => {
  const remove = addScope(() => [
    command("j", ["j"]),
    command("keys", ["?"]),
    command("down", ["ArrowDown"]),
  ]);
  allowSingleKeys(false);
  for (const key of ["j", "?", "ArrowDown"]) press(key);
  allowSingleKeys(true);
  expect(pressed).toEqual(["keys", "down"]);
  remove();
});

test("every key that is listed works, and none of a command that can't be run now", () => {
  let covered = false;
  const when = () => !covered;
  const remove = addScope(() => [
    command("row", ["j", "ArrowDown"], { when }),
    command("fold", ["f"], { when }),
  ]);
  const removeGraph = addScope(() => [command("line", ["j"])]);
  const listed = () => listCommands().map(({ label, keys }) => `${label}: ${keys.join(" ")}`);
  expect(listed()).toEqual(["line: j", "row: ArrowDown", "fold: f"]);
  covered = true;
  expect(listed()).toEqual(["line: j"]);
  for (const key of ["j", "ArrowDown", "f"]) press(key);
  covered = false;
  press("f");
  expect(pressed).toEqual(["line", "fold"]);
  allowSingleKeys(false);
  expect(["j", "?", "ArrowDown", "mod+k"].filter(isAllowed)).toEqual(["?", "ArrowDown", "mod+k"]);
  allowSingleKeys(true);
  removeGraph();
  remove();
});

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";

/** Until the test ends. */
function onMachine(userAgent: string): void {
  Object.defineProperty(navigator, "userAgent", { value: userAgent, configurable: true });
  // What it says by itself stands in its prototype.
  onTestFinished(() => void Reflect.deleteProperty(navigator, "userAgent"));
}

test("brackets and braces are keys however a keyboard writes them: with AltGr, on Apple's with Option", () => {
  const remove = addScope(() => [command("error", ["["]), command("edit", ["{"]), command("down", ["j"])]);
  onMachine(WINDOWS);
  press("[", document.body, { ctrlKey: true, altKey: true, modifierAltGraph: true });
  press("{", document.body, { altKey: true });
  onMachine(MAC);
  press("{", document.body, { altKey: true });
  // What Option makes of a letter is none of ours, and with ⌘ it is the browser's.
  press("j", document.body, { altKey: true });
  press("[", document.body, { altKey: true, metaKey: true });
  expect(pressed).toEqual(["error", "edit"]);
  remove();
});

test("in a field of a Mac Ctrl edits, as everywhere there, and ⌘ is ours", () => {
  const input = document.querySelector("input") as Element;
  const remove = addScope(() => [command("find", ["mod+k"], { inFields: true })]);
  onMachine(MAC);
  press("k", input, { ctrlKey: true });
  expect(pressed).toEqual([]);
  press("k", input, { metaKey: true });
  onMachine(WINDOWS);
  press("k", input, { ctrlKey: true });
  expect(pressed).toEqual(["find", "find"]);
  remove();
});
