import { cx } from "@/lib/client/class-names";

/** A number at the right edge. Not known yet is blank, none is a dot: neither shouts. */
export function NumberCell({
  value,
  format,
  label,
  none = "0",
  className,
}: {
  value: number | null;
  format: (value: number) => string;
  label: string;
  /** What 0 means, where it is not just none. */
  none?: string;
  className?: string;
}) {
  return (
    <span role="cell" className={cx("text-right tabular-nums", className ?? "text-fg-2")}>
      {value === null ? (
        <span className="text-fg-3" title={`${label}: not counted yet`}>
          <span className="sr-only">not counted yet</span>
        </span>
      ) : value === 0 ? (
        <span className="text-fg-3" title={none === "0" ? undefined : none}>
          <span aria-hidden="true">·</span>
          <span className="sr-only">{none}</span>
        </span>
      ) : (
        format(value)
      )}
    </span>
  );
}
