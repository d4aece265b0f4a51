import { clsx } from "clsx";
import { ArrowLeftRight, Columns2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { DetailState, EmptyState } from "@/components/ui/states";
import { useOpenPage } from "@/lib/client/address";
import { ApiError } from "@/lib/client/connection/api-error";
import { useIsGuest } from "@/lib/client/connection/token";
import { useKeys } from "@/lib/client/key-registry";
import { formatPermalink } from "@/lib/client/session-url";
import { formatPlural } from "@/lib/format/format";
import type { ComparedSide, CompareResponse } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";
import { CompareSheet } from "./compare-sheet";
import { ComparedFiles } from "./compared-files";
import { Overview, SideTop } from "./compared-sides";
import { Stem } from "./compared-stem";
import { CompareLines, type SideName } from "./compared-turns";
import { type CompareItem, useCompareItems, useComparison } from "./use-compare";
import { useCompareLook } from "./use-compare-look";

/** Turns that are open at first. */
const OPEN_TURNS = 8;
const LOOKS = [
  { value: false, label: "All rows" },
  { value: true, label: "Only differences" },
] as const;

/** Two branches of the session, or it and another one, beside each other: what both hold, their turns, and the files as they ended. */
export function CompareView({ printed }: { printed: boolean }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const sides = { left: url.left, right: url.right };
  const query = useComparison(sessionId, sides, session?.revision ?? null);
  const { data: compared } = query;
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { toggled, toggle, isStemOpen, toggleStem, at, setAt, onScroll } = useCompareLook(
    JSON.stringify([sessionId, url.left, url.right]),
    list,
    compared !== undefined,
  );
  const firstPair = compared?.turns[0]?.pair ?? 0;
  const isOpen = useCallback(
    (pair: number) => pair < firstPair + OPEN_TURNS !== toggled.has(pair),
    [firstPair, toggled],
  );
  const items = useCompareItems(sessionId, sides, compared, { isOpen, toggled }, onlyDifferent);
  const lanes = lanesOf(compared);
  const openRecord = useOpenRecord(compared);
  const step = (by: number, isMeant: (item: CompareItem) => boolean) => {
    const index = items.findIndex(({ key }) => key === at);
    const found =
      by > 0
        ? items.slice(index + 1).find(isMeant)
        : items.slice(0, index === -1 ? items.length : index).findLast(isMeant);
    if (found) setAt(found.key);
  };
  const openItem = () => {
    const item = items.find(({ key }) => key === at);
    if (!item || item.kind === "note") return;
    const { left, right } = item.kind === "turns" ? item.turns : item.rows;
    if (right) openRecord("right", right.recordId, "block" in right ? right.block : 0);
    else if (left) openRecord("left", left.recordId, "block" in left ? left.block : 0);
  };
  const unfold = () => {
    const item = items.find(({ key }) => key === at);
    if (!item || item.kind === "note") toggleStem();
    else toggle(item.turns.pair);
  };
  const swap = () => {
    if (!compared) return;
    setUrl({ left: nameOf(compared.right, sessionId), right: nameOf(compared.left, sessionId) }, "replace");
  };
  const isLine = ({ kind }: CompareItem) => kind !== "note";
  useKeys([
    { keys: ["j"], label: "next row, on both sides", group: "Move", run: () => step(1, isLine) },
    { keys: ["k"], label: "previous row, on both sides", group: "Move", run: () => step(-1, isLine) },
    { keys: ["n"], label: "next difference", group: "Move", run: () => step(1, ({ differs }) => differs) },
    {
      keys: ["N"],
      label: "previous difference",
      group: "Move",
      run: () => step(-1, ({ differs }) => differs),
    },
    { keys: ["o"], label: "unfold or fold the turn, or the stem", group: "Open and read", run: unfold },
    { keys: ["X"], label: "swap the sides", group: "Views and panes", run: swap },
    { keys: ["Enter"], label: "open the row in the thread", group: "Open and read", run: openItem },
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: store.closeView },
  ]);
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
      <div className="border-b border-line-2 bg-panel max-md:sticky max-md:top-0 max-md:z-2">
        <div className="flex h-tool items-center gap-2 border-b border-line px-3 text-12 max-sm:px-2">
          <h2 className="font-semibold max-sm:sr-only">Compare</h2>
          {compared && (
            <span className="truncate text-fg-3 tabular-nums max-md:hidden">
              {compared.left.sessionId === compared.right.sessionId
                ? `2 of ${compared.left.branches} branches`
                : "two sessions"}
            </span>
          )}
          <span className="flex-1" />
          <Segmented label="Rows" choices={LOOKS} value={onlyDifferent} onChange={setOnlyDifferent} />
          <Button title="Swap (X)" aria-label="Swap" onClick={swap} disabled={!compared}>
            <Icon of={ArrowLeftRight} small />
            <span className="max-sm:hidden">Swap</span>
          </Button>
          <Button onClick={store.closeView}>
            Back<span className="max-sm:sr-only"> to the thread</span>
          </Button>
        </div>
        {compared && (
          <div className="grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)]">
            <SideTop side={compared.left} name="left" lane={lanes.left} />
            <span className="flex items-center justify-center border-x border-line text-11 text-fg-3">
              vs
            </span>
            <SideTop side={compared.right} name="right" lane={lanes.right} />
          </div>
        )}
      </div>
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
            {compared.turns.length === 0 && (
              <p className="p-3 text-fg-2">Neither side has a turn behind the stem.</p>
            )}
            {compared.moreTurns > 0 && (
              <p className="p-3 text-12 text-fg-3">
                {formatPlural(compared.moreTurns, "more turn")}: these are all that are compared.
              </p>
            )}
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

function endsAwaited(items: readonly CompareItem[]): boolean {
  const last = items.at(-1);
  return last?.kind === "note" && last.isAwaited;
}

/** In the place of a comparison that is on its way, failed, or cannot be made of a single branch. */
function NotCompared({ query }: { query: ReturnType<typeof useComparison> }) {
  const isGuest = useIsGuest();
  const { error } = query;
  if (!(error instanceof ApiError && error.code === "one-branch"))
    return (
      <div className="p-3">
        <DetailState query={query} />
      </div>
    );
  return (
    <EmptyState icon={Columns2} title="This session has one branch">
      {!isGuest && "To compare it with another session, select both in the library with x, and press =."}
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
    store.leaveForStep({
      recordId,
      block,
      tool: "",
      agentId: null,
      branch,
      turn: 0,
    });
  };
}
