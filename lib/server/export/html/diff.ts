import { formatCount } from "@/lib/format/format";
import { type CodeDiffLine, diffLines, LINES_UNKNOWN, type Mark, wordMarks } from "@/lib/markup/diff-lines";
import type { FileDiff } from "@/lib/wire/record";
import { type Html, type HtmlValue, html, visible } from "./html";

const MAX_LINES = 1_000;

/** What a call did to a file: the lines of its patch, with the words that changed. */
export function diff({ hunks, computed, change, path }: FileDiff, named: boolean): Html {
  const lines = diffLines(hunks, { numbersKnown: !computed });
  const shown = lines.slice(0, MAX_LINES);
  const name = named && html`<p class="file">${visible(path)}</p>`;
  if (change === "created") {
    const text = hunks.flatMap((hunk) =>
      hunk.lines.filter((line) => line[0] === "+").map((line) => line.slice(1)),
    );
    return html`${name}<pre class="new">${visible(text.slice(0, MAX_LINES).join("\n"))}</pre>${leftOut(text.length - MAX_LINES)}`;
  }
  if (hunks.length === 0)
    return html`${name}<p class="meta">${change === "unchanged" ? "The file was written unchanged." : LINES_UNKNOWN}</p>`;
  return html`${name}<div class="diff">${shown.map((line) => {
    if ("sideLine" in line) return codeLine(line);
    if (line.kind === "gap") return null;
    return html`<div class="hunk">${line.text}</div>`;
  })}</div>${leftOut(lines.length - MAX_LINES)}`;
}

function leftOut(lines: number): HtmlValue {
  return lines > 0 && html`<p class="left">${formatCount(lines)} more lines left out</p>`;
}

const SIGNS = { context: " ", added: "+", removed: "−" };

function codeLine(line: CodeDiffLine): Html {
  const number = line.newLine ?? line.oldLine;
  return html`<div class="${line.kind}"><span class="no">${number}</span><span class="sign">${SIGNS[line.kind]}</span><code>${words(line)}</code></div>`;
}

/** The line's text with its changed words marked. */
function words({ kind, text, pair }: CodeDiffLine): HtmlValue {
  if (pair === null || kind === "context") return visible(text);
  const marks = kind === "removed" ? wordMarks(text, pair).removed : wordMarks(pair, text).added;
  return marked(text, marks);
}

function marked(text: string, marks: readonly Mark[]): HtmlValue {
  const parts: HtmlValue[] = [];
  let at = 0;
  for (const { from, to } of marks) {
    parts.push(visible(text.slice(at, from)), html`<mark>${visible(text.slice(from, to))}</mark>`);
    at = to;
  }
  return [...parts, visible(text.slice(at))];
}
