import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon";

/** Classes of a button with an icon at the right edge of a field: as high as the field, and large enough for a finger. */
export const FIELD_BUTTON =
  "-my-px -mr-1.5 flex size-control flex-none items-center justify-center rounded-1 hover:text-fg";

/**
 * A one-line text field. `label` is its accessible name; `children` go at its right edge (a key, a count, a button).
 */
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
      className={clsx(
        "flex min-w-0 items-center gap-1.5 rounded-2 border border-line-3 bg-bg px-2 text-12 text-fg-3",
        "focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent",
        tall ? "h-7 max-sm:h-9" : "h-control",
        className,
      )}
    >
      {icon ? <Icon of={icon} small /> : null}
      <input
        aria-label={label}
        dir="auto"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className={clsx(
          "h-full min-w-0 flex-1 bg-transparent text-fg outline-none focus-visible:outline-none",
          mono && "font-mono",
        )}
        {...rest}
      />
      {children}
    </span>
  );
}

/** A checkbox with its label. */
export function CheckField({
  checked,
  disabled = false,
  onChange,
  children,
}: {
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className={`inline-flex items-start gap-2 pointer-coarse:py-1 ${disabled ? "text-fg-3" : ""}`}>
      <span className="flex h-[1lh] flex-none items-center">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          className="size-[13px] accent-accent"
        />
      </span>
      <span>{children}</span>
    </label>
  );
}

/** A choice of a segmented field. */
export type SegmentChoice<Value> = { value: Value; label: string };

/**
 * A segmented control: one choice of a few, all visible where there is room; else it scrolls, and the current one is in
 * view. `label` names the group.
 */
export function Segmented<Value extends string | number | boolean>({
  label,
  choices,
  value,
  onChange,
  className,
}: {
  label: string;
  choices: readonly SegmentChoice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
}) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(String(value))}"]`);
    if (box.current && chosen) showWithin(box.current, chosen);
  }, [value]);
  return (
    <fieldset
      ref={box}
      aria-label={label}
      className={clsx(
        "relative inline-flex h-control flex-none rounded-2 border border-line-2 bg-bg",
        // Where a narrow bar has no room for it, it scrolls, and what stands behind it stays in reach.
        "max-sm:min-w-0 max-sm:shrink max-sm:overflow-x-auto max-sm:[scrollbar-width:none]",
        className,
      )}
    >
      {choices.map((choice) => (
        <button
          key={String(choice.value)}
          type="button"
          aria-pressed={choice.value === value}
          data-label={choice.label}
          data-value={String(choice.value)}
          onClick={() => onChange(choice.value)}
          className={clsx(
            "flex-none border-l border-line px-2 text-12 whitespace-nowrap text-fg-2 -outline-offset-2! first:rounded-l-[4px] first:border-l-0 last:rounded-r-[4px] lg:bold-width",
            "hover:text-fg aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-fg",
          )}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}

/** Scrolls a box sideways until a part of it is in view. The page itself stays where it is. */
export function showWithin(box: HTMLElement, part: HTMLElement): void {
  const right = part.offsetLeft + part.offsetWidth;
  if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
  if (part.offsetLeft < box.scrollLeft) box.scrollLeft = part.offsetLeft;
}
