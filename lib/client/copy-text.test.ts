// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { copyAwaited, copyText } from "./copy-text";

/** What was selected on the page, and where, as the browser copied it. */
let selected: string[] = [];
let allowsCopy = true;

beforeEach(() => {
  selected = [];
  allowsCopy = true;
  document.body.innerHTML = "";
  document.execCommand = () => {
    const field = document.querySelector("textarea");
    selected.push(`${field?.value} in ${field?.closest("[role=dialog]") ? "the dialog" : "the page"}`);
    return allowsCopy;
  };
});
afterEach(() => void vi.unstubAllGlobals());

/** A browser whose clipboard does this; `null` for one without, as at a plain-http address of the network. */
function offerClipboard(clipboard: Partial<Clipboard> | null): void {
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard ?? undefined });
}

const refuses = () => Promise.reject(new DOMException("Not now", "NotAllowedError"));

it("puts a text on the clipboard, by a selection where the browser has none or refuses", async () => {
  const written: string[] = [];
  offerClipboard({ writeText: async (text) => void written.push(text) });
  expect([await copyText("one"), written, selected]).toEqual([true, ["one"], []]);
  offerClipboard(null);
  expect(await copyText("two")).toBe(true);
  offerClipboard({ writeText: refuses });
  expect(await copyText("three")).toBe(true);
  expect(selected).toEqual(["two in the page", "three in the page"]);
  // Nothing of it is left on the page.
  expect(document.querySelector("textarea")).toBeNull();
  allowsCopy = false;
  expect(await copyText("four")).toBe(false);
});

it("selects inside the dialog that holds the focus, and does not hide a bug", async () => {
  document.body.innerHTML = '<div role="dialog"><button>Copy</button></div>';
  document.querySelector("button")?.focus();
  offerClipboard(null);
  expect([await copyText("one"), selected]).toEqual([true, ["one in the dialog"]]);
  offerClipboard({ writeText: () => Promise.reject(new TypeError("a bug")) });
  await expect(copyText("two")).rejects.toThrow("a bug");
});

it("promises a browser that takes promises a text that is still being read, and writes it in others", async () => {
  const promised: string[] = [];
  class Item {
    readonly read: Promise<Blob>;
    constructor({ "text/plain": read }: Record<string, Promise<Blob>>) {
      this.read = read as Promise<Blob>;
    }
  }
  vi.stubGlobal("ClipboardItem", Item);
  const written: string[] = [];
  const writeText = async (text: string) => void written.push(text);
  const write = async (items: unknown) =>
    void promised.push((await (await (items as Item[])[0]?.read)?.text()) ?? "");
  offerClipboard({ write, writeText });
  expect(await copyAwaited(Promise.resolve("one"))).toBe(true);
  expect(await copyAwaited(Promise.resolve(null))).toBeNull();
  expect([promised, written]).toEqual([["one"], []]);
  offerClipboard({ write: refuses, writeText });
  expect(await copyAwaited(Promise.resolve("two"))).toBe(true);
  vi.stubGlobal("ClipboardItem", undefined);
  expect(await copyAwaited(Promise.resolve("three"))).toBe(true);
  expect(written).toEqual(["two", "three"]);
});
