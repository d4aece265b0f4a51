import { memo } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { Time } from "@/components/ui/time";
import { cx } from "@/lib/client/class-names";
import { usePreferences } from "@/lib/client/preferences";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import { formatClock, formatFullTime } from "@/lib/format/format-time";
import type { TurnRow } from "@/lib/wire/rows";
import { Rail } from "../rail/rail";
import { PromptMode } from "./prompt-settings";
import { RowMarks } from "./row-marks";
import { SOURCE_WORDS } from "./source-words";
import { splitPrompt } from "./split-prompt";
import { TurnChangesLink } from "./turn-changes-link";
import { TurnScale } from "./turn-scale";

export type TurnFacts = Pick<
  TurnRow,
  | "turn"
  | "prompt"
  | "source"
  | "atMs"
  | "durationMs"
  | "folded"
  | "answer"
  | "toolCalls"
  | "errors"
  | "added"
  | "removed"
  | "agents"
  | "tokens"
  | "running"
  | "partial"
  | "marks"
> &
  Partial<Pick<TurnRow, "settings" | "settingsChanged">>;

const GRID = cx(
  "grid h-full items-center gap-x-2 pr-3 whitespace-nowrap",
  "grid-cols-[minmax(0,1fr)_auto_104px_calc(52px*var(--u))]",
  "sm:@max-[720px]/thread:grid-cols-[minmax(0,1fr)_auto_calc(64px*var(--u))]",
  "max-sm:grid-cols-[minmax(0,1fr)_auto]",
);

/** The bar a turn begins with: number, prompt, what came of it, and the scale of its time. */
export const TurnHeader = memo(function TurnHeader({
  facts,
  selected = false,
}: {
  facts: TurnFacts;
  selected?: boolean;
}) {
  const { toggleFold, lane } = useThreadActions();
  const { line } = splitPrompt(facts.prompt.text);
  return (
    <div
      className={cx(
        "relative grid h-turn grid-cols-[var(--rail)_minmax(0,1fr)] border-t border-b border-t-line-2 border-b-line",
        selected
          ? "bg-sel [--ground:var(--sel)] group-focus-visible/row:ring-2 group-focus-visible/row:ring-accent group-focus-visible/row:ring-inset"
          : "bg-panel [--ground:var(--panel)]",
      )}
    >
      {selected && <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-accent" />}
      <Rail node={{ shape: "none" }} lane={lane}>
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={!facts.folded}
          aria-label={`${facts.folded ? "Unfold" : "Fold"} turn ${facts.turn}`}
          title={facts.folded ? "Unfold this turn (f)" : "Fold this turn (f)"}
          onClick={() => toggleFold(facts.turn)}
          className="absolute top-1/2 left-[calc(var(--spine-x)-14px)] h-[17px] min-w-7 -translate-y-1/2 rounded-1 bg-fg px-1 text-center text-[11px]/[17px] font-semibold text-bg tabular-nums"
        >
          {facts.turn}
        </button>
      </Rail>
      <div className={GRID}>
        <h2 className="cut-end font-semibold">
          {facts.marks && (
            <span className="mr-2 font-normal">
              <RowMarks marks={facts.marks} />
            </span>
          )}
          <VisibleText text={line || (facts.prompt.length > 0 ? "…" : "(no text)")} />
          {facts.folded && facts.answer && (
            <span className="ml-2 font-normal text-fg-2">
              <VisibleText text={facts.answer} />
            </span>
          )}
        </h2>
        <span className="flex items-center gap-3 text-12 text-fg-2 tabular-nums max-sm:hidden">
          {facts.settings && facts.settingsChanged && <PromptMode settings={facts.settings} />}
          {SOURCE_WORDS[facts.source] && <span className="text-fg-3">{SOURCE_WORDS[facts.source]}</span>}
          {facts.atMs !== null && <TurnTime atMs={facts.atMs} />}
          {!facts.partial && <TurnNumbers facts={facts} />}
          {facts.running && <span className="text-run">running</span>}
        </span>
        <TurnScale durationMs={facts.durationMs} hidden={facts.folded} />
        <span className={cx("text-right text-12 tabular-nums", facts.running && "text-run")}>
          {facts.durationMs !== null && facts.durationMs > 0 && formatDuration(facts.durationMs)}
        </span>
      </div>
    </div>
  );
});

/** What came of the prompt. */
function TurnNumbers({ facts }: { facts: TurnFacts }) {
  return (
    <>
      {facts.toolCalls > 0 && <span>{formatPlural(facts.toolCalls, "tool")}</span>}
      {facts.errors > 0 && <span className="text-err">{formatPlural(facts.errors, "error")}</span>}
      {facts.agents > 0 && (
        <span className="@max-[720px]/thread:hidden">{formatPlural(facts.agents, "agent")}</span>
      )}
      <TurnChangesLink turn={facts.turn} added={facts.added} removed={facts.removed} />
      {facts.tokens > 0 && (
        <span className="@max-[720px]/thread:hidden">{formatCompact(facts.tokens)} tok</span>
      )}
    </>
  );
}

/** When the prompt was written: by the clock, or how long ago where the reader prefers that. */
function TurnTime({ atMs }: { atMs: number }) {
  const { time } = usePreferences();
  const className = "text-fg-3 @max-[560px]/thread:hidden";
  if (time === "ago") return <Time atMs={atMs} className={className} />;
  return (
    <time className={className} dateTime={new Date(atMs).toISOString()} title={formatFullTime(atMs)}>
      {formatClock(atMs)}
    </time>
  );
}
