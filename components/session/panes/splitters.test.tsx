// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Splitter } from "./splitters";

it("arrows move an edge, and Alt with one is the browser's Back", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  const root = createRoot(document.body.firstElementChild as HTMLElement);
  const onResize = vi.fn();
  act(() =>
    root.render(<Splitter label="Width" widthPx={400} onResize={onResize} onEnd={() => undefined} />),
  );
  const press = (init: KeyboardEventInit) => {
    const event = new KeyboardEvent("keydown", {
      key: "ArrowLeft",
      bubbles: true,
      cancelable: true,
      ...init,
    });
    act(() => void document.querySelector('[role="separator"]')?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  expect(press({ altKey: true })).toBe(false);
  expect(onResize).not.toHaveBeenCalled();
  expect(press({})).toBe(true);
  expect(onResize).toHaveBeenCalledOnce();
  act(() => root.unmount());
});
