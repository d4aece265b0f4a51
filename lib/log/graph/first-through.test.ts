import fc from "fast-check";
import { expect, test } from "vitest";
import { anyLines, LOGS, tableOf } from "@/lib/testing/records";
import { pathSteps } from "./branches";
import { firstThrough } from "./first-through";
import { buildGraph } from "./session-graph";
import type { Steps } from "./steps";

test("a step's branch is the first whose way passes it", () => {
  fc.assert(
    fc.property(anyLines, (lines) => {
      const { steps, branches } = buildGraph(tableOf(lines), LOGS);
      for (const list of branches) {
        for (let step = 0; step < steps.count; step++) {
          const expected = list.find(({ leaf }) => pathSteps(steps, leaf).includes(step)) ?? null;
          expect(firstThrough(steps, list, step)).toBe(expected);
        }
      }
    }),
    { numRuns: 3_000, seed: 20_263 },
  );
});

test("ten thousand rewinds at the end of ten thousand steps are walked once", () => {
  const depth = 10_000;
  const parent = new Int32Array(2 * depth);
  let read = 0;
  for (let step = 0; step < 2 * depth; step++) parent[step] = Math.min(step, depth) - 1;
  const counted = new Proxy(parent, {
    get: (target, key) => {
      read += 1;
      return Reflect.get(target, key);
    },
  });
  const steps: Steps = {
    count: 2 * depth,
    of: parent,
    parent: counted,
    thread: new Uint16Array(2 * depth),
    live: new Uint8Array(2 * depth).fill(1),
    own: parent,
    first: parent,
    next: parent,
  };
  const branches = Array.from({ length: depth }, (_, i) => ({
    leaf: depth + i,
    leafRecord: depth + i,
    ownFrom: -1,
  }));
  expect(firstThrough(steps, branches, 2 * depth - 1)).toBe(branches[depth - 1]);
  expect(read).toBeLessThanOrEqual(2 * depth);
});
