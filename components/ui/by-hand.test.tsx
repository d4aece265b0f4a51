// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { followPointer } from "./by-hand";

it("what is pressed follows the pointer, past its edges too, until it is let go", async () => {
  const held = vi.spyOn(HTMLElement.prototype, "setPointerCapture").mockImplementation(() => undefined);
  const places: number[] = [];
  await drawnPage().draw(
    <div data-strip="" {...followPointer<HTMLDivElement>(({ clientX }) => places.push(clientX))} />,
  );
  const strip = document.querySelector("[data-strip]");
  const send = (kind: string, clientX: number, buttons: number) =>
    act(
      async () =>
        void strip?.dispatchEvent(new PointerEvent(kind, { bubbles: true, clientX, buttons, pointerId: 1 })),
    );
  await send("pointermove", 1, 0);
  await send("pointerdown", 2, 2);
  await send("pointerdown", 3, 1);
  await send("pointermove", 4, 1);
  await send("pointermove", 5, 0);
  expect(places).toEqual([3, 4]);
  expect(held).toHaveBeenCalledWith(1);
});
