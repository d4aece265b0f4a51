import { formatCount } from "@/lib/format/format";
import { textLines, textStart } from "@/lib/format/text";
import { type AnsiStyle, type AnsiToken, tokenizeAnsi } from "@/lib/markup/ansi-tokens";
import { safeHref } from "@/lib/markup/safe-href";
import { type Html, type HtmlValue, html, visible } from "./html";

/** Only the head and the tail of a longer output are kept: a file that is sent should open at once. */
const HEAD_LINES = 400;
const TAIL_LINES = 100;
const MAX_LINE_CHARACTERS = 4_000;

/** A call's output, in its colours. `rest`: what is known of an output that is not completely here. */
export function output(
  text: string,
  { isError = false, rest = null }: { isError?: boolean; rest?: { tail: string; lines: number } | null } = {},
): HtmlValue {
  const lines = textLines(text);
  if (lines.length === 0 && rest === null) return null;
  const className = isError ? "out err" : "out";
  if (rest === null && lines.length <= HEAD_LINES + TAIL_LINES)
    return html`<pre class="${className}">${terminal(lines)}</pre>`;
  const tail = (rest ? textLines(rest.tail) : lines).slice(-TAIL_LINES);
  // If the text is cut, so is its last line.
  const head = lines.slice(0, Math.min(HEAD_LINES, Math.max(1, lines.length - 1)));
  const left = Math.max(1, (rest?.lines ?? lines.length) - head.length - tail.length);
  return html`<pre class="${className}">${terminal(head)}</pre>
<p class="left">${formatCount(left)} ${left === 1 ? "line" : "lines"} left out</p>
<pre class="${className}">${terminal(tail)}</pre>`;
}

function terminal(lines: readonly string[]): HtmlValue {
  return tokenizeAnsi(lines.map(cutLine).join("\n")).map(token);
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${textStart(line, MAX_LINE_CHARACTERS)} … ${formatCount(line.length - MAX_LINE_CHARACTERS)} more characters`;
}

function token(one: AnsiToken): HtmlValue {
  if (one.kind === "control") return html`<span class="a-dim">${one.label}</span>`;
  const names = classesOf(one.style);
  const safe = one.href === null ? null : safeHref(one.href);
  if (safe)
    return html`<a class="${names}" href="${safe.href}" rel="noopener noreferrer">${visible(one.text)}</a>`;
  return names === "" ? visible(one.text) : html`<span class="${names}">${visible(one.text)}</span>`;
}

function classesOf({ fg, bg, bold, dim, italic, underline, strike, inverse }: AnsiStyle): string {
  const ground = inverse ? (fg ?? "fg") : bg;
  const names = [
    ground ? `on-${ground}` : fg ? `a-${fg}` : dim ? "a-dim" : "",
    bold ? "b" : "",
    italic ? "i" : "",
    underline ? "u" : "",
    strike ? "st" : "",
  ];
  return names.filter(Boolean).join(" ");
}

/** An output as plain text. */
export function plain(text: string): Html {
  return html`<pre class="out">${visible(text)}</pre>`;
}
