import type { ComponentProps } from "react";
import { cx } from "@/lib/client/class-names";

const KINDS = {
  plain: "border-line-2 bg-bg text-fg hover:bg-raised",
  primary: "border-accent bg-accent font-semibold text-on-accent",
  quiet: "border-transparent text-fg-2 hover:bg-raised hover:text-fg",
};

export type ButtonProps = ComponentProps<"button"> & {
  kind?: keyof typeof KINDS;
  /** For a button that is on or off. */
  pressed?: boolean;
};

/** A control of 24 px. Also the trigger of menus and dialogs: it passes on its ref and props. */
export function Button({ kind = "plain", pressed, className, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      aria-pressed={pressed}
      className={cx(
        "inline-flex h-6 flex-none items-center gap-1 rounded-2 border px-2 text-12 whitespace-nowrap",
        "transition-colors duration-[var(--fast)] disabled:opacity-50",
        KINDS[kind],
        pressed && "border-line-2 bg-raised font-semibold text-fg",
        className,
      )}
      {...rest}
    />
  );
}
