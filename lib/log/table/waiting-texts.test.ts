import { expect, test } from "vitest";
import { type QueuedText, WaitingTexts } from "./waiting-texts";

const entry = (enqueued: number): QueuedText => ({ enqueued, delivered: -1 });

test("the named text is removed, or else the oldest", () => {
  const waiting = new WaitingTexts();
  for (const [n, text] of [7, 8, 7, -1].entries()) waiting.add(entry(n), text);
  expect(waiting.take(8)?.enqueued).toBe(1);
  expect(waiting.take(null)?.enqueued).toBe(0);
  expect(waiting.take(7)?.enqueued).toBe(2);
  expect(waiting.take(99)?.enqueued).toBe(3);
  expect([waiting.take(7), waiting.take(null), waiting.takeAll().size]).toEqual([null, null, 0]);
});

test("50,000 texts are removed one by one without a search", () => {
  const waiting = new WaitingTexts();
  for (let n = 0; n < 50_000; n++) waiting.add(entry(n), n);
  for (let n = 49_999; n >= 0; n--) expect(waiting.take(n)?.enqueued).toBe(n);
});
