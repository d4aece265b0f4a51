import { expect, it } from "vitest";
import { changedTodos } from "./task-views";

const spell = ({ text, note }: { text: string; note: string | null }) => (note ? `${text}: ${note}` : text);

it("says what a call changed in a list", () => {
  const before = [
    { text: "Read", status: "in_progress" },
    { text: "Fix", status: "pending" },
    { text: "Wait", status: "pending" },
  ];
  const after = [
    { text: "Read", status: "completed" },
    { text: "Fix", status: "pending" },
    { text: "Test", status: "pending" },
  ];
  expect(changedTodos(before, after).map(spell)).toEqual([
    "Read: in progress → done",
    "Fix",
    "Test: added",
    "Wait: taken out",
  ]);
  expect(changedTodos(null, after).map(spell)).toEqual(["Read", "Fix", "Test"]);
  // Emptied: what was done is no loss.
  expect(changedTodos(before, []).map(spell)).toEqual([
    "Read: taken out",
    "Fix: taken out",
    "Wait: taken out",
  ]);
  expect(changedTodos([{ text: "Read", status: "completed" }], [])).toEqual([]);
});
