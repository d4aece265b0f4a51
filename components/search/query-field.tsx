import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useId,
  useRef,
} from "react";
import { FIELD_BUTTON } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import type { QueryProblem } from "@/lib/wire/search";
import { type Completion, useSearchCompletion, type Vocabulary } from "./completion";
import { queryTokens } from "./search-tokens";

/** The field for queries: chips, completions below it, errors underlined where they are. */
export function QueryField({
  fieldRef,
  label,
  placeholder,
  value,
  onChange,
  onKeyDown,
  onBlur,
  vocabulary,
  problems,
  className,
}: {
  fieldRef: RefObject<HTMLInputElement | null>;
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Keys that the completion did not handle. */
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onBlur: () => void;
  vocabulary: Vocabulary;
  problems: readonly QueryProblem[];
  className: string;
}) {
  const completion = useSearchCompletion(value, onChange, fieldRef, vocabulary);
  const problemId = useId();
  const open = completion.offers.length > 0;
  return (
    <search aria-label={label} className={clsx("group/query relative flex min-w-0", className)}>
      <span className="flex h-7 min-w-0 flex-1 items-center gap-1.5 rounded-2 border border-line-3 bg-bg px-2 text-fg-3 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        <Icon of={Search} small />
        <QueryPaint query={value} problems={problems} className="text-13">
          <input
            ref={fieldRef}
            type="text"
            aria-label={label}
            aria-invalid={problems.length > 0}
            aria-describedby={problems.length > 0 ? problemId : undefined}
            placeholder={placeholder}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onSelect={completion.onSelect}
            onBlur={onBlur}
            onKeyDown={(event) => {
              if (!completion.onKeyDown(event)) onKeyDown(event);
            }}
            className="relative h-full w-full min-w-0 bg-transparent text-13 text-fg outline-none focus-visible:outline-none"
          />
        </QueryPaint>
        {value !== "" && (
          <button
            type="button"
            aria-label="Clear the query"
            className={FIELD_BUTTON}
            onClick={() => {
              onChange("");
              fieldRef.current?.focus();
            }}
          >
            <Icon of={X} small />
          </button>
        )}
      </span>
      {open && (
        <CompletionStrip
          offers={completion.offers}
          onAccept={completion.accept}
          className="absolute top-full left-0 z-30 mt-1 hidden max-w-[92vw] min-w-full rounded-2 border border-line-2 bg-bg shadow-overlay group-focus-within/query:flex"
        />
      )}
      <span id={problemId} className="sr-only">
        {problems.map(({ message, from }) => `At character ${from + 1}: ${message}.`).join(" ")}
      </span>
    </search>
  );
}

/** Completions of a query: Tab accepts the first, a click any. */
export function CompletionStrip({
  offers,
  onAccept,
  className,
}: {
  offers: readonly Completion[];
  onAccept: (completion: Completion) => void;
  className?: string;
}) {
  const [first] = offers;
  if (!first) return null;
  return (
    <div
      className={clsx(
        "flex h-tool flex-none items-center gap-2 overflow-hidden border-b border-line px-3 text-12 whitespace-nowrap",
        className,
      )}
    >
      <span className="text-fg-3">Complete</span>
      {offers.map((offer, index) => (
        <button
          key={offer.text}
          type="button"
          tabIndex={-1}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(offer)}
          className={clsx(
            "flex flex-none items-center gap-1.5 rounded-1 bg-raised px-1.5 font-mono text-12 leading-[18px]",
            index === 0 && "outline-2 outline-accent",
          )}
        >
          {offer.text.trimEnd()}
          {offer.aside && <span className="font-sans text-11 text-fg-3">{offer.aside}</span>}
        </button>
      ))}
      <span className="flex-1" />
      <Kbd>Tab</Kbd>
      <span role="status" className="sr-only">
        Tab completes {first.text}
      </span>
    </div>
  );
}

/**
 * Draws a query's filters as chips and its errors as underlines behind the text of a field. The text itself stays the
 * field's own: the same font, letter under letter, scrolled with it.
 */
export function QueryPaint({
  query,
  problems,
  className,
  children,
}: {
  query: string;
  problems: readonly QueryProblem[];
  /** Font and padding of the field. */
  className: string;
  /** The field, transparent. */
  children: ReactNode;
}) {
  const paint = useRef<HTMLDivElement>(null);
  const follow = (event: SyntheticEvent<HTMLElement>) => {
    if (paint.current && event.target instanceof HTMLInputElement) {
      paint.current.scrollLeft = event.target.scrollLeft;
    }
  };
  return (
    <span
      className="relative flex h-full min-w-0 flex-1"
      onScrollCapture={follow}
      onKeyUp={follow}
      onInput={follow}
    >
      <span
        ref={paint}
        aria-hidden="true"
        className={clsx(
          "pointer-events-none absolute inset-0 flex items-center overflow-hidden whitespace-pre text-transparent",
          className,
        )}
      >
        <span>
          {pieces(query, problems).map(({ text, chip, wrong }, index) => (
            <span
              key={index}
              className={clsx(
                chip && "rounded-1 bg-raised shadow-[0_0_0_2px_var(--raised)]",
                wrong && "underline decoration-err decoration-wavy underline-offset-4",
              )}
            >
              {text}
            </span>
          ))}
        </span>
      </span>
      {children}
    </span>
  );
}

/** The query split where a filter or an error begins or ends. */
function pieces(query: string, problems: readonly QueryProblem[]) {
  const filters = queryTokens(query).filter(({ kind }) => kind === "filter");
  const cuts = new Set([0, query.length]);
  for (const { from, to } of [...filters, ...problems]) cuts.add(from).add(Math.min(to, query.length));
  const places = [...cuts].sort((left, right) => left - right);
  return places.slice(0, -1).map((from, index) => ({
    text: query.slice(from, places[index + 1]),
    chip: filters.some((one) => one.from <= from && from < one.to),
    wrong: problems.some((one) => one.from <= from && from < one.to),
  }));
}
