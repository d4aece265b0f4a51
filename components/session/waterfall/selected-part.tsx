import { X } from "lucide-react";
import { useContext, useMemo } from "react";
import { SelectedTimeContext } from "@/components/thread/selected-time";
import { useThreadState } from "@/components/thread/use-thread";
import { IconButton } from "@/components/ui/button";
import type { TimeRange } from "@/lib/client/address/session-url";
import { formatDuration, formatFullTime } from "@/lib/format/format";
import { type AgentId, formatRowKey } from "@/lib/wire/ids";
import { useSessionPage } from "../session-store";
import { formatTimes } from "./row-words";
import { useWaterfall } from "./use-waterfall";
import { isWaitForYou, overlapsRange, type WaterfallModel } from "./waterfall-model";

/** What of a session went on in a part of its time, on the branch that is read and in its agents. */
export type WorkInRange = {
  range: TimeRange;
  /** Numbers of its turns, ascending. */
  turns: readonly number[];
  agents: ReadonlySet<AgentId>;
  /** Its calls, as `formatRowKey` names them. */
  calls: ReadonlySet<string>;
};

/** What went on in a range: waiting for a prompt or a command is none of a turn's work. */
export function workInRange({ spans }: WaterfallModel, range: TimeRange): WorkInRange {
  const turns = new Set<number>();
  const agents = new Set<AgentId>();
  const calls = new Set<string>();
  for (const span of spans) {
    if (!overlapsRange(span, range) || isWaitForYou(span)) continue;
    turns.add(span.turn);
    if (span.agentId) agents.add(span.agentId);
    if (span.kind === "tool") calls.add(formatRowKey(span.recordId, span.block));
  }
  // What comes before the first prompt is no turn.
  turns.delete(0);
  return { range, turns: [...turns].sort((a, b) => a - b), agents, calls };
}

/**
 * What went on in the part of the time that the address selects, `part` being `null` until it is known. `null` where
 * nothing is selected.
 */
export function useSelectedPart(): { range: TimeRange; part: WorkInRange | null } | null {
  const { sessionId, url, store } = useSessionPage();
  const windows = useThreadState(store.thread, ({ thread }) => thread?.windows ?? null);
  const range = useContext(SelectedTimeContext);
  const { model } = useWaterfall(sessionId, url.branch, windows, range !== null);
  return useMemo(() => range && { range, part: model && workInRange(model, range) }, [range, model]);
}

/** A range in words: `14:02:11 – 14:05:40, 3 m 29 s`. */
export function formatPart(range: TimeRange): string {
  return `${formatTimes(range)}, ${formatDuration(range.toMs - range.fromMs)}`;
}

/**
 * Says that a list shows a part of the time alone, and how much of it that is; it is given up here.
 * @param besides how that part is shown beside the list
 */
export function PartLine({
  range,
  shown,
  besides,
}: {
  range: TimeRange;
  shown: string | null;
  besides?: string;
}) {
  const { setUrl } = useSessionPage();
  return (
    <div
      role="status"
      className="flex flex-none items-center gap-2 border-b border-line bg-raised py-1 pr-1 pl-3 text-12 tabular-nums"
    >
      <span className="min-w-0 flex-1">
        <span
          className="block truncate"
          title={`${formatFullTime(range.fromMs)} – ${formatFullTime(range.toMs)}`}
        >
          {formatPart(range)}
        </span>
        {shown && <span className="block truncate text-fg-2">{shown}</span>}
        {besides && <span className="block text-11 text-fg-2">{besides}</span>}
      </span>
      <IconButton icon={X} small label="Show the whole session" onClick={() => setUrl({ range: null })} />
    </div>
  );
}
