import { clsx } from "clsx";
import { Button, type ButtonProps } from "@/components/ui/button";

/**
 * Buttons that switch between views of the same content, in an opened call's bar. Renders nothing for a single view.
 */
export function LookButtons<Look extends string>({
  looks,
  look,
  onChange,
}: {
  looks: readonly { value: Look; label: string }[];
  look: Look;
  onChange: (look: Look) => void;
}) {
  if (looks.length < 2) return null;
  return looks.map(({ value, label }) => (
    <LookButton key={value} pressed={value === look} onClick={() => onChange(value)}>
      {label}
    </LookButton>
  ));
}

/**
 * A button of such a bar, marked by its weight alone: a background would make two switches side by side look like one.
 */
export function LookButton({ className, ...props }: Omit<ButtonProps, "kind">) {
  return (
    <Button
      kind="quiet"
      className={clsx(
        "h-5 px-1.5 print:hidden aria-pressed:border-transparent aria-pressed:bg-transparent",
        className,
      )}
      {...props}
    />
  );
}
