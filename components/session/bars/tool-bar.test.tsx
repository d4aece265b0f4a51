// @vitest-environment page
import { expect, it } from "vitest";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { FakeServer, many, opening } from "@/lib/testing/fake-thread";
import { TurnOf } from "./tool-bar";

it("the tool bar names no turn until rows are there: not being anywhere is not “before the first prompt”", async () => {
  const { store, list } = opening(new FakeServer({ tools: many(40) }));
  await drawnPage().draw(
    <ThreadStoreContext value={store}>
      <TurnOf turns={2} />
    </ThreadStoreContext>,
  );
  expect(document.body.textContent).toBe("");
  await until(() => expect(store.get().thread).not.toBeNull());
  list.draw();
  await until(() => expect(document.body.textContent).toBe("turn 1 of 2"));
});
