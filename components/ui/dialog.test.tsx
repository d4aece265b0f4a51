// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { openPageDialog, usePageDialog } from "@/lib/client/address/page-dialogs";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Dialog } from "./dialog";
import { Toaster } from "./toast";

it("Escape closes a dialog, but not where it gives up an input method's suggestion", async () => {
  const onOpenChange = vi.fn();
  await drawnPage().draw(
    <Dialog title="Note" open onOpenChange={onOpenChange}>
      <textarea aria-label="Note" />
    </Dialog>,
  );
  const press = (init: KeyboardEventInit) => {
    const event = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true, ...init });
    act(() => void document.querySelector("textarea")?.dispatchEvent(event));
  };
  press({ isComposing: true });
  // Safari's comes when nothing is composed any more.
  press({ keyCode: 229 });
  expect(onOpenChange).not.toHaveBeenCalled();
  press({});
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

it("what had the focus has it again when a dialog closes, a menu's button where the menu opened it", async () => {
  const page = drawnPage();
  const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  function Opener() {
    const shown = usePageDialog();
    return (
      <>
        <button type="button">Row</button>
        <button type="button" id="more">
          More
        </button>
        {shown === null && (
          <div role="menu" aria-labelledby="more" tabIndex={-1}>
            <div role="menuitem" tabIndex={-1}>
              Settings
            </div>
          </div>
        )}
        <Dialog title="Settings" open={shown === "settings"} onOpenChange={() => openPageDialog(null)}>
          <input aria-label="Field" autoFocus />
        </Dialog>
      </>
    );
  }
  await page.draw(<Opener />);
  for (const [from, to] of [
    ["button", "Row"],
    ["[role=menuitem]", "More"],
  ] as const) {
    document.querySelector<HTMLElement>(from)?.focus();
    act(() => openPageDialog("settings"));
    await settle();
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Field");
    act(() => openPageDialog(null));
    await settle();
    expect(document.activeElement?.textContent).toBe(to);
  }
});

it("what a toast says is heard while a dialog is open", async () => {
  await drawnPage().draw(
    <>
      <Toaster />
      <Dialog title="Export" open onOpenChange={() => undefined}>
        Files
      </Dialog>
    </>,
  );
  expect(document.querySelector("[role=status]")?.closest("[aria-hidden=true]")).toBeNull();
});
