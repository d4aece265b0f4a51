import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at } from "@/lib/log/table/table";
import { anyLines, LOGS, type TestLine, tableOf } from "@/lib/testing/records";
import { sampled } from "@/lib/testing/runs";
import { firstThrough, pathSteps } from "./branches";
import { buildGraph } from "./session-graph";
import type { Steps } from "./steps";

describe("first through", () => {
  test("a step's branch is the first one that passes through it", () => {
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
      sampled(20_263, 600, 50_000),
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
});

describe("named leaf", () => {
  type Json = TestLine["json"];
  const NOUGHTS = "00000000-0000-0000-0000-000000000000";

  const user = (uuid: string, parentUuid: string | null): Json => ({
    type: "user",
    uuid,
    parentUuid,
    message: { content: `prompt ${uuid}` },
  });
  const answer = (uuid: string, parentUuid: string): Json => ({
    type: "assistant",
    uuid,
    parentUuid,
    message: { id: `m-${uuid}`, content: [{ type: "text", text: uuid }] },
  });
  const lastPrompt = (leafUuid: string, explicit?: true): Json => ({
    type: "last-prompt",
    leafUuid,
    explicit,
  });

  /** The branches of the main thread, the active one first, by the uuids of their records. */
  function branches(...lines: Json[]): string[] {
    const table = tableOf(lines.map((json) => ({ file: 0, json })));
    const names = new Map(lines.map(({ uuid }) => [table.uuids.find(String(uuid)), String(uuid)]));
    const { steps, branches: found } = buildGraph(table, LOGS);
    return (found[0] ?? []).map(({ leaf }) =>
      pathSteps(steps, leaf)
        .map((step) => names.get(table.records.uuid.at(at(steps.first, step))))
        .join(" "),
    );
  }

  const rewound = [user("a", null), answer("b", "a"), user("c", "b"), answer("d", "c")];
  const forked = [...rewound, user("e", "b"), answer("f", "e")];

  test("the leaf written last is the active one", () => {
    expect(branches(...forked)).toEqual(["a b e f", "a b c d"]);
    expect(branches(...forked, lastPrompt("f"))).toEqual(["a b e f", "a b c d"]);
  });

  test("a last-prompt at the end names the branch that the client went back to", () => {
    expect(branches(...forked, lastPrompt("d", true))).toEqual(["a b c d", "a b e f"]);
    expect(branches(...forked, lastPrompt("d"))).toEqual(["a b c d", "a b e f"]);
  });

  test("an explicit one ends the branch where it says, and what followed stays a branch", () => {
    expect(branches(...rewound, lastPrompt("b", true))).toEqual(["a b", "a b c d"]);
    expect(branches(...forked, lastPrompt("b", true))).toEqual(["a b", "a b e f", "a b c d"]);
  });

  test("a last-prompt that is a step late names the branch, not its end", () => {
    expect(branches(...rewound, lastPrompt("b"))).toEqual(["a b c d"]);
    expect(branches(...forked, lastPrompt("c"))).toEqual(["a b c d", "a b e f"]);
  });

  test("lines written after it show where the client is now", () => {
    expect(branches(...rewound, lastPrompt("b", true), user("e", "b"), answer("f", "e"))).toEqual([
      "a b e f",
      "a b c d",
    ]);
    expect(branches(...forked, lastPrompt("d", true), user("g", "f"))).toEqual(["a b e f g", "a b c d"]);
  });

  test("the last one counts; zeros or an unknown line name no branch", () => {
    expect(branches(...forked, lastPrompt("d", true), lastPrompt("f"))).toEqual(["a b e f", "a b c d"]);
    expect(branches(...forked, lastPrompt("d", true), lastPrompt(NOUGHTS, true))).toEqual([
      "a b e f",
      "a b c d",
    ]);
    expect(branches(...forked, lastPrompt("elsewhere", true))).toEqual(["a b e f", "a b c d"]);
  });

  test("a summary's leaf and an agent's file name no branch", () => {
    expect(branches(...forked, { type: "summary", summary: "…", leafUuid: "d" })).toEqual([
      "a b e f",
      "a b c d",
    ]);
  });
});

test("/compact as it was typed begins no branch beside the compaction (2.1.250, 2.1.300)", () => {
  const says = (
    type: string,
    uuid: string,
    parentUuid: string | null,
    content: string,
    more: object = {},
  ) => ({
    ...{ type, uuid, parentUuid, message: { id: uuid, content } },
    ...more,
  });
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null };
  const lines = [
    says("user", "u1", null, "go"),
    says("assistant", "a1", "u1", "Done."),
    says("user", "c", "a1", "/compact", { promptId: "p" }),
    { ...boundary, logicalParentUuid: "a1", compactMetadata: { trigger: "manual" } },
    says("user", "s", "b", "What was done", { isCompactSummary: true }),
    says("user", "u2", "s", "go on"),
  ];
  const { branches } = buildGraph(tableOf(lines.map((json): TestLine => ({ file: 0, json }))), LOGS);
  expect(branches[0]?.map(({ leafRecord }) => leafRecord)).toEqual([5]);
});
