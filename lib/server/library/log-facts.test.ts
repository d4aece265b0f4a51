import { describe, expect, it } from "vitest";
import { parseContent } from "@/lib/log/records/content-block";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { promptText } from "./log-facts";

const read = (content: unknown) => promptText(parseContent(content));
const textOf = (content: unknown) => read(content)?.text ?? null;

describe("promptText", () => {
  it("reads typed text, as a string or as blocks", () => {
    expect(textOf("  fix the parser\n")).toBe("fix the parser");
    expect(
      textOf([
        { type: "text", text: "fix" },
        { type: "text", text: "it" },
      ]),
    ).toBe("fix\nit");
    expect(textOf("<T> is a type parameter")).toBe("<T> is a type parameter");
  });

  it("counts images, and treats a lone one as a prompt", () => {
    const withText = [{ type: "image" }, { type: "text", text: "what is this" }];
    expect(read(withText)).toEqual({ text: "what is this", images: 1, local: false });
    expect(read([{ type: "image" }])).toEqual({ text: "", images: 1, local: false });
  });

  it("writes commands as they were typed, and knows those that reach no model", () => {
    const custom =
      "<command-message>greet is running…</command-message>\n<command-name>/greet</command-name>\n<command-args>Ada</command-args>";
    expect(read(custom)).toEqual({ text: "/greet Ada", images: 0, local: false });
    const builtIn =
      "<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>";
    expect(read(builtIn)).toEqual({ text: "/clear", images: 0, local: true });
    expect(textOf("<bash-input>ls -la</bash-input>")).toBe("! ls -la");
    expect(textOf("<user-memory-input>use tabs</user-memory-input>")).toBe("# use tabs");
  });

  it("finds no prompt if no person wrote one", () => {
    const written = [
      [{ type: "tool_result", tool_use_id: "t", content: "x" }],
      "<local-command-stdout>Set model</local-command-stdout>",
      "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
      "<task-notification>\n<task-id>b</task-id></task-notification>",
      "<user-prompt-submit-hook>context</user-prompt-submit-hook>",
      [{ type: "text", text: "[Request interrupted by user for tool use]" }],
      "<system-reminder>\nonly this\n</system-reminder>",
      "",
      null,
      42,
    ];
    expect(written.map(textOf)).toEqual(written.map(() => null));
  });

  it("names a prompt with a paste by what was typed, and one that is only pasted by that", () => {
    const paste = '<pasted_content id="e6f3">\npasted line 0\n</pasted_content id="e6f3">';
    expect(textOf(`\n\n${paste}\n\n And this?`)).toBe("And this?");
    expect(textOf(paste)).toBe("pasted line 0");
  });

  it("leaves out what an editor put around the text, in time linear in its length", () => {
    expect(textOf("<ide_opened_file>a.ts</ide_opened_file>\nrename it")).toBe("rename it");
    const growth = timeGrowth((times) => textOf(`x${"<system-reminder>".repeat(times)}`), 12_500);
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
  });
});
