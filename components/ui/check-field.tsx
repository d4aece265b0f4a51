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
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 size-[13px] flex-none accent-accent"
      />
      <span>{children}</span>
    </label>
  );
}
