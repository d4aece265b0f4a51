import { parseLine } from "@/lib/log/records/parse-record";
import { evaluate } from "@/lib/query/evaluate";
import { parseQuery } from "@/lib/query/parse-query";
import { searchTerms } from "@/lib/query/required-terms";
import type { TextSpan } from "@/lib/query/text-marks";
import { settled } from "@/lib/server/export/html/log-reader";
import { recordTexts } from "@/lib/server/index/record-texts";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { checkRegex, createTextFinder } from "@/lib/server/search/find-in-text";
import { RegexWatch, SERVER_LIMITS } from "@/lib/server/search/regex-watch";
import { toSnippet } from "@/lib/server/search/text-matcher";
import type { SessionQueries } from "@/lib/server/session/sessions";
import { parseRecordId } from "@/lib/wire/ids";
import type { SearchHit } from "@/lib/wire/search";
import { readSavedOutputs } from "./saved-outputs";

const MAX_RANGES = 20;
const NOTHING = "(inside of what is replaced here: read_record shows the rest)";

/** Finds what a query finds in a text. Filters are not asked again: the text is that of a hit. */
type Finder = { finds(text: string): boolean; ranges(text: string): TextSpan[]; hasTerms: boolean };

/** The finder of a query in texts that were read anew. */
export function finderOf(q: string): Finder {
  const { query } = parseQuery(q, { checkRegex });
  const finder = createTextFinder(query, new RegexWatch(SERVER_LIMITS));
  return {
    hasTerms: searchTerms(query).length > 0,
    finds: (text) =>
      evaluate(query, (leaf) => (leaf.kind === "filter" ? null : finder.holds(leaf, text))) !== false,
    ranges: (text) => finder.ranges(text, MAX_RANGES),
  };
}

/**
 * The snippet of a hit, cut from its text after that was redacted: of half a secret nothing tells that it is one.
 * @param sessions answers with secrets replaced
 * @param titles the texts, already redacted, in which a title is found
 */
export async function redactedSnippet(
  sessions: SessionQueries,
  hit: SearchHit,
  finder: Finder,
  titles: readonly string[],
): Promise<string> {
  try {
    const texts = hit.field === "title" ? titles : await textsOf(sessions, hit);
    const found = snippetIn(texts, finder);
    if (found !== null || hit.field === "title") return found ?? NOTHING;
    const { blobs } = await settled(() => sessions.record(hit.sessionId, hit.recordId));
    const saved = await readSavedOutputs(sessions, hit.sessionId, blobs);
    return (
      snippetIn(
        saved.map(({ text }) => text),
        finder,
      ) ?? NOTHING
    );
  } catch (error) {
    if (!isViewerError(error)) throw error; // the log is gone, or was cut
    return NOTHING;
  }
}

function snippetIn(texts: readonly string[], finder: Finder): string | null {
  const text = texts.find((one) => finder.finds(one)) ?? texts.find((one) => finder.ranges(one).length > 0);
  const ranges = text === undefined ? [] : finder.ranges(text);
  return text === undefined || (finder.hasTerms && ranges.length === 0)
    ? null
    : toSnippet(text, ranges).snippet;
}

/** The texts of a hit's block and field in its line, with secrets replaced. */
async function textsOf(
  sessions: SessionQueries,
  { sessionId, recordId, block, field }: SearchHit,
): Promise<string[]> {
  const { stream } = await sessions.rawRecord(sessionId, recordId);
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const { offset } = parseRecordId(recordId);
  return parseLine({ bytes, offset, length: bytes.length, line: 0 }).flatMap((record) =>
    record.kind === "unreadable"
      ? [new TextDecoder().decode(bytes)]
      : recordTexts(record)
          .filter((one) => one.block === block && one.field === field)
          .map(({ text }) => text),
  );
}
