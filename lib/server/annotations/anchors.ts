import { createHash } from "node:crypto";
import { splitPastes, textStart } from "@/lib/format/text";
import type { ContentBlock } from "@/lib/log/records/content-block";
import type { SessionRecord } from "@/lib/log/records/session-record";
import { markdownText } from "@/lib/markup/parse-markdown";
import type { AnchorState, AnnotationTarget, TextQuote, TextRange } from "@/lib/wire/annotations";

/** UTF-16 units before and after a quote, as far as there are any. */
const CONTEXT = 48;
/** The length of the quote of a whole block or record. */
const MAX_QUOTE = 2_000;

/** The raw text of a block, or of a record that has no block of that number: ranges are offsets in this text. */
export function rawTextOf(record: SessionRecord, block: number | null): string {
  if (record.kind === "unreadable") return record.reason;
  const blocks = record.kind === "user" || record.kind === "assistant" ? record.blocks : [];
  const one = blocks[block ?? 0];
  return one ? textOfBlock(one) : JSON.stringify(record.logged, null, 2);
}

function textOfBlock(block: ContentBlock): string {
  switch (block.kind) {
    case "text":
    case "thinking":
      return block.text;
    case "tool-use":
      return [
        block.name,
        ...Object.entries(block.input).map(([name, value]) => `${name}: ${asText(value)}`),
      ].join("\n");
    case "tool-result":
      return block.content.map(textOfBlock).join("\n");
    case "media":
      return block.type;
    case "unknown":
      return JSON.stringify(block.json, null, 2);
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

/** The longest text that is drawn to tell how a quote reads. */
const MAX_DRAWN = 100_000;

/**
 * How the beginning of a block's text reads on the page, which draws as Markdown what the model wrote, and of a prompt
 * what follows its first line; null for a text that is shown as it is.
 */
export function drawnTextOf(record: SessionRecord, block: number | null): string | null {
  const blocks = record.kind === "user" || record.kind === "assistant" ? record.blocks : [];
  const one = blocks[block ?? 0];
  if (one?.kind !== "text" && one?.kind !== "thinking") return null;
  const text = textStart(one.text, MAX_DRAWN);
  if (record.kind === "assistant") return markdownText(text);
  const [first = "", ...rest] = text.split("\n");
  const isPasted = splitPastes(text).some(({ pasted }) => pasted);
  return isPasted || rest.length === 0 ? null : `${first}\n${markdownText(rest.join("\n"))}`;
}

/** The hash by which a text is known to have changed since it was annotated, in base64url. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * What an annotation of this text stores of it: of a range, or of the whole text if that is null.
 * @param drawn `drawnTextOf` the block
 */
export function quoteOf(text: string, range: TextRange | null, drawn: string | null): TextQuote {
  if (!range)
    return asShown({ exact: whole(text, 0, MAX_QUOTE), prefix: "", suffix: "" }, text, range, drawn);
  const quote = {
    exact: text.slice(range.from, range.to),
    prefix: whole(text, Math.max(0, range.from - CONTEXT), range.from),
    suffix: whole(text, range.to, range.to + CONTEXT),
  };
  return asShown(quote, text, range, drawn);
}

/** UTF-16 units by which one of several equal places is told. */
const MAX_BEFORE = 400;

/** A quote of a text, or of a range of it, with how it reads on the page where that is not what it says. */
export function asShown(
  quote: TextQuote,
  text: string,
  range: TextRange | null,
  drawn: string | null,
): TextQuote {
  if (drawn === null || quote.shown !== undefined) return quote;
  const { exact } = quote;
  let shown = whole(drawn, 0, MAX_QUOTE);
  if (range) {
    // In the whole text: a quote may begin or end between two marks that belong together.
    const before = text.slice(Math.max(0, range.from - MAX_BEFORE), range.from);
    const there = findSelected(drawn, { text: exact, before });
    shown = there ? drawn.slice(there.from, there.to) : markdownText(exact);
  }
  const isSame = shown.replace(/\s+/g, "") === exact.replace(/\s+/g, "");
  return isSame || shown === "" ? quote : { ...quote, shown };
}

/** A part of a text, without half a character at either end. */
function whole(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}

/** White space, and characters of Markdown and diffs that a page does not show. */
const NOT_SHOWN = /[\s*_`#>~|+-]/;

/**
 * Where in a text a selection is that was made on the page: without markup, and with other white space. Of several
 * places it is the one with the best match of `before`.
 * @returns null if it is not found
 */
export function findSelected(text: string, selected: { text: string; before: string }): TextRange | null {
  const { letters, places } = lettersOf(text);
  const wanted = lettersOf(selected.text).letters;
  if (wanted === "") return null;
  const before = lettersOf(selected.before).letters;
  const best = bestPlace(letters, wanted, (at) => sameEnd(letters.slice(0, at), before));
  if (best === null) return null;
  return { from: places[best] as number, to: (places[best + wanted.length - 1] as number) + 1 };
}

/** What the page shows of a text, and the offset in the text of each of its units. */
function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = [];
  let letters = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (NOT_SHOWN.test(letter)) continue;
    letters += letter;
    places.push(at);
  }
  return { letters, places };
}

/**
 * Where a text contains another with the best match of its surroundings, null for nowhere. The first one of several
 * equal ones.
 */
function bestPlace(text: string, wanted: string, likeness: (at: number) => number): number | null {
  let best: number | null = null;
  let most = -1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const alike = likeness(at);
    if (alike <= most) continue;
    most = alike;
    best = at;
  }
  return best;
}

function sameEnd(text: string, end: string): number {
  let same = 0;
  while (same < end.length && same < text.length && text.at(-1 - same) === end.at(-1 - same)) same++;
  return same;
}

function sameStart(text: string, start: string): number {
  let same = 0;
  while (same < start.length && same < text.length && text[same] === start[same]) same++;
  return same;
}

/** The position of an annotation in the current text of its block. */
export function anchorIn(
  text: string,
  { range, quote, hash }: Pick<AnnotationTarget, "range" | "quote" | "hash">,
): { state: AnchorState; range: TextRange | null } {
  if (hash === null || hashOf(text) === hash) return { state: "anchored", range };
  if (!quote || quote.exact === "") return { state: "detached", range: null };
  const { exact, prefix, suffix } = quote;
  const at = bestPlace(
    text,
    exact,
    (place) => sameEnd(text.slice(0, place), prefix) + sameStart(text.slice(place + exact.length), suffix),
  );
  if (at === null) return { state: "detached", range: null };
  return { state: "moved", range: range && { from: at, to: at + exact.length } };
}
