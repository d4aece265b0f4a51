import { diffWordsWithSpace } from "diff";
import type { Mark } from "@/components/content/code/line-pieces";

/** Longer lines have their tint alone. */
const LINE_CHARACTERS = 2_000;
const TIMEOUT_MS = 20;
/** A pair with less in common than this is not one line changed but two lines. */
const SHARED_SHARE = 0.3;

export type WordMarks = { removed: Mark[]; added: Mark[] };

const NONE: WordMarks = { removed: [], added: [] };

/** The words that differ between a removed line and the one put in its place; none where they are unlike. */
export function wordMarks(removed: string, added: string): WordMarks {
  if (removed.length > LINE_CHARACTERS || added.length > LINE_CHARACTERS) return NONE;
  const parts = diffWordsWithSpace(removed, added, { timeout: TIMEOUT_MS });
  if (!parts) return NONE;
  const marks: WordMarks = { removed: [], added: [] };
  let inRemoved = 0;
  let inAdded = 0;
  let shared = 0;
  for (const { value, added: isAdded, removed: isRemoved } of parts) {
    if (isRemoved) marks.removed.push({ from: inRemoved, to: inRemoved + value.length });
    else if (isAdded) marks.added.push({ from: inAdded, to: inAdded + value.length });
    else shared += value.trim().length;
    if (!isAdded) inRemoved += value.length;
    if (!isRemoved) inAdded += value.length;
  }
  const shorter = Math.min(removed.trim().length, added.trim().length);
  return shared < shorter * SHARED_SHARE ? NONE : marks;
}
