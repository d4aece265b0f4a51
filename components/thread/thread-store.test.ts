import { expect, it } from "vitest";
import { FakeServer, many, opened } from "@/lib/testing/fake-thread";
import type { RecordId } from "@/lib/wire/ids";

it("hits are told to who draws them, once", async () => {
  const { store } = await opened(new FakeServer({ tools: many(5) }));
  let told = 0;
  store.subscribe(() => told++);
  const hits = ["m~1" as RecordId];
  store.setHits(hits, "retry");
  store.setHits(hits, "retry");
  expect([told, store.get().hits]).toEqual([1, hits]);
});
