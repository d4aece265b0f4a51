import { describe, expect, it, test } from "vitest";
import { plainOutput, stoppedTask } from "./shell-views";

describe("plain output", () => {
  const KEPT = `<persisted-output>
Output too large (262.6KB). Full output saved to: /home/dev/.claude/tool-results/b.txt

Preview (first 2KB):
line 1
line 2
...
</persisted-output>`;

  test.each([
    ["Exit code 3\nsome output\nboom", "some output\nboom"],
    ["Error: Exit code 7", ""],
    ["(Bash completed with no output)", ""],
    ["Exit code 3 is what it printed", "Exit code 3 is what it printed"],
    ["a line\nExit code 3\n", "a line\nExit code 3\n"],
  ])("%s", (text, printed) => {
    expect(plainOutput(text, false)).toBe(printed);
  });

  test("of a long output that can be loaded the preview alone, else also where it went", () => {
    expect(plainOutput(KEPT, true)).toBe("line 1\nline 2");
    expect(plainOutput(KEPT, false)).toBe(
      "Output too large (262.6KB). Full output saved to: /home/dev/.claude/tool-results/b.txt\n\nPreview (first 2KB):\nline 1\nline 2\n...",
    );
  });
});

describe("stopped task", () => {
  it("tells a stopped task's command from its description", () => {
    const shell = { message: "Successfully killed shell: 382dc1 (sleep 60 && (date))", shell_id: "382dc1" };
    expect(stoppedTask(shell)).toEqual({ text: "sleep 60 && (date)", isCommand: true });
    const described = {
      message: "Successfully stopped task: b4098a0 (A long sleep in the background)",
      task_id: "b4098a0",
      task_type: "local_bash",
    };
    expect(stoppedTask(described)).toEqual({ text: "A long sleep in the background", isCommand: false });
    const message = "Successfully stopped task: b01e1eb (sleep 60)";
    expect(stoppedTask({ message, command: "sleep 60" })).toEqual({ text: "sleep 60", isCommand: true });
    expect([stoppedTask({ message: "Stopped" }), stoppedTask(null)]).toEqual([null, null]);
  });
});
