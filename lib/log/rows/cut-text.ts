import type { CutText } from "@/lib/wire/row-base";

/** The text cut to `limit` UTF-16 units, never between the halves of a pair. `length` is the whole text's. */
export function cutText(text: string, limit: number): CutText {
  if (text.length <= limit) return { text, cut: false, length: text.length };
  return { text: prefix(text, limit), cut: true, length: text.length };
}

/** The first words of a text on one line, with `…` where it was longer. */
export function firstWords(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > limit ? `${prefix(line, limit - 1).trimEnd()}…` : line;
}

function prefix(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
