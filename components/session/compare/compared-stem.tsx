import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, CornerDownRight } from "lucide-react";
import { useId } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { DetailState } from "@/components/ui/states";
import { Moment } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatCompact, formatCount, formatDuration, formatPlural } from "@/lib/format/format";
import type { CompareResponse, SideName } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";

/** What both hold: its turns when it is unfolded, each with the way to it in the thread. */
export function Stem({
  compared,
  open,
  onToggle,
  onOpen,
}: {
  compared: CompareResponse;
  open: boolean;
  onToggle: () => void;
  onOpen: (side: SideName, record: RecordId) => void;
}) {
  const listId = useId();
  const { last, turns, records, prompt, figures, atMs } = compared.stem;
  if (!last)
    return (
      <p className="border-b border-line px-3 py-1.5 text-12 text-fg-2">The two have no history in common.</p>
    );
  const costs = [
    figures.tokens > 0 && `${formatCompact(figures.tokens)} tok`,
    figures.durationMs !== null && formatDuration(figures.durationMs),
  ].filter(Boolean);
  const holds = [
    turns === 0 ? "before the first prompt" : turns === 1 ? "turn 1" : `turns 1–${turns}`,
    formatPlural(records, "record"),
    figures.agents > 0 && formatPlural(figures.agents, "agent"),
  ].filter(Boolean);
  return (
    <div className="border-b border-line">
      <div className="flex min-h-8 items-center gap-3 bg-panel pr-3 text-12 tabular-nums">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={listId}
          disabled={turns === 0}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 pl-2 text-left enabled:hover:bg-raised"
        >
          <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 flex-none fill-none stroke-fg">
            <path d="M8 3l5 5-5 5-5-5z" strokeWidth="1.5" />
          </svg>
          {turns > 0 && <Icon of={open ? ChevronDown : ChevronRight} small className="flex-none text-fg-3" />}
          <span className="flex-none font-semibold">Stem, the same on both</span>
          <span className="min-w-0 truncate text-fg-2">
            {holds.join(", ")}
            {prompt !== null && turns > 0 && (
              <span className="text-fg-3 max-sm:hidden">
                {" "}
                up to “<VisibleText text={prompt} />”{atMs !== null && ", "}
                {atMs !== null && <Moment atMs={atMs} />}
              </span>
            )}
          </span>
        </button>
        {costs.length > 0 && (
          <span className="flex-none text-fg-3 max-lg:hidden">{costs.join(", ")}, counted for neither</span>
        )}
        <Button kind="quiet" className="print:hidden" onClick={() => onOpen("right", last.right)}>
          <Icon of={CornerDownRight} small />
          <span className="max-sm:sr-only">Open its end</span>
        </Button>
      </div>
      <div id={listId}>{open && <StemTurns compared={compared} onOpen={onOpen} />}</div>
    </div>
  );
}

/** Turns that are listed; more of them are read in the thread. */
const MAX_TURNS = 500;

/** The turns of the stem, as the right one has them: they are the same on both. */
function StemTurns({
  compared: { stem, right },
  onOpen,
}: {
  compared: CompareResponse;
  onOpen: (side: SideName, record: RecordId) => void;
}) {
  const { sessionId, branch } = right;
  const count = Math.min(stem.turns, MAX_TURNS);
  const query = useQuery({
    queryKey: ["compare-stem", sessionId, branch, count],
    queryFn: ({ signal }) =>
      api.outline(sessionId, { branch, from: 0, count, detail: "prompts" }, { signal }),
    gcTime: 60_000,
  });
  if (!query.data)
    return (
      <div className="px-3 py-2">
        <DetailState query={query} />
      </div>
    );
  return (
    <>
      <ol aria-label="Turns of the stem" className="py-1">
        {query.data.turns.slice(0, count).map(({ turn, recordId, prompt, atMs, toolCalls, ...entry }) => (
          <li key={turn} className="break-inside-avoid">
            <button
              type="button"
              title="Open in the thread"
              onClick={() => onOpen("right", recordId)}
              className="flex min-h-6 w-full items-center gap-2 pr-3 pl-2 text-left text-12 tabular-nums hover:bg-raised"
            >
              <span className="w-6 flex-none text-right text-11 text-fg-3">{turn}</span>
              <span className="min-w-0 flex-1 truncate">
                <VisibleText text={prompt || "(no text)"} />
              </span>
              <span className="flex flex-none items-center gap-3 text-fg-2">
                {entry.errors > entry.denied && (
                  <span className="text-err">{formatPlural(entry.errors - entry.denied, "error")}</span>
                )}
                {toolCalls > 0 && <span className="max-sm:hidden">{formatPlural(toolCalls, "tool")}</span>}
                <ChangedLines added={entry.added} removed={entry.removed} />
                {atMs !== null && <Moment atMs={atMs} className="text-fg-3 max-sm:hidden" />}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {stem.turns > count && (
        <p className="px-3 pb-1 text-12 text-fg-3">
          {formatCount(stem.turns - count)} more turns of the stem, in the thread
        </p>
      )}
    </>
  );
}
