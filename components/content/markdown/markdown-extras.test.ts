import { describe, expect, it } from "vitest";
import { cutNotes, splitInline } from "./markdown-extras";

const spell = (text: string) =>
  splitInline(text).map((node) =>
    node.kind === "note-mark"
      ? `^${node.label}`
      : node.kind === "math"
        ? `$${node.text}$`
        : node.kind === "text"
          ? node.text
          : "",
  );

describe("what Markdown here has besides CommonMark", () => {
  it("takes footnotes out of the text, but not out of code", () => {
    expect(cutNotes("Waited[^1].\n\n[^1]: since *20 November*\n```\n[^2]: code\n```")).toEqual({
      body: "Waited[^1].\n\n```\n[^2]: code\n```",
      notes: [{ label: "1", text: "since *20 November*" }],
    });
  });

  it("marks footnotes and shows formulas as their source", () => {
    expect(spell("Waited[^1] for $x^2$ s")).toEqual(["Waited", "^1", " for ", "$x^2$", " s"]);
    expect(spell("$$a+b$$")).toEqual(["$a+b$"]);
  });

  it("leaves prices and shell variables alone", () => {
    expect(spell("from $5 to $6")).toEqual(["from $5 to $6"]);
    expect(spell("set $HOME and $PATH")).toEqual(["set $HOME and $PATH"]);
  });
});
