// @vitest-environment page
import { act, useRef } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useTakenBack } from "./use-taken-back";

const leave = vi.fn();

function List() {
  const scroller = useRef<HTMLElement>(null);
  useTakenBack(scroller);
  return (
    <section ref={scroller}>
      <article>A row</article>
    </section>
  );
}

/** A list whose reader has pressed a key that waits for the rest of the thread, or none. */
async function drawnList(awaitsRest: boolean) {
  const store = { get: () => ({ awaitsRest }), subscribe: () => () => undefined, leave };
  await drawnPage().draw(
    <ThreadStoreContext value={store as never}>
      <List />
    </ThreadStoreContext>,
  );
  const box = document.querySelector("section") as HTMLElement;
  return (...events: Event[]) =>
    act(async () => {
      for (const event of events) box.dispatchEvent(event);
    });
}

/** A turn of the wheel, so long after now. */
function wheel(afterMs: number): Event {
  const event = new Event("wheel");
  Object.defineProperty(event, "timeStamp", { value: performance.now() + afterMs });
  return event;
}

beforeEach(() => leave.mockClear());

it.each([
  ["the wheel", () => wheel(1_000)],
  ["a finger", () => new Event("touchmove")],
  ["the scrollbar", () => new Event("pointerdown")],
])("a reader who scrolls by %s is left there", async (_, event) => {
  const happen = await drawnList(true);
  await happen(event());
  expect(leave).not.toHaveBeenCalled();
  await happen(new Event("scroll"));
  expect(leave).toHaveBeenCalled();
});

it("a wheel that still turned as the key was pressed, and rows that move the list, take nothing back", async () => {
  const happen = await drawnList(true);
  await happen(
    wheel(20),
    wheel(90),
    wheel(200),
    new KeyboardEvent("keydown", { key: "k" }),
    new Event("scroll"),
  );
  expect(leave).not.toHaveBeenCalled();
});

it("where nothing waits, nothing is taken back", async () => {
  const happen = await drawnList(false);
  await happen(wheel(1_000), new Event("scroll"));
  expect(leave).not.toHaveBeenCalled();
});
