import { VisibleText } from "@/components/content/text/visible-text";
import type { SearchHit } from "@/lib/wire/search";
import { snippetParts } from "./search-snippet";

/** Text around a find, the find marked. `lead`: characters kept before it where the line is short. */
export function Snippet({ hit, lead = 48 }: { hit: Pick<SearchHit, "snippet" | "ranges">; lead?: number }) {
  return snippetParts(hit, lead).map(({ text, found }, index) =>
    found ? (
      <mark key={index}>
        <VisibleText text={text} />
      </mark>
    ) : (
      <VisibleText key={index} text={text} />
    ),
  );
}
