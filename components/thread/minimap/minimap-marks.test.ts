import { expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { OutlineEntry } from "@/lib/wire/session";
import { minimapMarks } from "./minimap-marks";

const turn = (row: number, more: Partial<OutlineEntry> = {}): OutlineEntry => ({
  turn: 1,
  recordId: "m~0" as RecordId,
  row,
  prompt: "",
  atMs: null,
  toolCalls: 0,
  errors: 0,
  added: 0,
  removed: 0,
  agents: 0,
  compactedBefore: null,
  ...more,
});

it("puts turns where their rows are, with a mark for what happened in them", () => {
  const marks = minimapMarks([turn(0, { errors: 1 }), turn(50, { added: 2, agents: 1 })], 100, 800);
  expect(marks.prompts).toBe("M14 0h34v2h-34zM14 400h34v2h-34z");
  expect(marks.errors).toBe("M45 3l5 5M50 3l-5 5");
  expect(marks.edits).toBe("M47.5 597l3 3-3 3-3-3z");
  expect(marks.agents).toBe("M6 402h2v397h-2z");
  expect(marks.compactions).toBe("");
});

it("is empty without rows", () => {
  expect(minimapMarks([turn(0)], 0, 800).prompts).toBe("");
});
