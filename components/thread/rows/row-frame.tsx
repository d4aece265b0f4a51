import type { ReactNode } from "react";
import { cx } from "@/lib/client/class-names";
import { Rail } from "../rail/rail";
import type { NodeShape } from "../rail/rail-node";
import { useThreadActions } from "../thread-context";

/** Rail left, content right, and the tint of a selected row behind both. */
export function RowFrame({
  node,
  selected,
  tall = false,
  hover = false,
  children,
}: {
  node: NodeShape;
  selected: boolean;
  /** The row is its whole height (prose), not a line with something below. */
  tall?: boolean;
  hover?: boolean;
  children: ReactNode;
}) {
  const { lane } = useThreadActions();
  return (
    <div
      className={cx(
        "relative grid grid-cols-[var(--rail)_minmax(0,1fr)]",
        selected && "[--ground:var(--sel)]",
      )}
    >
      <RowTint selected={selected} tall={tall} hover={hover} />
      <Rail node={node} lane={lane} />
      <div className="relative min-w-0">{children}</div>
    </div>
  );
}

/** Selection is the tint and a bar at the left edge; the focused row also has a frame. */
export function RowTint({ selected, tall, hover }: { selected: boolean; tall: boolean; hover: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "absolute inset-x-0 top-0 transition-colors duration-[var(--fast)]",
        tall ? "h-full" : "h-row",
        selected ? "border-l-2 border-accent bg-sel" : hover && "left-(--rail)! group-hover/row:bg-raised",
        "group-focus-visible/row:ring-2 group-focus-visible/row:ring-accent group-focus-visible/row:ring-inset",
      )}
    />
  );
}
