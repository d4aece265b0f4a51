import { CircleDollarSign, CircleHelp, type LucideIcon, Star } from "lucide-react";
import { COSTLIEST, isCostliest, type LibraryFilters } from "./library-filters";

/** A list of sessions that everybody has, whichever projects they have. */
export type OwnPlace = {
  label: string;
  icon: LucideIcon;
  filters: Partial<LibraryFilters>;
  isHere: (filters: LibraryFilters) => boolean;
  /** What is said where it has none. */
  none: { title: string; text: string };
};

const byWords = (label: string, icon: LucideIcon, q: string, none: OwnPlace["none"]): OwnPlace => ({
  ...{ label, icon, none },
  filters: { q },
  isHere: (filters) => filters.q.trim() === q,
});

/** What the reader starred, what waits for an answer, and what costs most. */
export const OWN_PLACES: readonly OwnPlace[] = [
  byWords("Starred", Star, "is:starred", {
    title: "No starred sessions",
    text: "Star a session, in this list (*) or when it is open, to find it here.",
  }),
  byWords("Unanswered", CircleHelp, "is:unanswered", {
    title: "Nothing is left unanswered",
    text: "Sessions that ended with a question, with a plan that nobody approved, or with a prompt that got no answer are listed here.",
  }),
  {
    label: "Costliest, last 7 days",
    icon: CircleDollarSign,
    filters: COSTLIEST,
    isHere: isCostliest,
    none: {
      title: "No sessions in the last 7 days",
      text: "Those of the last week are listed here, the costliest first.",
    },
  },
];

/** What changes on the way to a place: the time and the order of the costliest belong to that, where they were not chosen one by one. */
export function onTheWayTo(to: Partial<LibraryFilters>, filters: LibraryFilters): Partial<LibraryFilters> {
  return isCostliest(filters) ? { since: null, sort: "active", ...to } : to;
}
