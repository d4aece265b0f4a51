import { Button } from "@/components/ui/button";

/** Ways to look at the same thing, in an opened call's bar. Nothing where there is only one. */
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
      className="h-5 px-1.5"
      pressed={value === look}
      onClick={() => onChange(value)}
    >
      {label}
    </Button>
  ));
}
