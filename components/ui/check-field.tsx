import type { ReactNode } from "react";

/** A checkbox with its words. */
export function CheckField({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="inline-flex items-start gap-2">
      <span className="flex h-[1lh] flex-none items-center">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="size-[13px] accent-accent"
        />
      </span>
      <span>{children}</span>
    </label>
  );
}
