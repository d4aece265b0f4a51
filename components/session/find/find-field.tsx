import { clsx } from "clsx";
import { ChevronDown, ChevronUp, Search as SearchIcon, X } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { FIELD_BUTTON, Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/keys";
import { isUnreachable } from "@/lib/client/connection/when-back";
import { isForInputMethod } from "@/lib/client/key-events";
import { formatCount, formatPlural } from "@/lib/format/format";
import type { Find } from "./use-find";

/**
 * The field of the tool bar that looks through this session, or where there is no room for it the button that shows it.
 * Enter goes from hit to hit.
 */
export function FindField({
  find,
  problemId,
}: {
  find: Find;
  /** The element that says what is wrong with the query. */
  problemId: string;
}) {
  const { query, search, hits, index } = find;
  const asked = query.trim() !== "";
  return (
    <>
      <span
        className={clsx(
          // No narrower than its field and buttons, which would stand over what is beside it.
          "flex shrink-[1000] items-center gap-1 max-sm:min-w-0 max-sm:flex-1",
          asked && hits.length > 0 ? "min-w-38" : "min-w-24",
          !find.shown && "@max-[960px]/tool:hidden",
        )}
      >
        <Field
          ref={find.field}
          type="search"
          label="Find in session"
          placeholder="Find in session"
          icon={SearchIcon}
          aria-invalid={search.problems.length > 0}
          aria-describedby={search.problems.length > 0 ? problemId : undefined}
          className={clsx(asked ? "w-72" : "w-44", "min-w-24 max-sm:h-8 max-sm:w-auto max-sm:flex-1")}
          value={query}
          onChange={(event) => find.setQuery(event.target.value)}
          onBlur={() => !asked && find.leave()}
          onKeyDown={(event) => {
            if (isForInputMethod(event.nativeEvent)) return;
            if (event.key === "Escape") find.close();
            else if (event.key === "Enter" && search.phase === "failed") search.again();
            else if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
            else return;
            event.preventDefault();
          }}
        >
          {asked || find.shown ? (
            <>
              <FoundCount find={find} asked={asked} />
              <button type="button" aria-label="Close find" className={FIELD_BUTTON} onClick={find.close}>
                <Icon of={X} small />
              </button>
            </>
          ) : (
            <Kbd>/</Kbd>
          )}
        </Field>
        {asked && hits.length > 0 && <StepButtons onStep={find.step} />}
        <span role="status" className="sr-only">
          {index < 0 ? "" : hits[index]?.snippet}
        </span>
      </span>
      {!find.shown && (
        <IconButton
          icon={SearchIcon}
          label="Find in this session"
          className="@min-[960px]/tool:hidden"
          onClick={find.show}
        />
      )}
    </>
  );
}

/** How many matches there are, and the ways to those that the selected part of the time or the chosen detail leaves out. */
function FoundCount({ find, asked }: { find: Find; asked: boolean }) {
  return (
    <>
      <span role="status" className="flex-none text-11 tabular-nums">
        {asked && findWords(find)}
        {find.hidden > 0 && (
          <span className="sr-only">, {formatCount(find.hidden)} in rows hidden by this view</span>
        )}
        {find.outside > 0 && (
          <span className="sr-only">, {formatCount(find.outside)} outside of the selected part</span>
        )}
      </span>
      {asked && find.search.phase === "failed" && (
        <button
          type="button"
          title={find.search.error?.message}
          className="flex-none text-11 text-accent hover:underline max-sm:-my-2 max-sm:py-2"
          onClick={find.search.again}
        >
          Try again
        </button>
      )}
      {find.outside > 0 && (
        <button
          type="button"
          aria-label={`Show the whole session, with ${formatPlural(find.outside, "match", "matches")} outside of the selected part`}
          title="Outside of the selected part: show the whole session"
          className="flex-none text-11 text-accent tabular-nums hover:underline max-sm:-my-2 max-sm:py-2"
          onClick={find.showOutside}
        >
          +{formatCount(find.outside)} outside
        </button>
      )}
      {find.hidden > 0 && (
        <button
          type="button"
          aria-label={`Show everything, with ${formatPlural(find.hidden, "hidden match", "hidden matches")}`}
          title="In rows hidden by this view: show everything (4)"
          className="flex-none text-11 text-accent tabular-nums hover:underline max-sm:-my-2 max-sm:py-2"
          onClick={find.showHidden}
        >
          +{formatCount(find.hidden)} hidden
        </button>
      )}
    </>
  );
}

function StepButtons({ onStep }: { onStep: Find["step"] }) {
  return (
    <>
      <IconButton icon={ChevronUp} small label="Previous match" keys="N" onClick={() => onStep(-1)} />
      <IconButton icon={ChevronDown} small label="Next match" keys="n" onClick={() => onStep(1)} />
    </>
  );
}

/** `3 of 41`, with a plus while more may come; said plainly when there is none. */
function findWords({ search, hits, index }: Find): string {
  if (search.phase === "failed") return isUnreachable(search.error) ? "No answer" : "Search failed";
  const open = search.phase === "running" || !search.complete;
  const isUnsure = !open && Boolean(search.progress?.unsearched);
  if (hits.length === 0) return open ? "Searching…" : isUnsure ? "Not all searched" : "No results";
  const count = `${formatCount(hits.length)}${open || isUnsure ? "+" : ""}`;
  return index < 0 ? count : `${formatCount(index + 1)} of ${count}`;
}
