import { describe, expect, test } from "vitest";
import { plainOutput, withoutAgentFrame } from "./plain-output";

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
    expect(plainOutput(text, { isKept: false, isError: text !== "(Bash completed with no output)" })).toBe(
      printed,
    );
  });

  test("an exit code in the output of a successful command is part of the output", () => {
    expect(plainOutput("Exit code 1\n", { isKept: false, isError: false })).toBe("Exit code 1\n");
  });

  test("a long output that can be loaded is only its preview, otherwise also where it was saved", () => {
    expect(plainOutput(KEPT, { isKept: true, isError: false })).toBe("line 1\nline 2");
    expect(plainOutput(KEPT, { isKept: false, isError: false })).toBe(
      "Output too large (262.6KB). Full output saved to: /home/dev/.claude/tool-results/b.txt\n\nPreview (first 2KB):\nline 1\nline 2\n...",
    );
  });
});

test("an agent's answer that was handed back is the agent's own text, without the client's indentation (2.1.330)", () => {
  const framed = `  <tools-used-before-summary>Bash</tools-used-before-summary>
  
[Subagent hand-back] The text below is the final report of a subagent. The report follows:
  First:
  
      code
  Last.
agentId: ad5c8 (use SendMessage with to: 'ad5c8' to continue this agent)
<usage>subagent_tokens: 8998</usage>`;
  expect(withoutAgentFrame(framed)).toBe("First:\n\n    code\nLast.");
  expect(withoutAgentFrame("  Mine.\n  Too.")).toBe("  Mine.\n  Too.");
});
