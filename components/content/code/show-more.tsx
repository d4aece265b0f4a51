import { formatCount } from "@/lib/format/format-count";
import type { Steps } from "./use-steps";

/** The hatched bar below a part of something long: what is left, and how to see it. */
export function ShowMore({ steps, unit }: { steps: Steps; unit: string }) {
  const left = steps.total - steps.shown;
  if (left <= 0) return null;
  return (
    <div className="hatch flex h-6 items-center gap-3 border-y border-line px-3 font-sans text-11 tabular-nums">
      <span className="bg-panel px-1 text-fg-2">
        {formatCount(left)} more {unit}
      </span>
      <button type="button" className="bg-panel px-1 text-accent hover:underline" onClick={steps.showNext}>
        Show next {formatCount(Math.min(steps.step, left))}
      </button>
      {left > steps.step && (
        <button type="button" className="bg-panel px-1 text-accent hover:underline" onClick={steps.showAll}>
          Show all
        </button>
      )}
    </div>
  );
}
