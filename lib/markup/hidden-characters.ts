import { spellControls } from "@/lib/format/text";

/** Visible text, or an invisible character that could change what the rest means. */
export type VisiblePart = { kind: "text"; text: string } | { kind: "hidden"; text: string; label: string };

// Bidi controls, zero-width characters, the byte order mark, soft hyphens and tag characters.
const HIDDEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Whether any character would be invisible. Cheap, since it is called for every text on screen. */
export function hasHidden(text: string): boolean {
  // A global regular expression's `test` would move `lastIndex`, and the next split would start from there.
  return text.search(HIDDEN) !== -1;
}

/**
 * Splits text at invisible characters. A zero-width joiner between two pictographs is kept, since it makes them one
 * glyph. Concatenated, the parts are the text.
 */
export function splitHidden(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[0];
    const end = match.index + character.length;
    if (character === "\u200d" && joinsPictographs(text, match.index)) continue;
    if (match.index > from) parts.push({ kind: "text", text: text.slice(from, match.index) });
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    parts.push({ kind: "hidden", text: character, label: `U+${point}` });
    from = end;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/**
 * The same as one text, where there is no place for badges, as in a tooltip or a label: such a character is put as
 * `[U+202E]`, and a control character as its symbol.
 */
export function labelHidden<Text extends string | null | undefined>(
  text: Text,
): Text extends string ? string : string | undefined;
export function labelHidden(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const spelled = spellControls(text);
  if (!hasHidden(spelled)) return spelled;
  return splitHidden(spelled)
    .map((part) => (part.kind === "text" ? part.text : `[${part.label}]`))
    .join("");
}

function joinsPictographs(text: string, at: number): boolean {
  return (
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  );
}
