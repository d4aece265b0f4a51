import { expect, it } from "vitest";
import { newSpan } from "./log-span";
import { addWaits } from "./waits";

const STRETCH = { turn: 1, thread: 0, parent: -1 };

/** A call of the turn from a time to another, with its record's number. */
const call = (record: number, startMs: number, endMs: number) =>
  newSpan(STRETCH, "tool", "call", record, { startMs, endMs });

/** The waits of a turn that began at 0, a line each: whose, from when to when, and the record that each leads to. */
function waitsOf(spans: ReturnType<typeof call>[], people: { ms: number; record: number }[] = []): string[] {
  const own = spans.length;
  addWaits(spans, 0, own, { turn: 1, thread: 0, record: 0, fromMs: 0, people });
  return spans
    .slice(own)
    .map(({ kind, startMs, endMs, record }) => `${kind} ${startMs}–${endMs} (${record})`);
}

it("is what no span covers, however they overlap and whatever their order", () => {
  expect(waitsOf([call(1, 0, 10), call(2, 5, 20), call(4, 50, 60), call(3, 30, 40)])).toEqual([
    "idle 20–30 (3)",
    "idle 40–50 (4)",
  ]);
  // One that ends before another that began earlier covers nothing more.
  expect(waitsOf([call(1, 0, 40), call(2, 10, 20), call(3, 45, 50)])).toEqual(["idle 40–45 (3)"]);
  expect(waitsOf([call(1, 0, 10), call(2, 10, 20)])).toEqual([]);
});

it("goes on beside work in the background, and beside what is a part of a span", () => {
  const background = { ...call(2, 0, 100), background: true };
  expect(waitsOf([call(1, 0, 10), background, call(3, 30, 40)])).toEqual(["idle 10–30 (3)"]);
  const part = { ...call(2, 0, 100), parent: 0 };
  expect(waitsOf([call(1, 0, 10), part, call(3, 30, 40)])).toEqual(["idle 10–30 (3)"]);
});

it("is a person's up to what they did last in it, and nobody's from then on", () => {
  const spans = () => [call(1, 0, 10), call(3, 50, 60)];
  const acted = (...times: number[]) => times.map((ms) => ({ ms, record: 100 + ms }));
  expect(waitsOf(spans(), acted(40, 20))).toEqual(["human 10–40 (140)", "idle 40–50 (3)"]);
  // At the moment in which the next step begins nobody has waited for anything else.
  expect(waitsOf(spans(), acted(50))).toEqual(["human 10–50 (150)"]);
  // Before the wait, and after it.
  expect(waitsOf(spans(), acted(5, 10, 55))).toEqual(["idle 10–50 (3)"]);
});
