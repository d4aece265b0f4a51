// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { addScope } from "@/lib/client/key-registry";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { drawnPage } from "@/lib/testing/drawn-page";
import { PageDialogs } from "./page-dialogs";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

const SOON = { timeout: 60_000 };
const press = (key: string, more: KeyboardEventInit = {}) =>
  act(() => void window.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...more })));
const open = (dialog: Parameters<typeof openPageDialog>[0]) => act(async () => openPageDialog(dialog));
const dialog = () => document.querySelector('[role="dialog"]');
const sought = () => dialog()?.querySelector<HTMLInputElement>('[role="combobox"]')?.value;

it("what is typed before the code of dialogs is there stands in the palette, once, and runs no command of the page", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const run = vi.fn();
  const end = addScope(() => [{ keys: ["f", "o"], label: "do", group: "Move", run }]);
  await drawnPage().draw(<PageDialogs />);
  // One step, in which no import ends.
  act(() => openPageDialog("go-to"));
  for (const key of ["f", "o", "Shift", " "]) press(key);
  press("a", { ctrlKey: true });
  expect(dialog()).toBeNull();
  await act(() => vi.waitFor(() => expect(sought()).toBe("fo "), SOON));
  expect(run).not.toHaveBeenCalled();
  // Another dialog takes the palette's place, and gives it back.
  await open("keys");
  expect(dialog()?.textContent).toContain("Shortcuts are off while you type");
  await open("go-to");
  await act(() => vi.waitFor(() => expect(sought()).toBe(""), SOON));
  await open(null);
  await act(async () => end());
});
