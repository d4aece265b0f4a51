import { Button } from "@/components/ui/button";

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
    <Button
      key={value}
      kind="quiet"
      className="h-5 px-1.5 print:hidden"
      pressed={value === look}
      onClick={() => onChange(value)}
    >
      {label}
    </Button>
  ));
}
