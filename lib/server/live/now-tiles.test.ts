import { expect, test } from "vitest";
import { hasEndedLately, readQuestions } from "./now-tiles";

const NOW = new Date(2026, 10, 21, 14, 58).getTime();

test.each([
  ["half an hour ago", -30, true],
  ["by a clock a minute ahead", 1, true],
  ["two hours ago", -120, false],
  ["tomorrow", 24 * 60, false],
])("whether a session whose last line is of %s has ended lately", (_, minutes, ended) => {
  const lastActiveAtMs = NOW + minutes * 60_000;
  expect(hasEndedLately({ state: "ended", lastActiveAtMs }, NOW)).toBe(ended);
  expect(hasEndedLately({ state: "running", lastActiveAtMs }, NOW)).toBe(false);
});

test("a question is read with its options, in whatever shape they come", () => {
  const input = {
    questions: [
      {
        header: "Colour",
        question: "Which?",
        multiSelect: true,
        options: [{ label: "Red", description: "as the logo" }, "Blue", { description: "no label" }],
      },
      { header: "No question" },
    ],
  };
  expect(readQuestions(input)).toEqual([
    {
      header: "Colour",
      question: "Which?",
      multiple: true,
      options: [
        { label: "Red", description: "as the logo" },
        { label: "Blue", description: null },
      ],
    },
  ]);
  for (const unknown of [null, {}, { questions: "none" }, { questions: [null, 3] }])
    expect(readQuestions(unknown)).toBeNull();
});
