// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { useGoToSent } from "./use-go-to-sent";

const [ONE, OTHER] = ["m~1", "m~2"] as [RecordId, RecordId];

/** Asks where records are; the answers come when they are told to, each for the record that was asked for. */
async function drawnRequest() {
  const page = drawnPage();
  const answers = new Map<string, () => Promise<void>>();
  vi.stubGlobal("fetch", (url: string) => {
    const record = new URL(url, "http://localhost").searchParams.get("around") ?? "";
    return new Promise((resolve) =>
      answers.set(record, () => act(async () => resolve(Response.json({ at: 0, rows: [] })))),
    );
  });
  const gone: RecordId[] = [];
  let go: (recordId: RecordId) => void = () => undefined;
  function Probe() {
    go = useGoToSent("s" as SessionId, (recordId) => gone.push(recordId));
    return null;
  }
  await page.draw(<Probe />);
  const ask = async (recordId: RecordId) => {
    act(() => go(recordId));
    await until(() => expect(answers.has(recordId)).toBe(true));
  };
  return { page, ask, gone, answer: (recordId: RecordId) => answers.get(recordId)?.() };
}

it("of two records that are pressed the last one is gone to, whichever answer comes first", async () => {
  const { ask, gone, answer } = await drawnRequest();
  await ask(ONE);
  await ask(OTHER);
  await answer(OTHER);
  await answer(ONE);
  await until(() => expect(gone).toContain(OTHER));
  expect(gone).toEqual([OTHER]);
});

it("a record whose place is not known yet is not gone to from a page that was left", async () => {
  const { page, ask, gone, answer } = await drawnRequest();
  await ask(ONE);
  page.leave();
  await answer(ONE);
  await page.settle();
  expect(gone).toEqual([]);
});
