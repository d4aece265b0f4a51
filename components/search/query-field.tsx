import { Search, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { Icon } from "@/components/ui/icon";
import { cx } from "@/lib/client/class-names";
import type { QueryProblem } from "@/lib/wire/search";
import { CompletionStrip } from "./completion-strip";
import { QueryPaint } from "./query-paint";
import type { Vocabulary } from "./search-completion";
import { useSearchCompletion } from "./use-search-completion";

/** The field of the query language: chips, completion below it, problems underlined where they are. */
export function QueryField({
  fieldRef,
  label,
  placeholder,
  value,
  onChange,
  onKeyDown,
  vocabulary,
  problems,
  className,
  children,
}: {
  fieldRef: RefObject<HTMLInputElement | null>;
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Keys that completing left over. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  vocabulary: Vocabulary;
  problems: readonly QueryProblem[];
  className?: string;
  /** At the right edge: a count, a key. */
  children?: ReactNode;
}) {
  const completion = useSearchCompletion(value, onChange, fieldRef, vocabulary);
  const problemId = useId();
  const open = completion.offers.length > 0;
  return (
    <search aria-label={label} className={cx("group/query relative flex min-w-0", className)}>
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
            onKeyDown={(event) => {
              if (!completion.onKeyDown(event)) onKeyDown?.(event);
            }}
            className="relative h-full w-full min-w-0 bg-transparent text-13 text-fg outline-none focus-visible:outline-none"
          />
        </QueryPaint>
        {children}
        {value !== "" && (
          <button
            type="button"
            aria-label="Clear the query"
            className="flex rounded-1 hover:text-fg"
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
