// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Dialog } from "./dialog";

it("Escape closes a dialog, but not where it gives up an input method's suggestion", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  const root = createRoot(document.body.firstElementChild as HTMLElement);
  const onOpenChange = vi.fn();
  const element = (
    <Dialog title="Note" open onOpenChange={onOpenChange}>
      <textarea aria-label="Note" />
    </Dialog>
  );
  await act(async () => root.render(element));
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
  act(() => root.unmount());
});
