import { CircleDollarSign, CircleHelp, type LucideIcon, Star } from "lucide-react";
import { COSTLIEST, isCostliest, type LibraryFilters } from "./library-filters";

/** A list of sessions that everybody has, whichever projects they have. */
export type OwnPlace = {
  label: string;
  icon: LucideIcon;
  filters: Partial<LibraryFilters>;
  isHere: (filters: LibraryFilters) => boolean;
};

const byWords = (label: string, icon: LucideIcon, q: string): OwnPlace => ({
  label,
  icon,
  filters: { q },
  isHere: (filters) => filters.q.trim() === q,
});

/** What the reader starred, what waits for an answer, and what costs most. */
export const OWN_PLACES: readonly OwnPlace[] = [
  byWords("Starred", Star, "is:starred"),
  byWords("Unanswered", CircleHelp, "is:unanswered"),
  { label: "Costliest, last 7 days", icon: CircleDollarSign, filters: COSTLIEST, isHere: isCostliest },
];

/** What changes on the way to a place: the time and the order of the costliest belong to that, where they were not chosen one by one. */
export function onTheWayTo(to: Partial<LibraryFilters>, filters: LibraryFilters): Partial<LibraryFilters> {
  return isCostliest(filters) ? { since: null, sort: "active", ...to } : to;
}
