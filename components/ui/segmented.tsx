import { cx } from "@/lib/client/class-names";

export type Choice<Value> = { value: Value; label: string };

/** One of a few, all visible. `label` names the group. */
export function Segmented<Value extends string | number | boolean>({
  label,
  choices,
  value,
  onChange,
  className,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
}) {
  return (
    <fieldset
      aria-label={label}
      className={cx("inline-flex h-6 flex-none rounded-2 border border-line-2 bg-bg", className)}
    >
      {choices.map((choice) => (
        <button
          key={String(choice.value)}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
          className={cx(
            "border-l border-line px-2 text-12 whitespace-nowrap text-fg-2 first:rounded-l-[4px] first:border-l-0 last:rounded-r-[4px]",
            "hover:text-fg aria-pressed:bg-raised aria-pressed:font-semibold aria-pressed:text-fg",
          )}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
