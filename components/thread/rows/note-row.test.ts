import { expect, it } from "vitest";
import { formatEvent } from "./note-row";

const words = (event: string, label: string) => {
  const { name, about } = formatEvent({ event, label });
  return `${name} | ${about}`;
};

it("tells events in a short name and what they are about", () => {
  expect(words("command", "/compact keep the names")).toBe("/compact | keep the names");
  expect(words("bash", "! ls nothing-here")).toBe("Shell | ls nothing-here");
  expect(words("api-error", "API error, retry 1 of 10")).toBe("API error | retry 1 of 10");
  expect(words("notification", 'Agent "Slow check" finished')).toBe(
    'notification | Agent "Slow check" finished',
  );
  expect(words("hook_success", "Hook PostToolUse:Bash")).toBe("Hook | PostToolUse:Bash");
  expect(words("interrupted", "Interrupted during a tool call")).toBe("Interrupted | during a tool call");
  expect(words("plan_mode", "Plan mode")).toBe("Plan mode | on");
  expect(words("plan_mode_exit", "Left plan mode")).toBe("Plan mode | left");
  expect(words("from-the-future", "Something quite new happened")).toBe(
    "from | Something quite new happened",
  );
});
