import { CircleQuestionMark, Lock } from "lucide-react";
import { shortToolName } from "@/components/thread/tools/tool-names";
import { Elapsed } from "@/components/ui/elapsed";
import { Icon } from "@/components/ui/icon";
import { RunningRing } from "@/components/ui/running-ring";
import { cx } from "@/lib/client/class-names";
import { useLiveState } from "@/lib/client/live-states";
import { formatElapsed } from "@/lib/format/format-duration";
import type { SessionId } from "@/lib/wire/ids";
import { doingWords, stateWord } from "./live-words";

/** In a session's bar: whether it runs or waits, what it does, for how long. Nothing for a session that has nothing going on. */
export function LivePill({ sessionId }: { sessionId: SessionId }) {
  const live = useLiveState(sessionId);
  const word = live ? stateWord(live) : null;
  if (!live || word === null) return null;
  const waits = live.state === "waiting";
  const tone = waits
    ? "border-warn text-warn"
    : live.state === "running"
      ? "border-run text-run"
      : live.state === "interrupted"
        ? "border-line-2 text-err"
        : "border-line-2 text-fg-2";
  return (
    <span
      title={doingWords(live) ?? undefined}
      className={cx(
        "flex h-6 flex-none items-center gap-1.5 rounded-2 border px-2 text-12 tabular-nums",
        tone,
      )}
    >
      {waits ? (
        <Icon of={live.doing?.kind === "question" ? CircleQuestionMark : Lock} small />
      ) : (
        live.state === "running" && <RunningRing />
      )}
      <span className="max-sm:sr-only">{word}</span>
      {waits && !live.checked && (
        <span
          className="text-fg-3 max-md:hidden"
          title="Its process cannot be looked at from here: it may have ended since"
        >
          when last seen
        </span>
      )}
      {live.doing?.name && <span className="font-mono max-md:hidden">{shortToolName(live.doing.name)}</span>}
      {live.state === "interrupted" ? null : (
        <Elapsed sinceMs={live.doing?.sinceMs ?? live.sinceMs} format={formatElapsed} />
      )}
    </span>
  );
}
