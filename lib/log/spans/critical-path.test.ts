import { expect, it } from "vitest";
import { criticalPath } from "./critical-path";
import { type LogSpan, newSpan } from "./log-span";

type Told = [
  name: string,
  fromMs: number,
  toMs: number,
  more?: Partial<LogSpan> & { of?: string; asks?: string },
];

/** The critical path of these spans from 0 to 100, a word each: `answer 0–20`. `of`: the span that one is a part of. */
function pathOf(...told: Told[]): string {
  const indexOf = (name: string | undefined) => told.findIndex(([one]) => one === name);
  const spans = told.map(([, fromMs, toMs, { of, asks, ...more } = {}], record) => ({
    ...newSpan({ turn: 1, thread: 0, parent: indexOf(of) }, "tool", "call", record, {
      startMs: fromMs,
      endMs: toMs,
    }),
    after: indexOf(asks),
    ...more,
  }));
  const childrenOf = new Map<number, number[]>();
  for (const [index, { parent }] of spans.entries())
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), index]);
  const pieces = criticalPath(spans, childrenOf.get(-1) ?? [], childrenOf, 0, 100);
  return pieces.map(({ span, fromMs, toMs }) => `${told[span]?.[0]} ${fromMs}–${toMs}`).join(", ");
}

it("is what ended last, and before that what ended last by then", () => {
  expect(pathOf(["first", 0, 30], ["short", 30, 60], ["long", 30, 80], ["last", 80, 100])).toBe(
    "first 0–30, long 30–80, last 80–100",
  );
  // Where nothing runs there is no path.
  expect(pathOf(["first", 0, 30], ["last", 50, 90])).toBe("first 0–30, last 50–90");
  // Of two that ended together it is the one that began first.
  expect(pathOf(["late", 40, 100], ["early", 0, 100])).toBe("early 0–100");
});

it("leads from a call to the answer that asked for it, not to a call beside it", () => {
  expect(pathOf(["answer", 0, 20], ["beside", 10, 60], ["call", 15, 100, { asks: "answer" }])).toBe(
    "answer 0–15, call 15–100",
  );
  expect(pathOf(["answer", 0, 20], ["beside", 10, 60], ["call", 65, 100, { asks: "answer" }])).toBe(
    "answer 0–20, call 65–100",
  );
});

it("goes through what a span is made of, and what of it nothing covers is its own", () => {
  const inside: Told[] = [
    ["asked", 10, 30, { of: "call" }],
    ["ran", 40, 90, { of: "call" }],
  ];
  expect(pathOf(["call", 0, 100], ...inside)).toBe(
    "call 0–10, asked 10–30, call 30–40, ran 40–90, call 90–100",
  );
  // No part of it is longer than itself.
  expect(pathOf(["call", 20, 60], ["ran", 0, 100, { of: "call" }])).toBe("ran 20–60");
});

it("is never background work, nor a wait for permission of which only a bound is known", () => {
  expect(pathOf(["call", 0, 40], ["server", 0, 100, { background: true }])).toBe("call 0–40");
  const asked = { kind: "permission", exact: false, of: "call" } as const;
  expect(pathOf(["call", 0, 100], ["asked", 20, 60, asked])).toBe("call 0–100");
  expect(pathOf(["call", 0, 100], ["asked", 20, 60, { ...asked, exact: true }])).toBe(
    "call 0–20, asked 20–60, call 60–100",
  );
});
