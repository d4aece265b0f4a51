// @vitest-environment page
import { useRef } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useSteadyPoint } from "./steady-point";

/** Where things stand in the box, in pixels from its beginning. */
let tops: Record<string, number>;
let isHeld: boolean;
/** What the pointer is over. */
let under: string | null;
let resized: () => void;

beforeEach(() => {
  tops = { box: 0, first: 300, button: 500, below: 700 };
  isHeld = false;
  under = null;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(run: () => void) {
        resized = run;
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    const top = this.id === "box" ? 0 : (tops[this.id] ?? 0) - box().scrollTop;
    return { top, bottom: top + (this.id === "box" ? 600 : 20), left: 0, right: 800 } as DOMRect;
  });
  // Above all that is pointed at is what is first.
  vi.spyOn(document, "elementFromPoint").mockImplementation((_, y) =>
    document.getElementById(y < 100 ? "first" : (under ?? "box")),
  );
});

const box = () => document.getElementById("box") as HTMLElement;
const held = () => isHeld;

function Changes() {
  const ref = useRef<HTMLDivElement>(null);
  useSteadyPoint(ref, held);
  return (
    <div id="box" ref={ref}>
      <p id="first" />
      <button id="button" type="button">
        One
      </button>
      <button id="below" type="button">
        Another
      </button>
    </div>
  );
}

/** Draws the changes scrolled down, with the pointer over one of them. */
async function drawn(over: string | null): Promise<void> {
  await drawnPage().draw(<Changes />);
  box().scrollTop = 260;
  box().dispatchEvent(new Event("scroll"));
  under = over;
  if (over) document.dispatchEvent(new PointerEvent("pointermove", { clientX: 400, clientY: 240 }));
}

/** So many pixels come between what is first and the button. */
function grow(byPx: number): number {
  tops = { ...tops, button: 500 + byPx, below: 700 + byPx };
  resized();
  return box().scrollTop;
}

it("what is pointed at stays where it is, again and again, whatever comes above it", async () => {
  await drawn("button");
  expect(grow(36)).toBe(296);
  expect(grow(0)).toBe(260);
});

it("what is first stays while nothing is pointed at, and what has the focus after a key", async () => {
  await drawn(null);
  expect(grow(36)).toBe(260);
  grow(0);
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
  document.getElementById("below")?.focus();
  expect(grow(36)).toBe(296);
});

it("nothing is moved that is held at its place otherwise", async () => {
  await drawn("button");
  isHeld = true;
  expect(grow(36)).toBe(260);
});
