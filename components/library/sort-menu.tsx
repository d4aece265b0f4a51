import { ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuChoice } from "@/components/ui/menu";
import type { SessionSort } from "@/lib/wire/library";
import { SORTS } from "./library-filters";
import { useLibraryFilters } from "./use-library-filters";

const LABELS: { [Sort in SessionSort]: string } = {
  active: "Last active",
  started: "Started",
  title: "Title",
  bytes: "Size",
  turns: "Turns",
  tools: "Tools",
  errors: "Errors",
  tokens: "Tokens",
};

/** The order of the list. Most first; titles from A. */
export function SortMenu() {
  const [{ sort }, setFilters] = useLibraryFilters();
  return (
    <Menu
      label="Order"
      align="end"
      trigger={
        <Button kind="quiet" aria-label={`Order: ${LABELS[sort]}`} className="max-sm:hidden">
          {LABELS[sort]}
          <Icon of={ChevronDown} small />
        </Button>
      }
    >
      {SORTS.map((one) => (
        <MenuChoice key={one} chosen={one === sort} onSelect={() => setFilters({ sort: one })}>
          {LABELS[one]}
        </MenuChoice>
      ))}
    </Menu>
  );
}
