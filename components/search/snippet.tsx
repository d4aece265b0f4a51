import type { ReactNode } from "react";
import type { SearchHit } from "@/lib/wire/search";
import { VisibleText } from "../thread/text/visible-text";

/** Text around a find, the find marked. Ranges that do not fit the text are left out. */
export function Snippet({ hit: { snippet, ranges } }: { hit: Pick<SearchHit, "snippet" | "ranges"> }) {
  const parts: ReactNode[] = [];
  let at = 0;
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
