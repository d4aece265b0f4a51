import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/client/class-names";
import { Icon } from "./icon";

/** A one-line text field. `label` names it; `children` stand at its right edge (a key, a count, a button). */
export function Field({
  label,
  icon,
  tall,
  mono,
  className,
  children,
  ...rest
}: ComponentProps<"input"> & {
  label: string;
  icon?: LucideIcon;
  tall?: boolean;
  mono?: boolean;
  children?: ReactNode;
}) {
  return (
    <span
      className={cx(
        "flex min-w-0 items-center gap-1.5 rounded-2 border border-line-3 bg-bg px-2 text-12 text-fg-3",
        "focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent",
        tall ? "h-7" : "h-6",
        className,
      )}
    >
      {icon ? <Icon of={icon} small /> : null}
      <input
        aria-label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={cx(
          "h-full min-w-0 flex-1 bg-transparent text-fg outline-none focus-visible:outline-none",
          mono && "font-mono",
        )}
        {...rest}
      />
      {children}
    </span>
  );
}
