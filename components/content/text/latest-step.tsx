import { shortToolName } from "@/lib/tools/tools";
import type { AgentStep } from "@/lib/wire/rows";
import { VisibleText } from "./visible-text";

/** The current step of a running agent, shown after its task. */
export function LatestStep({ step }: { step: AgentStep | null }) {
  if (!step) return null;
  return (
    <span data-log="none" className="text-fg-2">
      {" · "}
      {step.name && <span className="font-semibold">{shortToolName(step.name)} </span>}
      <VisibleText text={step.subject} />
    </span>
  );
}
