// @vitest-environment happy-dom
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Dialog } from "./dialog";

it("Escape closes a dialog, but not where it gives up an input method's suggestion", async () => {
  const onOpenChange = vi.fn();
  await drawnPage().draw(
    <Dialog title="Note" open onOpenChange={onOpenChange}>
      <textarea aria-label="Note" />
    </Dialog>,
  );
  const press = (isComposing: boolean) => {
    const event = new KeyboardEvent("keydown", {
      key: "Escape",
      bubbles: true,
      cancelable: true,
      isComposing,
    });
    act(() => void document.querySelector("textarea")?.dispatchEvent(event));
  };
  press(true);
  expect(onOpenChange).not.toHaveBeenCalled();
  press(false);
  expect(onOpenChange).toHaveBeenCalledWith(false);
});
