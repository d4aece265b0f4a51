import { shortToolName } from "@/lib/tools/tools";
import type { AgentStep } from "@/lib/wire/rows";
import { VisibleText } from "./visible-text";

/** What an agent that runs is at, behind what it was asked. */
export function LatestStep({ step }: { step: AgentStep | null }) {
  if (!step) return null;
  return (
    <span className="text-fg-2">
      {" · "}
      {step.name && <span className="font-semibold">{shortToolName(step.name)} </span>}
      <VisibleText text={step.subject} />
    </span>
  );
}
