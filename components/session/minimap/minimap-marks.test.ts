import { expect, it } from "vitest";
import type { MinimapResponse } from "@/lib/wire/graph";
import { minimapMarks } from "./minimap-marks";

const rows = (more: Partial<MinimapResponse>): MinimapResponse => ({
  revision: 1,
  total: 100,
  buckets: 100,
  density: "0".repeat(100),
  prompts: [],
  errors: [],
  denied: [],
  edits: [],
  compactions: [],
  finds: [],
  agents: [],
  ...more,
});

it("puts everything where its rows are", () => {
  const marks = minimapMarks(rows({ prompts: [0, 50], errors: [10], edits: [75], compactions: [20] }), 800);
  expect(marks.prompts).toBe("M14 0h34v2h-34zM14 400h34v2h-34z");
  expect(marks.errors).toBe("M45 77.5l5 5M50 77.5l-5 5");
  expect(marks.edits).toBe("M47.5 597l3 3-3 3-3-3z");
  expect(marks.compactions).toBe("M0 156.5h56M0 159.5h56");
  expect(marks.density).toBe("");
});

it("draws refused calls as in the thread, not as errors", () => {
  const marks = minimapMarks(rows({ errors: [10, 50], denied: [50] }), 800);
  expect(marks.errors).toBe("M45 77.5l5 5M50 77.5l-5 5");
  expect(marks.denied).toBe("M44.5 400a3 3 0 1 0 6 0a3 3 0 1 0-6 0M45.4 397.9l4.2 4.2");
});

it("has agents that are out together beside each other, each in its colour", () => {
  const { agents } = minimapMarks(rows({ agents: [0, 9, 1, 5, 9, 2, 50, 59, 1] }), 100);
  expect([...agents]).toEqual([
    [1, "M9 0h2v10h-2zM9 50h2v10h-2z"],
    [2, "M5.5 5h2v5h-2z"],
  ]);
});

it("draws marks that stand closer than they are high once", () => {
  const { errors } = minimapMarks(rows({ errors: [1, 2, 3, 4, 90] }), 100);
  expect(errors.match(/M45/g)).toHaveLength(2);
});
