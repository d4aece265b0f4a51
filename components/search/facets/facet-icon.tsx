import { clsx } from "clsx";
import { Ban, CircleHelp, GitBranch, type LucideIcon, X } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import type { HitState } from "@/lib/wire/search";

/** An icon in the colour of what it stands for. */
export type FacetMark = { icon: LucideIcon; className: string };

/** The marks of states, of those that have one. */
export const STATE_MARKS: Partial<Record<HitState, FacetMark>> = {
  error: { icon: X, className: "text-err" },
  denied: { icon: Ban, className: "text-warn" },
  abandoned: { icon: GitBranch, className: "text-fg-3" },
  unanswered: { icon: CircleHelp, className: "text-fg-3" },
};

/** The mark before a facet's value. */
export function FacetIcon({ of }: { of: FacetMark | null }) {
  return of && <Icon of={of.icon} small className={clsx("flex-none", of.className)} />;
}
