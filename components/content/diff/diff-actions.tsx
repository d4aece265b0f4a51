import { LookButtons } from "@/components/content/text/look-buttons";
import { Button } from "@/components/ui/button";
import type { DiffChoice } from "./use-diff-choice";

const LAYOUTS = [
  { value: "unified", label: "Unified" },
  { value: "split", label: "Split" },
] as const;

/** How a diff lies, and whether changes in spaces count, in its bar. */
export function DiffActions({ choice }: { choice: DiffChoice }) {
  return (
    <span className="flex flex-none items-center max-sm:hidden">
      <LookButtons
        looks={LAYOUTS}
        look={choice.split ? "split" : "unified"}
        onChange={(layout) => choice.setSplit(layout === "split")}
      />
      <Button
        kind="quiet"
        className="h-5 px-1.5"
        pressed={!choice.ignoreSpace}
        title="Whether lines that differ in spaces alone are shown as changed"
        onClick={() => choice.setIgnoreSpace(!choice.ignoreSpace)}
      >
        Whitespace
      </Button>
    </span>
  );
}
