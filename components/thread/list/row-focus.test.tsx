// @vitest-environment page
import { act, useEffect, useRef } from "react";
import { expect, it, vi } from "vitest";
import type { OpenThread } from "@/components/thread/open-thread";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useRowFocus } from "./row-focus";

const store = { get: () => ({ position: { selected: 4 } }) };
const thread = { start: { index: 4, selected: true, offsetPx: null, atEnd: false } } as OpenThread;
let focus = () => undefined as void;

function List() {
  const scroller = useRef<HTMLElement>(null);
  const ask = useRowFocus(scroller, thread, 4);
  useEffect(() => {
    focus = ask;
  });
  return (
    <section ref={scroller} tabIndex={-1}>
      <article data-index={4} aria-posinset={5} tabIndex={0}>
        The selected row
      </article>
    </section>
  );
}

it("a list that comes in the place of one that had the focus takes it, and no other does", async () => {
  const { draw } = drawnPage();
  const show = (key: string) =>
    draw(
      <ThreadStoreContext value={store as never}>
        <List key={key} />
      </ThreadStoreContext>,
    );
  await show("first");
  await show("second");
  expect(document.activeElement).toBe(document.body);
  act(() => document.querySelector("section")?.focus());
  await show("third");
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
  act(() => (document.activeElement as HTMLElement).blur());
  await show("fourth");
  expect(document.activeElement).toBe(document.body);
});

it("a row that is selected and in view already has the focus when it is gone to", async () => {
  await drawnPage().draw(
    <ThreadStoreContext value={store as never}>
      <List />
    </ThreadStoreContext>,
  );
  expect(document.activeElement).toBe(document.body);
  await act(async () => focus());
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
});
