import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatCompact, formatCount, formatDuration, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { shortToolName } from "@/lib/tools/tools";
import type { CountedFact, FactPlace, FactsResponse } from "@/lib/wire/model-requests/session-facts";

/** Places that stand beside a fact; more of them are told by their number. */
const MAX_LINKS = 5;

/** What can be counted of how the session went, each with the rows that show it. */
export function FactList() {
  const { sessionId, session } = useSessionPage();
  const query = useQuery({
    queryKey: ["facts", sessionId, session?.revision ?? null],
    queryFn: ({ signal }) => api.facts(sessionId, { signal }),
    placeholderData: (before, asked) => (asked?.queryKey[1] === sessionId ? before : undefined),
    gcTime: 30_000,
  });
  if (!query.data)
    return (
      <div className="p-3">
        <DetailState query={query} />
      </div>
    );
  return <Facts facts={query.data} root={session?.project.path ?? null} />;
}

function Facts({ facts, root }: { facts: FactsResponse; root: string | null }) {
  const { retries, failures, rereads, undone, unused, hooks } = facts;
  const pathOf = (path: string) => <VisibleText text={shortenPath(path, root)} />;
  return (
    <dl className="grid grid-cols-[calc(140px*var(--u))_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 py-2 text-12/5 tabular-nums max-sm:grid-cols-1 [&>dt]:text-fg-2">
      <dt>Retries</dt>
      <dd>
        {retries.count === 0 ? (
          <None />
        ) : (
          <Fact fact={retries}>
            {formatPlural(retries.count, "request")} sent again
            {retries.waitedMs > 0 && `, after ${formatDuration(retries.waitedMs)} of waiting`}
          </Fact>
        )}
      </dd>
      <dt>Failed calls</dt>
      <Lines facts={failures}>
        {(fact) => (
          <>
            <span className="font-semibold">{shortToolName(fact.tool)}</span> {formatCount(fact.count)} of{" "}
            {formatPlural(fact.calls, "call")}
          </>
        )}
      </Lines>
      <dt>Read again unchanged</dt>
      <Lines facts={rereads}>
        {(fact) => (
          <>
            <span className="font-mono">{pathOf(fact.path)}</span> {times(fact.count)}
          </>
        )}
      </Lines>
      <dt>Edits undone later</dt>
      <Lines facts={undone}>
        {(fact) => (
          <>
            <span className="font-mono">{pathOf(fact.path)}</span> {times(fact.count)}
          </>
        )}
      </Lines>
      <dt>Sent, never used</dt>
      <dd>
        {unused === null ? (
          <span className="text-fg-3">This client does not log which tools it sends</span>
        ) : unused.length === 0 ? (
          <None />
        ) : (
          unused.map(({ server, tools, tokens }) => (
            <p key={server} title={labelHidden(tools.join(", "))}>
              <span className="font-semibold">{server ?? "The client’s own tools"}</span>{" "}
              {formatPlural(tools.length, "tool")}, ≈{formatCompact(tokens)} tokens a request{" "}
              <span className="text-fg-3">
                <VisibleText text={tools.slice(0, MAX_LINKS).join(", ")} />
                {tools.length > MAX_LINKS && "…"}
              </span>
            </p>
          ))
        )}
      </dd>
      <dt>Hooks</dt>
      <Lines facts={hooks}>
        {(fact) => (
          <>
            <span className="font-semibold">{fact.name}</span> {times(fact.count)}, {formatDuration(fact.ms)}
            {fact.failed > 0 && <span className="text-err"> {formatCount(fact.failed)} failed</span>}
          </>
        )}
      </Lines>
    </dl>
  );
}

function None() {
  return <span className="text-fg-3">none</span>;
}

function times(count: number): string {
  return count === 1 ? "once" : `${formatCount(count)} times`;
}

function Lines<T extends CountedFact>({
  facts,
  children,
}: {
  facts: readonly T[];
  children: (fact: T) => ReactNode;
}) {
  return (
    <dd>
      {facts.length === 0 ? (
        <None />
      ) : (
        // Two may be seen first at the same record: a line of several calls, up to 2.1.42.
        facts.map((fact, nth) => (
          <Fact key={nth} fact={fact}>
            {children(fact)}
          </Fact>
        ))
      )}
    </dd>
  );
}

function Fact({ fact, children }: { fact: CountedFact; children: ReactNode }) {
  const { store } = useSessionPage();
  const go = (place: FactPlace) => store.views.leaveForRequest(place, false);
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
      <span className="flex gap-x-1.5 print:hidden">
        {fact.places.slice(0, MAX_LINKS).map((place, nth) => (
          <button
            key={nth}
            type="button"
            aria-label={fact.places.length === 1 ? "Show" : `Show, ${nth + 1} of ${formatCount(fact.count)}`}
            className="min-w-4 text-accent hover:underline pointer-coarse:min-h-6 pointer-coarse:min-w-6"
            onClick={() => go(place)}
          >
            {fact.places.length === 1 ? "show" : nth + 1}
          </button>
        ))}
        {fact.count > MAX_LINKS && <span className="text-fg-3">…</span>}
      </span>
    </p>
  );
}
