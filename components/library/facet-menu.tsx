import { ChevronDown } from "lucide-react";
import { useMemo } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { formatCount } from "@/lib/format/format-count";
import type { SessionSummary } from "@/lib/wire/library";
import { useLibraryFilters } from "./use-library-filters";

const MOST = 60;

/** One of the values that the loaded sessions have, the commonest first. */
export function FacetMenu({
  name,
  label,
  sessions,
  valuesOf,
}: {
  name: "branch" | "model";
  label: string;
  sessions: readonly SessionSummary[];
  valuesOf: (session: SessionSummary) => readonly string[];
}) {
  const [filters, setFilters] = useLibraryFilters();
  const chosen = filters[name];
  const values = useMemo(() => countValues(sessions, valuesOf), [sessions, valuesOf]);
  return (
    <Menu
      label={label}
      trigger={
        <Button kind="quiet" pressed={chosen !== null} className="max-w-56 max-sm:hidden">
          <span className="truncate">{chosen ?? label}</span>
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      <MenuChoice chosen={chosen === null} onSelect={() => setFilters({ [name]: null })}>
        Any {label.toLowerCase()}
      </MenuChoice>
      <MenuLine />
      {values.slice(0, MOST).map(([value, count]) => (
        <MenuChoice
          key={value}
          chosen={chosen === value}
          aside={formatCount(count)}
          onSelect={() => setFilters({ [name]: value })}
        >
          {value}
        </MenuChoice>
      ))}
      {values.length === 0 ? <p className="px-2 py-1 text-12 text-fg-3">None known yet</p> : null}
    </Menu>
  );
}

function countValues(
  sessions: readonly SessionSummary[],
  valuesOf: (session: SessionSummary) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const session of sessions) {
    for (const value of valuesOf(session)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}
