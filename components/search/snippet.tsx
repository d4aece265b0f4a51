import type { ReactNode } from "react";
import type { SearchHit } from "@/lib/wire/search";
import { VisibleText } from "../thread/text/visible-text";

/** Where more text than this stands before the first find, its beginning is cut: the find must be seen. */
const LEAD_CHARACTERS = 48;

/** Text around a find, the find marked. Ranges that do not fit the text are left out. */
export function Snippet({ hit: { snippet, ranges } }: { hit: Pick<SearchHit, "snippet" | "ranges"> }) {
  const first = ranges[0]?.[0] ?? 0;
  const begin = first > LEAD_CHARACTERS * 1.5 ? first - LEAD_CHARACTERS : 0;
  const parts: ReactNode[] = begin > 0 ? ["…"] : [];
  let at = begin;
  for (const [from, to] of ranges) {
    if (from < at || to > snippet.length || to <= from) continue;
    parts.push(<VisibleText key={`t${at}`} text={snippet.slice(at, from)} />);
    parts.push(
      <mark key={from}>
        <VisibleText text={snippet.slice(from, to)} />
      </mark>,
    );
    at = to;
  }
  return (
    <>
      {parts}
      <VisibleText text={snippet.slice(at)} />
    </>
  );
}
