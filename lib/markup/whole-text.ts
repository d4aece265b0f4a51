import type { CutText } from "@/lib/wire/rows";

/**
 * The longest string in a record that starts with a truncated text; `null` when the record contains none. Iterative,
 * since records can be nested deeply.
 */
export function findWholeText(json: unknown, cut: CutText): string | null {
  const start = cut.text.trimStart();
  let whole: string | null = null;
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") {
      const fits = value.length > cut.text.length && value.trimStart().startsWith(start);
      if (fits && value.length > (whole?.length ?? 0)) whole = value;
    } else if (typeof value === "object" && value !== null) {
      for (const child of Object.values(value)) left.push(child);
    }
  }
  return whole;
}
