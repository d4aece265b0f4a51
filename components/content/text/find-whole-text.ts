import type { CutText } from "@/lib/wire/row-base";

/**
 * The string in a record that a cut text is the beginning of: the longest one that starts with it.
 * `null` when the record holds none. Walks without recursion, since records can be deep.
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
