import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import type { Citation } from "@/lib/wire/rows";
import { firstWords } from "./cut-text";

const MOST_CITATIONS = 30;
const TITLE_CHARACTERS = 200;

/** What a text block names as its sources, each once; `undefined` without any. */
export function citationsOf(block: JsonObject): Citation[] | undefined {
  const found = new Map<string, Citation>();
  for (const value of asArray(block.citations)) {
    const citation = asObject(value);
    const url = asString(citation?.url) ?? asString(citation?.source);
    const title = asString(citation?.title) ?? asString(citation?.document_title);
    const key = url ?? title;
    if (key === null || found.size >= MOST_CITATIONS) continue;
    found.set(key, { url, title: firstWords(title ?? key, TITLE_CHARACTERS) });
  }
  return found.size === 0 ? undefined : [...found.values()];
}
