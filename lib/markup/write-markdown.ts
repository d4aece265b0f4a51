/** A text in Markdown as code within a line, which no backtick of its own ends; nothing for an empty text. */
export function codeSpan(text: string): string {
  const line = text.includes("\n") ? onOneLine(text) : text;
  if (line === "") return "";
  const ticks = fenceFor(line, 1);
  return ticks.length > 1 ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Backticks that can enclose any text: one more than the longest run in it, and no fewer than `least`. */
export function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

/** A text in Markdown as a quote. */
export function quoteText(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** A text without line breaks: an empty line would end whatever contains it. */
export function onOneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

/** A text on a line of Markdown as it is written: a path with stars, an output that is a tag, arguments of many lines. */
export function asWritten(text: string): string {
  return onOneLine(text).replace(/[\\`*_~[\]<&]/g, "\\$&");
}
