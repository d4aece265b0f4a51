import { findSecrets } from "./find-secrets";
import { decodeString, eachString } from "./json-strings";
import type { FoundSecret } from "./rule";

type Item = { start: number; text: string };

const NONE: ReadonlyMap<number, FoundSecret[]> = new Map();

/**
 * Private keys whose lines are the strings of one list, such as a diff's in a result: where each string begins in the
 * line → its part of a key, with the whole key as its value.
 */
export function keysInLists(line: string): ReadonlyMap<number, FoundSecret[]> {
  if (!line.includes("PRIVATE KEY")) return NONE;
  const lists = new Map<number, Item[]>();
  eachString(line, ({ start, end, list }) => {
    if (list === 0) return;
    const items = lists.get(list) ?? [];
    items.push({ start, text: decodeString(line.slice(start, end)) });
    lists.set(list, items);
  });
  const found = new Map<number, FoundSecret[]>();
  for (const items of lists.values())
    if (items.length > 1 && items.some(({ text }) => text.includes("PRIVATE KEY"))) addParts(items, found);
  return found;
}

function addParts(items: readonly Item[], found: Map<number, FoundSecret[]>): void {
  const keys = findSecrets(items.map(({ text }) => text).join("\n")).filter(
    ({ rule }) => rule === "private-key",
  );
  let next = 0;
  let from = 0;
  for (const { start, text } of items) {
    const to = from + text.length;
    while ((keys[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    for (let at = next; (keys[at]?.start ?? Number.POSITIVE_INFINITY) < to; at++) {
      const key = keys[at] as FoundSecret;
      // A key that is whole in one string is found there.
      if (key.start >= from && key.end <= to) continue;
      // The sign with which a diff marks a line's kind stays.
      const begin = Math.max(key.start - from, /^[+ -]/.test(text) ? 1 : 0);
      const value = key.value.replace(/^[+-]/, "");
      const part = { ...key, start: begin, end: Math.min(key.end, to) - from, value };
      if (part.end > part.start) found.set(start, [...(found.get(start) ?? []), part]);
    }
    from = to + 1;
  }
}
