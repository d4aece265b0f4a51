import { Lock, TriangleAlert } from "lucide-react";
import { useSeen } from "@/components/live/live-seen";
import { Icon } from "@/components/ui/icon";
import { RunningRing } from "@/components/ui/running-ring";
import type { SessionSummary } from "@/lib/wire/library";

/** The mark before a session's title: running, waiting, stopped midway, unreadable, new. Most have none. */
export function StateMark({ session: { id, state, problem, lastActiveAtMs } }: { session: SessionSummary }) {
  const seenMs = useSeen(id);
  if (problem) return <Marked word="Cannot be read" className="text-err" icon={TriangleAlert} />;
  if (state === "waiting") return <Marked word="Waiting" className="text-warn" icon={Lock} />;
  if (state === "running") {
    return (
      <span className="flex justify-center text-run">
        <RunningRing label="Running" />
      </span>
    );
  }
  if (state === "interrupted") {
    return (
      <span className="flex justify-center" title="Interrupted">
        <span className="size-[7px] border-[1.5px] border-fg-3" />
        <span className="sr-only">Interrupted</span>
      </span>
    );
  }
  if (seenMs !== null && (lastActiveAtMs ?? 0) > seenMs) {
    return (
      <span className="flex justify-center" title="New since you last looked">
        <span className="size-[5px] rounded-full bg-accent" />
        <span className="sr-only">New since you last looked</span>
      </span>
    );
  }
  return <span />;
}

function Marked({ word, className, icon }: { word: string; className: string; icon: typeof Lock }) {
  return (
    <span className={`flex justify-center ${className}`} title={word}>
      <Icon of={icon} small />
      <span className="sr-only">{word}</span>
    </span>
  );
}
