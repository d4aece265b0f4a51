import type { CutText } from "@/lib/wire/rows";

/** The elements of a notification that hold what was reported. */
const REPORTED = ["result", "event"];

/**
 * The longest string in a record that starts with a truncated text, or what a notification reports if that does;
 * `null` when the record contains none. Iterative, since records can be nested deeply.
 */
export function findWholeText(json: unknown, cut: CutText): string | null {
  const start = cut.text.trimStart();
  let whole: string | null = null;
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") {
      for (const text of [value, ...REPORTED.flatMap((tag) => elementIn(value, tag))]) {
        const fits = text.length > cut.text.length && text.trimStart().startsWith(start);
        if (fits && text.length > (whole?.length ?? 0)) whole = text;
      }
    } else if (typeof value === "object" && value !== null) {
      for (const child of Object.values(value)) left.push(child);
    }
  }
  return whole;
}

/** The inside of an element, to the last of its ends, as a report may quote one; empty where there is none. */
function elementIn(text: string, tag: string): string[] {
  const at = text.indexOf(`<${tag}>`);
  if (at === -1) return [];
  const end = text.lastIndexOf(`</${tag}>`);
  return [text.slice(at + tag.length + 2, end < at ? undefined : end).trim()];
}
