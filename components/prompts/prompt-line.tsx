import { clsx } from "clsx";
import { VisibleText } from "@/components/content/text/visible-text";
import { CopyButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { formatCount, formatPlural } from "@/lib/format/format";
import { shownName } from "@/lib/format/shown-name";
import { titleOfPrompt } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { UsedPrompt } from "@/lib/wire/search";
import { type PromptsAsked, wholePrompt } from "./prompt-text";
import { GONE, PromptUses, UseLink } from "./prompt-uses";

/**
 * A prompt with how often it was used, and when and where last; opened, its whole text and all its uses.
 * @param isCounted some prompt of the list was used more than once: they have a column for that
 */
export function PromptLine({
  prompt,
  asked,
  isCounted,
  isOpen,
  onToggle,
}: {
  prompt: UsedPrompt;
  asked: PromptsAsked;
  isCounted: boolean;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { id, text, uses, last } = prompt;
  return (
    <li data-prompt={id} className={clsx("group border-b border-line", isOpen && "bg-panel")}>
      <div
        className={clsx(
          "grid items-baseline gap-x-3 px-3 py-1.5 hover:bg-raised",
          isCounted
            ? "grid-cols-[calc(44px*var(--u))_minmax(0,1fr)_max(230px*var(--u),24%)_calc(76px*var(--u))_24px] max-md:grid-cols-[calc(36px*var(--u))_minmax(0,1fr)_var(--control)]"
            : "grid-cols-[minmax(0,1fr)_max(230px*var(--u),24%)_calc(76px*var(--u))_24px] max-md:grid-cols-[minmax(0,1fr)_var(--control)]",
          // On a phone, no column of its own for a count that few prompts have.
          "max-sm:grid-cols-[minmax(0,1fr)_var(--control)]",
        )}
      >
        {isCounted && <UseCount uses={uses} />}
        <button
          type="button"
          data-roving=""
          aria-expanded={isOpen}
          aria-label={labelHidden(`Prompt: ${text.slice(0, 160)}`)}
          onClick={onToggle}
          className="min-w-0 text-left text-13 wrap-anywhere max-md:-col-start-3 pointer-coarse:py-0.5"
        >
          {isOpen ? (
            <span className="font-semibold">{formatUses(prompt)}</span>
          ) : (
            <span className="line-clamp-2">
              <VisibleText text={shownName(titleOfPrompt(text), "(blank prompt)")} />
            </span>
          )}
        </button>
        <LatestUse prompt={prompt} />
        <span className="text-right text-12 text-fg-2 tabular-nums max-md:hidden">
          {last.atMs === null ? null : <Time atMs={last.atMs} />}
        </span>
        <span className="-my-1 self-start max-md:-col-start-2 max-md:row-start-1">
          <CopyButton
            text={() => wholePrompt(prompt, asked)}
            label="Copy prompt"
            done="Prompt copied"
            kind="quiet"
          />
        </span>
      </div>
      {isOpen && (
        <div className={clsx("pr-3 pb-3 pl-3", isCounted && "md:pl-[calc(24px+44px*var(--u))]")}>
          <PromptUses prompt={prompt} asked={asked} />
        </div>
      )}
    </li>
  );
}

function UseCount({ uses }: { uses: number }) {
  return (
    <span
      className={clsx(
        "text-right text-12 tabular-nums max-sm:sr-only",
        uses > 1 ? "font-semibold" : "text-fg-3",
      )}
      title={`Used ${formatPlural(uses, "time")}`}
    >
      <span className="sr-only">used {formatPlural(uses, "time")}</span>
      <span aria-hidden="true">{uses > 1 ? `${formatCount(uses)} ×` : ""}</span>
    </span>
  );
}

/** Where a prompt was used last; on a phone below its text, with what has a column of its own elsewhere. */
function LatestUse({ prompt: { uses, gone, last } }: { prompt: UsedPrompt }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2 text-12 max-md:-col-start-3 max-md:row-start-2">
      {uses > 1 && (
        <span aria-hidden="true" className="font-semibold tabular-nums sm:hidden">
          {formatCount(uses)} ×
        </span>
      )}
      <UseLink use={last} />
      {gone > 0 && last.sessionId !== null && (
        <span className="flex-none text-fg-3" title={`${GONE}: ${formatPlural(gone, "use")}`}>
          {formatCount(gone)} gone
        </span>
      )}
      <span className="ml-auto flex-none text-fg-3 md:hidden">
        {last.atMs !== null && <Time atMs={last.atMs} />}
      </span>
    </span>
  );
}

/** `Used 12 times in 5 sessions, 2 logs gone`. */
function formatUses({ uses, sessions, gone }: UsedPrompt): string {
  const times = uses === 1 ? "Used once" : `Used ${formatCount(uses)} times`;
  const places = sessions > 0 && uses > 1 ? ` in ${formatPlural(sessions, "session")}` : "";
  if (gone === 0) return `${times}${places}`;
  return sessions === 0
    ? `${times}, the log is gone`
    : `${times}${places}, ${formatPlural(gone, "log")} gone`;
}
