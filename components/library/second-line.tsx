import { doingWords, stateWord } from "@/components/live/live-words";
import { Elapsed } from "@/components/ui/elapsed";
import { useLiveState } from "@/lib/client/live-states";
import { formatElapsed } from "@/lib/format/format-duration";
import type { SessionSummary } from "@/lib/wire/library";

/** What a live session does or waits for; why another cannot be read. */
export function SecondLine({ session }: { session: SessionSummary }) {
  const { problem, state, firstPrompt, title } = session;
  const live = useLiveState(session.id);
  if (problem) return <span className="text-err">{problem.message}</span>;
  const waits = state === "waiting";
  if (live?.doing && live.state === state) {
    return (
      <span className={waits ? "text-warn" : "text-fg-2"}>
        <span className={waits ? undefined : "text-run"}>
          {stateWord(live)} <Elapsed sinceMs={live.doing.sinceMs ?? live.sinceMs} format={formatElapsed} />
        </span>{" "}
        <span className="font-mono">{doingWords(live)}</span>
        {live.doing.name === null && live.lastText}
      </span>
    );
  }
  if (waits) return <span className="text-warn">Waiting for you in its terminal</span>;
  return <span className="text-fg-2">{firstPrompt && firstPrompt !== title ? firstPrompt : "Running"}</span>;
}
