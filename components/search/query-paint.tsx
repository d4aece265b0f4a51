import { type ReactNode, type SyntheticEvent, useRef } from "react";
import { cx } from "@/lib/client/class-names";
import type { QueryProblem } from "@/lib/wire/search";
import { queryTokens } from "./search-tokens";

/**
 * Draws a query's filters as chips and its problems as underlines behind the text of a field. The text
 * itself stays the field's own: the same font, letter under letter, scrolled with it.
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
        className={cx(
          "pointer-events-none absolute inset-0 flex items-center overflow-hidden whitespace-pre text-transparent",
          className,
        )}
      >
        <span>
          {pieces(query, problems).map(({ text, chip, wrong }, index) => (
            <span
              key={index}
              className={cx(
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

/** The query cut where a filter or a problem begins or ends. */
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
