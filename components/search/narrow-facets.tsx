import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/lib/format/format-count";
import type { SearchField, SearchHit } from "@/lib/wire/search";
import { countFacet, type Facets, FIELD_WORDS } from "./search-facets";
import { toggleFacet } from "./search-url";

/** Where there is no left column: in which field hits stand, as buttons in a line that scrolls. */
export function NarrowFacets({
  hits,
  facets,
  onChange,
}: {
  hits: readonly SearchHit[];
  facets: Facets;
  onChange: (change: Partial<Facets>) => void;
}) {
  const fields = useMemo(() => countFacet(hits, facets, "fields"), [hits, facets]);
  if (fields.length < 2 && facets.fields.length === 0) return null;
  return (
    <fieldset
      aria-label="Found in"
      className="hidden min-w-0 flex-none gap-1 overflow-x-auto border-b border-line px-3 py-1.5 max-md:flex"
    >
      {fields.map(([field, count]) => (
        <Button
          key={field}
          pressed={facets.fields.includes(field)}
          onClick={() => onChange(toggleFacet(facets, "fields", field))}
        >
          {FIELD_WORDS[field as SearchField] ?? field}
          <span className="text-11 text-fg-3 tabular-nums">{formatCount(count)}</span>
        </Button>
      ))}
    </fieldset>
  );
}
