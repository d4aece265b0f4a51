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
    <section ref={scroller}>
      <article data-index={4} aria-posinset={5} tabIndex={0}>
        The selected row
      </article>
    </section>
  );
}

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
