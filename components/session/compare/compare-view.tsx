import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Columns2 } from "lucide-react";
import { useRef } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { DetailState, EmptyState } from "@/components/ui/states";
import { useOpenPage } from "@/lib/client/address/address-writes";
import { formatPermalink } from "@/lib/client/address/session-url";
import { ApiError } from "@/lib/client/connection/api-error";
import { useIsGuest } from "@/lib/client/connection/token";
import { sessionQuery } from "@/lib/client/queries";
import { formatPlural } from "@/lib/format/format";
import type { ComparedSide, CompareResponse, SideName, TurnPair } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";
import { CompareSheet } from "./compare-sheet";
import { CompareTop } from "./compare-top";
import { ComparedFiles } from "./compared-files";
import { Overview } from "./compared-sides";
import { Stem } from "./compared-stem";
import { CompareLines } from "./compared-turns";
import { type CompareItem, isTurnOpen, turnNames, useCompareItems, useComparison } from "./use-compare";
import { useCompareKeys } from "./use-compare-keys";
import { useCompareLook } from "./use-compare-look";

/** Two branches of the session, or it and another one, beside each other: what both hold, their turns, and the files as they ended. */
export function CompareView({ printed }: { printed: boolean }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const sides = { left: url.left, right: url.right };
  const query = useComparison(sessionId, sides, session?.revision ?? null);
  const { data: compared, isPlaceholderData: isBefore } = query;
  const onlyDifferent = url.look === "differences";
  const list = useRef<HTMLDivElement>(null);
  const { folds, fold, isStemOpen, toggleStem, at, setAt, onScroll } = useCompareLook(
    JSON.stringify([sessionId, url.left, url.right]),
    list,
    compared !== undefined,
  );
  const items = useCompareItems(sessionId, sides, { compared, isBefore }, folds, onlyDifferent);
  const lanes = lanesOf(compared);
  const openRecord = useOpenRecord(compared);
  const toggle = (turns: TurnPair) =>
    compared && fold(turnNames(compared, turns), isTurnOpen(compared, turns, folds));
  const swap = () => {
    if (!compared) return;
    setUrl({ left: nameOf(compared.right, sessionId), right: nameOf(compared.left, sessionId) }, "replace");
  };
  useCompareKeys(items, compared ? endsAwaited(items) : query.isPending, {
    at,
    setAt,
    onToggle: toggle,
    onToggleStem: toggleStem,
    onOpen: openRecord,
    onSwap: swap,
    onBack: store.views.close,
  });
  return (
    <section
      aria-label="Compare"
      onScroll={onScroll}
      className={clsx(
        "grid h-full grid-cols-[minmax(0,1fr)] max-md:block max-md:overflow-y-auto",
        compared && compared.files.length > 0
          ? "grid-rows-[auto_minmax(0,1fr)_minmax(0,34%)]"
          : "grid-rows-[auto_minmax(0,1fr)_auto]",
      )}
    >
      <CompareTop
        compared={compared}
        lanes={lanes}
        onlyDifferent={onlyDifferent}
        onOnlyDifferent={(only) => setUrl({ look: only ? "differences" : null }, "replace")}
        onSwap={swap}
        onBack={store.views.close}
      />
      {!compared ? (
        <NotCompared query={query} />
      ) : (
        <>
          <div
            ref={list}
            onScroll={onScroll}
            data-full-rows=""
            className="min-h-0 overflow-y-auto max-md:overflow-visible"
            data-compare="list"
          >
            <Stem compared={compared} open={isStemOpen} onToggle={toggleStem} onOpen={openRecord} />
            <Overview compared={compared} />
            <ol aria-label="Turns beside each other">
              <CompareLines items={items} lanes={lanes} at={at} onToggle={toggle} onOpen={openRecord} />
            </ol>
            <TurnsLeftOut compared={compared} />
          </div>
          {/* Where the page scrolls as one, they are below all rows. */}
          <div className={clsx("contents", endsAwaited(items) && "max-md:invisible")}>
            <ComparedFiles
              compared={compared}
              lanes={lanes}
              shown={url.file}
              onShow={(file) => setUrl({ file }, "replace")}
            />
          </div>
          {printed && <CompareSheet compared={compared} lanes={lanes} items={items} stemOpen={isStemOpen} />}
        </>
      )}
    </section>
  );
}

/** That there are no turns to compare, or more than are compared. */
function TurnsLeftOut({ compared: { turns, moreTurns } }: { compared: CompareResponse }) {
  return (
    <>
      {turns.length === 0 && <p className="p-3 text-fg-2">Neither side has a turn behind the stem.</p>}
      {moreTurns > 0 && (
        <p className="p-3 text-12 text-fg-3">
          {formatPlural(moreTurns, "more turn")}: these are all that are compared.
        </p>
      )}
    </>
  );
}

function endsAwaited(items: readonly CompareItem[]): boolean {
  const last = items.at(-1);
  return last?.kind === "note" && last.isAwaited;
}

/** What a side is that the address names and that is not there, by the code of the answer. */
const GONE: Readonly<Record<string, string>> = {
  "session-not-found": "The session to compare with was not found",
  "record-not-found": "This session has no such branch",
};

/** In the place of a comparison that is on its way, failed, or cannot be made of what the address names. */
function NotCompared({ query }: { query: ReturnType<typeof useComparison> }) {
  const { sessionId, session, store } = useSessionPage();
  const own = useQuery(sessionQuery(sessionId));
  const isGuest = useIsGuest();
  const { error } = query;
  // Nothing is asked for while the session itself is not known.
  if (!(error instanceof ApiError) || query.isFetching)
    return (
      <div className="p-3">
        <DetailState query={own.error && !own.data ? own : query} />
      </div>
    );
  const gone = GONE[error.code];
  if (gone !== undefined)
    return (
      <EmptyState
        icon={Columns2}
        title={gone}
        actions={
          <>
            {session?.counts.branches !== 1 && (
              <Button onClick={() => store.views.openCompare()}>Compare this session’s branches</Button>
            )}
            <Button onClick={() => void query.refetch()}>Try again</Button>
          </>
        }
      >
        {error.code === "session-not-found"
          ? error.hint
          : "The log may have been rewritten since the link was made."}
      </EmptyState>
    );
  if (error.code !== "one-branch")
    return (
      <div className="p-3">
        <DetailState query={query} />
      </div>
    );
  return (
    <EmptyState icon={Columns2} title="This session has one branch">
      {!isGuest &&
        "To compare it with another session, select both in the library with x, and press =. By touch: Select sessions, then Compare."}
    </EmptyState>
  );
}

/** The colours of the two: their branches' own, or for two sessions any two. */
function lanesOf(compared: CompareResponse | undefined): Record<SideName, number> {
  const [left, right] = [compared?.left.number ?? 0, compared?.right.number ?? 0];
  return left > 0 &&
    right > 0 &&
    (left - right) % 8 !== 0 &&
    compared?.left.sessionId === compared?.right.sessionId
    ? { left, right }
    : { left: 5, right: 1 };
}

/** How the address names a side. */
function nameOf(side: ComparedSide, sessionId: string): string | null {
  return side.sessionId === sessionId ? side.branch : side.sessionId;
}

/** Goes to a record of a side: in the thread of this session, or on the other one's page. */
function useOpenRecord(compared: CompareResponse | undefined) {
  const { sessionId, store } = useSessionPage();
  const openPage = useOpenPage();
  return (name: SideName, recordId: RecordId, block = 0) => {
    const side = compared?.[name];
    if (!side) return;
    if (side.sessionId !== sessionId) {
      const at = formatPermalink({ recordId, block, lines: null, hunk: null });
      return openPage(`/sessions/${encodeURIComponent(side.sessionId)}?at=${encodeURIComponent(at)}`);
    }
    const branch = side.active ? null : side.branch;
    store.views.leaveForStep({
      recordId,
      block,
      tool: "",
      agentId: null,
      branch,
      turn: 0,
    });
  };
}
