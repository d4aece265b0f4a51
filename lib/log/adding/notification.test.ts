import { expect, test } from "vitest";
import { notificationTexts, readNotification } from "./notification";

const AGENT = `<task-notification>
<task-id>a1</task-id>
<tool-use-id>toolu_1</tool-use-id>
<output-file>/tmp/tasks/a1.output</output-file>
<status>completed</status>
<summary>Agent "Slow check" finished</summary>
<note>May notify more than once.</note>
<result>The <summary> tag, and </result> as well: <result>x</result> of 3.</result>
<usage><total_tokens>12</total_tokens></usage>
</task-notification>
Full transcript available at: /tmp/tasks/a1.output`;

test("an agent's notification is its summary, answer and status", () => {
  expect(readNotification(AGENT)).toEqual({
    summary: 'Agent "Slow check" finished',
    status: "completed",
    answer: "The <summary> tag, and </result> as well: <result>x</result> of 3.",
  });
});

test("its row's texts, and the rest of it without tags", () => {
  expect(notificationTexts(AGENT)).toEqual({
    shown:
      'Agent "Slow check" finished\nThe <summary> tag, and </result> as well: <result>x</result> of 3.\ncompleted',
    rest: [
      "a1",
      "toolu_1",
      "/tmp/tasks/a1.output",
      "May notify more than once.",
      "12",
      "Full transcript available at: /tmp/tasks/a1.output",
    ].join("\n"),
  });
});

test("a status that is in the summary is not repeated", () => {
  const text =
    '<bash-notification>\n<shell-id>b1</shell-id>\n<status>killed</status>\n<summary>Background command "Sleep" was killed.</summary>\nRead the output file.\n</bash-notification>';
  expect(readNotification(text)).toEqual({
    summary: 'Background command "Sleep" was killed.',
    status: null,
    answer: "",
  });
  expect(notificationTexts(text).rest).toBe("b1\nRead the output file.");
});

test("a monitor's event, a message of another agent, and what was cut", () => {
  expect(
    readNotification(
      '<task-notification>\n<task-id>m</task-id>\n<summary>Monitor event: "Ticks"</summary>\n<event>tick 1</event>\n</task-notification>',
    ),
  ).toEqual({ summary: 'Monitor event: "Ticks"', status: null, answer: "tick 1" });
  expect(readNotification('<teammate-message teammate_id="lead">Look again</teammate-message>').answer).toBe(
    "Look again",
  );
  expect(readNotification("<task-notification>\n<result>half an ans").answer).toBe("half an ans");
  expect(readNotification("<task-notification></task-notification>")).toEqual({
    summary: null,
    status: null,
    answer: "",
  });
});
