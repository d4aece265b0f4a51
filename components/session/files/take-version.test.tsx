// @vitest-environment page
import { act } from "react";
import { expect, test, vi } from "vitest";
import { SessionContext } from "@/components/session/session-store";
import { Toaster } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { FileAt } from "@/lib/wire/files";
import { TakeVersion } from "./take-version";

const WHOLE = { path: "/p/src/cart.ts", content: "one\ntwo\n", exists: true, gaps: [] };

class ItemOfClipboard {
  constructor(readonly data: { "text/plain": Promise<Blob> }) {}
}

/** What is saved, copied and asked of a file of two versions, of which the first one is shown. */
async function setUp(file: object) {
  const asked = vi.spyOn(api, "file").mockResolvedValue(file as FileAt);
  const saved: [string, Blob][] = [];
  let blob = new Blob();
  vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    blob = made as Blob;
    return "blob:a";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push([this.download, blob]);
  });
  const copied = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
  const page = drawnPage();
  const walked = { walk: { at: () => 0 }, versions: [{ id: "m~1.0" }, { id: "m~2.0" }], settled: 0 };
  await page.draw(
    <SessionContext value={{ sessionId: "s" } as never}>
      <TakeVersion path="/p/src/cart.ts" walked={walked as never} />
      <Toaster />
    </SessionContext>,
  );
  const press = async (label: string) => {
    await act(async () => document.querySelector<HTMLElement>(`[aria-label="${label}"]`)?.click());
    await page.settle();
  };
  return { asked, saved, copied, press, said: () => document.querySelector("[role=status]")?.textContent };
}

test("the version that is shown is saved under the file's name, and copied", async () => {
  const { asked, saved, copied, press } = await setUp(WHOLE);
  await press("Save this version");
  expect(asked.mock.calls[0]?.slice(0, 2)).toEqual(["s", { path: "/p/src/cart.ts", at: "m~1.0" }]);
  expect([saved[0]?.[0], await saved[0]?.[1].text()]).toEqual(["cart.ts", "one\ntwo\n"]);
  await press("Copy this version");
  expect(copied.mock.calls).toEqual([["one\ntwo\n"]]);
});

test("a version that is still being read is promised to the browser within the click, as Safari wants it", async () => {
  const { asked, copied, said } = await setUp(WHOLE);
  let answer: () => void = () => undefined;
  asked.mockReturnValue(new Promise((resolve) => (answer = () => resolve(WHOLE as object as FileAt))));
  vi.stubGlobal("ClipboardItem", ItemOfClipboard);
  let isPressed = true;
  const tooLate = new DOMException("Too late", "NotAllowedError");
  const taken: string[] = [];
  const write = async (items: ItemOfClipboard[]) => {
    if (!isPressed) throw tooLate;
    for (const { data } of items) taken.push(await (await data["text/plain"]).text());
  };
  Object.assign(navigator.clipboard, { write });
  copied.mockRejectedValue(tooLate);
  act(() => document.querySelector<HTMLElement>('[aria-label="Copy this version"]')?.click());
  isPressed = false;
  await act(async () => answer());
  await until(() => expect(taken).toEqual(["one\ntwo\n"]));
  expect(said()).not.toContain("does not allow");
});

test("a version with a hole is saved as incomplete, and the reader is told what is missing", async () => {
  const { saved, press, said } = await setUp({ ...WHOLE, gaps: [{ fromLine: 3, toLine: 5 }] });
  await press("Save this version");
  expect(saved.map(([name]) => name)).toEqual(["cart.incomplete.ts"]);
  expect(said()).toContain("Saved without what no log holds: 3 lines");
});

test("of a file that was gone nothing is saved", async () => {
  const { saved, press, said } = await setUp({ ...WHOLE, content: null, exists: false });
  await press("Save this version");
  expect(saved).toEqual([]);
  expect(said()).toContain("The file was not there any more");
});
