import { clsx } from "clsx";
import { memo, type ReactNode } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines, FailedCalls } from "@/components/content/text/more-text";
import { TurnUsageFigure } from "@/components/content/text/request-usage";
import { VisibleText } from "@/components/content/text/visible-text";
import { Rail } from "@/components/thread/rail/rail";
import { Moment, Time } from "@/components/ui/time";
import { usePreferences } from "@/lib/client/preferences";
import { formatDuration, formatModel, formatPlural } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { PromptSource, TurnRow } from "@/lib/wire/rows";
import { PromptMode, splitPrompt } from "./prompt-settings";
import { RowTags } from "./row-line";

type TurnFacts = Pick<
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
  | "denied"
  | "added"
  | "removed"
  | "agents"
  | "usage"
  | "agentsUsage"
  | "running"
  | "takenBack"
  | "partial"
  | "marks"
> &
  Partial<Pick<TurnRow, "settings" | "settingsChanged">>;

const GRID = clsx(
  "grid h-full gap-x-2 pr-3 whitespace-nowrap",
  "grid-cols-[minmax(0,1fr)_auto_104px_calc(52px*var(--u))]",
  "sm:@max-[720px]/thread:grid-cols-[minmax(0,1fr)_auto_calc(64px*var(--u))]",
  "max-sm:grid-cols-[minmax(0,1fr)_auto_auto]",
);

/** The header that sticks to the top of the thread while its turn is read: one line, whatever the prompt. */
export const TurnHeader = memo(function TurnHeader({
  facts,
  selected = false,
}: {
  facts: TurnFacts;
  selected?: boolean;
}) {
  return (
    <div
      className={clsx(
        "relative border-t border-b border-t-line-2 border-b-line",
        selected ? "bg-sel [--ground:var(--sel)]" : "bg-panel [--ground:var(--panel)]",
      )}
    >
      {selected && <SelectedBar />}
      <TurnLine facts={facts} whole={false} brief={null} />
    </div>
  );
});

/** At the left of a turn that is selected. */
export function SelectedBar() {
  return <span aria-hidden="true" className="absolute inset-y-0 left-0 w-0.5 bg-accent" />;
}

/** For a finger it reaches further to the right: on its left it shares its place with the mark of the turn's comments. */
const NUMBER =
  "touch-room sm:pointer-coarse:before:-right-2 absolute top-[calc(var(--turn)/2-1px)] left-[calc(var(--spine-x)-14px)] h-[17px] min-w-7 -translate-y-1/2 rounded-1 bg-fg px-1 text-center text-[11px]/[17px] font-semibold text-bg tabular-nums";

/**
 * Below which width of the thread, in text sizes, a figure is left out: so that all stand in one line below a prompt that is
 * wrapped, or in a header of one line leave 200 px to the prompt.
 */
const GIVES_WAY = {
  wrapped: {
    settings: "@max-[80em]/thread:hidden",
    models: "@max-[84em]/thread:hidden",
    work: "@max-[69em]/thread:hidden",
    time: "@max-[50em]/thread:hidden",
    all: "@max-[42em]/thread:[&>:not([data-brief],[data-copy])]:hidden",
  },
  line: {
    settings: "@max-[92em]/thread:hidden",
    models: "@max-[92em]/thread:hidden",
    work: "@max-[77em]/thread:hidden",
    time: "@max-[49em]/thread:hidden",
    all: "@max-[42em]/thread:[&>:not([data-brief])]:hidden",
  },
};

/** Two hairlines are part of a header's height. */
const LINE_HEIGHT = "h-[calc(var(--turn)-2px)]";

type TurnLineProps = {
  facts: TurnFacts & Partial<Pick<TurnRow, "key">>;
  /** The prompt's first line is wrapped, never cut. */
  whole: boolean;
  /** Whether the turn's brief is open; `null` where there is none. */
  brief: boolean | null;
  /** Copies the prompt; absent where there is no whole one. */
  copy?: ReactNode;
};

/** A turn's number, prompt, outcome and time scale. */
export function TurnLine({ facts, whole, brief, copy }: TurnLineProps) {
  const { toggleFold, lane } = useThreadActions();
  const heading = <TurnPrompt facts={facts} whole={whole} />;
  const figures = <TurnFigures facts={facts} whole={whole} brief={brief} copy={copy} />;
  return (
    <div
      className={clsx(
        "grid grid-cols-[var(--rail)_minmax(0,1fr)]",
        whole ? "min-h-[calc(var(--turn)-2px)]" : LINE_HEIGHT,
      )}
    >
      <Rail node={{ shape: "none" }} lane={lane}>
        {toggleFold ? (
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={!facts.folded}
            aria-label={`${facts.folded ? "Unfold" : "Fold"} turn ${facts.turn}`}
            title={facts.folded ? "Unfold this turn (f)" : "Fold this turn (f)"}
            onClick={() => toggleFold(facts.turn)}
            className={NUMBER}
          >
            {facts.turn}
          </button>
        ) : (
          <span className={NUMBER}>{facts.turn}</span>
        )}
      </Rail>
      <div className={GRID}>
        {whole ? (
          // A prompt that has no room beside the numbers takes the width, and they stand below it.
          <div className="col-span-2 min-w-0 pb-[calc((var(--turn)-2px-20px*var(--u))/2)] sm:flex sm:flex-wrap sm:justify-between sm:gap-x-3">
            {figures}
            {heading}
          </div>
        ) : (
          <>
            {heading}
            {figures}
          </>
        )}
        <TurnScale durationMs={facts.durationMs} hidden={facts.folded} />
        <span
          className={clsx(
            "flex items-center justify-end text-12 tabular-nums",
            LINE_HEIGHT,
            facts.running && "text-run",
          )}
        >
          {facts.durationMs !== null && facts.durationMs > 0 && formatDuration(facts.durationMs)}
        </span>
      </div>
    </div>
  );
}

/** The prompt's first line, with the answer of a turn that is folded. */
function TurnPrompt({ facts, whole }: Pick<TurnLineProps, "facts" | "whole">) {
  const { line, isHeading, isBold } = splitPrompt(facts.prompt.text, facts.prompt.cut);
  const title = <VisibleText text={line || (facts.prompt.length > 0 ? "…" : "(no text)")} />;
  return (
    <h2
      title={labelHidden(whole ? undefined : textStart(facts.prompt.text, 1_000))}
      className={clsx(
        whole
          ? "max-w-measure pt-[calc((var(--turn)-2px-20px*var(--u))/2)] whitespace-pre-wrap [overflow-wrap:anywhere]"
          : "cut-end self-center",
        (isBold || !whole) && "font-semibold",
      )}
    >
      {facts.marks && (
        <span className="mr-2 font-normal">
          <RowTags marks={facts.marks} />
        </span>
      )}
      {facts.takenBack && (
        <span data-log="none" className="mr-2 font-normal text-fg-3" title={TAKEN_BACK}>
          taken back
        </span>
      )}
      {whole && !isHeading ? <span className="sr-only">{title}</span> : title}
      {facts.folded && facts.answer && (
        <span className="ml-2 font-normal text-fg-2">
          <VisibleText text={facts.answer} />
        </span>
      )}
    </h2>
  );
}

/** What is known of the turn beside its prompt, as far as there is room for it, and the way to its brief. */
function TurnFigures({ facts, whole, brief, copy }: TurnLineProps) {
  const { toggleOpen } = useThreadActions();
  const { key } = facts;
  const givesWay = GIVES_WAY[whole ? "wrapped" : "line"];
  return (
    <span
      className={clsx(
        "flex items-center gap-3 text-12 text-fg-2 tabular-nums max-sm:[&>:not([data-brief],[data-copy])]:hidden",
        givesWay.all,
        whole
          ? "float-right mt-[calc((var(--turn)-2px-20px*var(--u))/2)] ml-3 h-[calc(20px*var(--u)-1px)] sm:order-1 sm:ml-0"
          : LINE_HEIGHT,
      )}
    >
      {facts.settings && facts.settingsChanged && (
        <PromptMode settings={facts.settings} className={givesWay.settings} />
      )}
      {SOURCE_LABELS[facts.source] && <span className="text-fg-3">{SOURCE_LABELS[facts.source]}</span>}
      {facts.atMs !== null && <TurnTime atMs={facts.atMs} className={givesWay.time} />}
      {!facts.partial && facts.usage && (
        <TurnModels models={facts.usage.models} className={givesWay.models} />
      )}
      {!facts.partial && (
        <TurnNumbers
          facts={facts}
          className={givesWay.work}
          onOpen={key === undefined ? null : () => toggleOpen(key)}
        />
      )}
      {facts.running && <span className="text-run">running</span>}
      {copy && (
        <span data-copy="" className="flex">
          {copy}
        </span>
      )}
      {brief !== null && key !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          data-brief=""
          aria-expanded={brief}
          title="The turn in brief: tools, files, commands, agents (b)"
          className="touch-room relative rounded-1 text-fg-3 hover:text-fg hover:underline aria-expanded:text-fg print:hidden"
          onClick={(event) => {
            event.stopPropagation();
            toggleOpen(key);
          }}
        >
          Brief
        </button>
      )}
    </span>
  );
}

/** Counts of what the turn did. */
function TurnNumbers({
  facts,
  className,
  onOpen,
}: {
  facts: TurnFacts;
  className: string;
  onOpen: (() => void) | null;
}) {
  return (
    <>
      {facts.toolCalls > 0 && <span>{formatPlural(facts.toolCalls, "tool")}</span>}
      <FailedCalls errors={facts.errors} denied={facts.denied} />
      {facts.agents > 0 && <span className={className}>{formatPlural(facts.agents, "agent")}</span>}
      <TurnChangesLink turn={facts.turn} added={facts.added} removed={facts.removed} />
      <TurnUsageFigure
        usage={{ own: facts.usage, agents: facts.agentsUsage }}
        className={className}
        onOpen={onOpen}
      />
    </>
  );
}

/** The model that answered first, and how many others did. */
function TurnModels({ models, className }: { models: readonly string[]; className: string }) {
  const [first, ...others] = models;
  if (!first) return null;
  return (
    <span className={clsx("max-w-40 truncate text-fg-3", className)} title={labelHidden(models.join("\n"))}>
      {formatModel(first)}
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}

/** When the prompt was written: day and time, or relative time if the reader prefers that. */
function TurnTime({ atMs, className }: { atMs: number; className: string }) {
  const Shown = usePreferences().time === "ago" ? Time : Moment;
  return <Shown atMs={atMs} className={clsx("text-fg-3", className)} />;
}

const TAKEN_BACK = "Taken back before anything came of it; what was typed instead follows";

/** How a prompt was submitted, if it was not simply typed. */
const SOURCE_LABELS: Partial<Record<PromptSource, string>> = {
  queued: "queued",
  plan: "plan",
  sdk: "SDK",
  agent: "agent",
};

/** The header of the span column: zero at its left, the turn's duration at its right. */
function TurnScale({ durationMs, hidden }: { durationMs: number | null; hidden: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "flex h-full justify-between border-x border-line-2 px-1.5 pt-[calc((var(--turn)-2px-16px*var(--u))/2)] text-11 text-fg-3 tabular-nums",
        "@max-[720px]/thread:hidden max-sm:hidden",
        (hidden || !durationMs) && "invisible",
      )}
    >
      <span>0</span>
      <span>{durationMs ? formatDuration(durationMs) : ""}</span>
    </span>
  );
}

/** How many lines a turn changed; a click opens all of its changes on one page. */
function TurnChangesLink({ turn, added, removed }: { turn: number; added: number; removed: number }) {
  const { openChanges } = useThreadActions();
  if (!added && !removed) return null;
  if (!openChanges) return <ChangedLines added={added} removed={removed} />;
  return (
    <button
      type="button"
      tabIndex={-1}
      title="All changes of this turn"
      className="touch-room hover:underline pointer-coarse:relative"
      onClick={(event) => {
        event.stopPropagation();
        openChanges(turn);
      }}
    >
      <ChangedLines added={added} removed={removed} />
    </button>
  );
}
