import type { ReactNode } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { cx } from "@/lib/client/class-names";
import { Rail } from "../rail/rail";
import type { NodeShape } from "../rail/rail-node";

/** Rail left, content right, and the tint of a selected row behind both. */
export function RowFrame({
  node,
  selected,
  tall = false,
  children,
}: {
  node: NodeShape;
  selected: boolean;
  /** The row is its whole height (prose), not a line with something below. */
  tall?: boolean;
  /** A line and what is open below it: two boxes at most, beside the rail. */
  children: ReactNode;
}) {
  const { lane } = useThreadActions();
  return (
    <div
      className={cx(
        "grid grid-cols-[var(--rail)_minmax(0,1fr)]",
        // Placed only where something lies below it: a placed box costs the browser more than a plain one.
        selected && "relative isolate [--ground:var(--sel)] [--hover:transparent]",
      )}
    >
      {selected && <RowTint tall={tall} />}
      <Rail node={node} lane={lane} opens />
      {children}
    </div>
  );
}

/** Selection is the tint and a bar at the left edge; the focused row also has a frame. */
export function RowTint({ tall }: { tall: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "absolute inset-x-0 top-0 -z-1 border-l-2 border-accent bg-sel",
        "group-focus-visible/row:ring-2 group-focus-visible/row:ring-accent group-focus-visible/row:ring-inset",
        tall ? "h-full" : "h-row",
      )}
    />
  );
}
