import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { MarkdownNodes } from "@/components/content/markdown/markdown";
import { sampled } from "@/lib/testing/runs";
import {
  cutNotes,
  type MarkdownNode,
  markdownLine,
  markdownText,
  parseMarkdown,
  splitInline,
} from "./parse-markdown";

it("reads as one line without its marks", () => {
  expect(
    markdownLine("## Done\n\nThe **fix** is in [retry.ts](src/retry.ts#L4): `delay * 2`.\nIt _holds_."),
  ).toBe("Done The fix is in retry.ts: delay * 2. It holds.");
  expect(markdownLine("- [x] one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |")).toBe("one two a b 1 2");
  expect(markdownLine("```ts\nconst a = 1;\n```\n![a picture](x.png) and <b>tags</b>")).toBe(
    "const a = 1; a picture and <b>tags</b>",
  );
  expect(
    markdownText("# Done\n\n- **one**\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nif a:\n  b()\n```"),
  ).toBe("Done\none\ntwo\na b\n1 2\nif a:\n  b()");
});

it("parses a paragraph, a list item and a quote of very many lines", () => {
  for (const begin of ["", "- ", "> "]) {
    const words = markdownLine(`${begin}${"12345\n".repeat(70_000)}`);
    expect([begin, words.length]).toEqual([begin, 70_000 * 6 - 1]);
  }
});

describe("markdown extras", () => {
  const spell = (text: string) =>
    splitInline(text).map((node) =>
      node.kind === "note-mark"
        ? `^${node.label}`
        : node.kind === "math"
          ? `formula(${node.text})`
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
      expect(spell("Waited[^1] for $x^2$ s")).toEqual(["Waited", "^1", " for ", "formula($x^2$)", " s"]);
      expect(spell("$$a+b$$")).toEqual(["formula($$a+b$$)"]);
      expect(spell("so ($x$), “$y$” and $z$.")).toEqual([
        "so (",
        "formula($x$)",
        "), “",
        "formula($y$)",
        "” and ",
        "formula($z$)",
        ".",
      ]);
      expect(markdownLine("so $a+b$ and $$c$$")).toBe("so $a+b$ and $$c$$");
    });

    it("leaves prices and shell variables alone", () => {
      expect(spell("from $5 to $6")).toEqual(["from $5 to $6"]);
      expect(spell("set $HOME and $PATH")).toEqual(["set $HOME and $PATH"]);
    });

    it.each([
      "PATH=$HOME/bin:$PATH",
      "$HOME/bin:$PATH",
      "echo ${A}${B}",
      "${A} ${B}$",
      "call $foo->$bar",
      "ends with ^[a-z]+$|^x$ only",
      "$(a)$(b)",
      "costs 5$, not 6$",
    ])("shows %s with all of its dollar signs, as plain text", (text) => {
      expect(spell(text)).toEqual([text]);
      expect(markdownLine(text)).toBe(text);
    });
  });
});

describe("parse markdown", () => {
  function outline(nodes: MarkdownNode[]): string {
    return nodes.map(outlineOf).join("");
  }
  function outlineOf(node: MarkdownNode): string {
    if (node.kind === "text") return node.text;
    if (node.kind === "code" || node.kind === "fence") return `${node.kind}(${node.text.trim()})`;
    if (node.kind === "image") return `image(${node.target})`;
    if (node.kind === "break" || node.kind === "rule") return `${node.kind};`;
    if (node.kind === "math" || node.kind === "note-mark") return `${node.kind};`;
    const name =
      node.kind === "element" ? node.tag : node.kind === "item" ? (node.task ?? "item") : node.kind;
    return `${name}(${outline(node.children)})`;
  }
  const read = (text: string) => outline(parseMarkdown(text));

  describe("markdown", () => {
    it("reads paragraphs, spans, lists, tables and code", () => {
      expect(read("One **bold** `x`\ntwo")).toBe("p(One strong(bold) code(x)break;two)");
      expect(read("- a\n- [x] b\n- [ ] c")).toBe("list(item(a)done(b)open(c))");
      expect(read("- [x] a\n  - [ ] b\n\n> - [x] c")).toBe(
        "list(done(alist(open(b))))blockquote(list(done(c)))",
      );
      expect(read("| a | b |\n|---|--:|\n| 1 | 2 |")).toBe(
        "table(thead(tr(cell(a)cell(b)))tbody(tr(cell(1)cell(2))))",
      );
      expect(read("```ts\nlet a\n```")).toBe("fence(let a)");
    });

    it("shows tags as text, as logs need", () => {
      expect(read("<command-name>/review</command-name>")).toBe("p(<command-name>/review</command-name>)");
    });

    it("does not read file names as hosts", () => {
      expect(read("see deploy.sh and retry.rs")).toBe("p(see deploy.sh and retry.rs)");
      expect(read("see https://a.test/x")).toBe("p(see link(https://a.test/x))");
    });
  });

  const HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&#58;alert(1))",
    "[x](data:text/html,<script>1</script>)",
    "![x](https://evil.test/p.png)",
    "![x](javascript:1)",
    "<svg onload=1>",
    "[a]: javascript:1\n[a]",
    "<https://a.test>",
    "[x](vbscript:1)",
    "[x](\tjavascript:1)",
    "<a href='javascript:1'>y</a>",
    "| a |\n|-|\n| <b onclick=1> |",
    "```html\n<script>1</script>\n```",
    "&lt;script&gt;",
    "[x](file:///etc/passwd)",
    "[x](//evil.test)",
  ];

  describe("hostile markdown", () => {
    it("makes no node that runs or loads anything, or links to anything but http, https and mailto", () => {
      const piece = fc.oneof(
        fc.constantFrom(...HOSTILE, "\n", "\n\n", "> ", "- ", "`", "*", "[", "]("),
        fc.string({ maxLength: 12 }),
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
          const html = renderToStaticMarkup(
            createElement(MarkdownNodes, { nodes: parseMarkdown(pieces.join("")) }),
          );
          expect(html).not.toMatch(
            /<(script|img|svg|iframe|object|embed|style|link|form|input|video|audio|source)\b/i,
          );
          for (const [, attributes] of html.matchAll(/<[a-z0-9]+((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/gi)) {
            expect(attributes ?? "").not.toMatch(/\s(on[a-z]+|src|srcset|style|formaction)=/i);
          }
          for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(https?:|mailto:)/);
        }),
        sampled(11, 600, 50_000),
      );
    });

    it("survives deep nesting", () => {
      for (const opener of ["> ", "- ", "[", "**", "("])
        expect(() => parseMarkdown(opener.repeat(10_000))).not.toThrow();
    });
  });
});

it("text that looks like a footnote is code inside a fence, which ends by Markdown's rules", () => {
  const inner = "```md\n```js\n[^1]: not a note\n```\n[^1]: a note";
  expect(cutNotes(inner)).toEqual({
    body: "```md\n```js\n[^1]: not a note\n```",
    notes: [{ label: "1", text: "a note" }],
  });
  const inline = "```js``` is code\n[^1]: a note";
  expect(cutNotes(inline).notes).toEqual([{ label: "1", text: "a note" }]);
});
