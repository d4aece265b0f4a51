import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowLeftRight, ChevronDown, CornerDownRight } from "lucide-react";
import { useCallback, useState } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/menu";
import { DetailState } from "@/components/ui/states";
import { useOpenPage } from "@/lib/client/address";
import { api } from "@/lib/client/api";
import { useKeys } from "@/lib/client/key-registry";
import { useIsGuest } from "@/lib/client/token";
import { formatClock, formatCompact, formatCost, formatDuration, formatPlural } from "@/lib/format/format";
import { shortToolName } from "@/lib/tools/tools";
import type { ComparedSide, CompareResponse, PartFigures } from "@/lib/wire/compare";
import type { RecordId } from "@/lib/wire/ids";
import { ComparedFiles } from "./compared-files";
import { CompareLine, type SideName } from "./compared-turns";
import { type CompareItem, useCompareItems, useComparison } from "./use-compare";

/** Turns that are open at first. */
const OPEN_TURNS = 8;
const LOOKS = [
  { value: false, label: "All rows" },
  { value: true, label: "Only differences" },
] as const;

/** Two branches of the session, or it and another one, beside each other: what both hold, their turns, and the files as they ended. */
export function CompareView() {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const sides = { left: url.left, right: url.right };
  const query = useComparison(sessionId, sides, session?.revision ?? null);
  const { data: compared } = query;
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState<string | null>(null);
  const firstPair = compared?.turns[0]?.pair ?? 0;
  const isOpen = useCallback(
    (pair: number) => pair < firstPair + OPEN_TURNS !== toggled.has(pair),
    [firstPair, toggled],
  );
  const items = useCompareItems(sessionId, sides, compared, isOpen, onlyDifferent);
  const lanes = lanesOf(compared);
  const toggle = (pair: number) => {
    const next = new Set(toggled);
    if (!next.delete(pair)) next.add(pair);
    setToggled(next);
  };
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
    if (right) openRecord("right", right.recordId);
    else if (left) openRecord("left", left.recordId);
  };
  const swap = () => {
    if (!compared) return;
    setUrl({ left: nameOf(compared.right, sessionId), right: nameOf(compared.left, sessionId) }, "replace");
  };
  const isLine = ({ kind }: CompareItem) => kind !== "note";
  useKeys("compare", [
    { keys: ["j"], label: "next row, on both sides", group: "Move", run: () => step(1, isLine) },
    { keys: ["k"], label: "previous row, on both sides", group: "Move", run: () => step(-1, isLine) },
    { keys: ["n"], label: "next difference", group: "Move", run: () => step(1, ({ differs }) => differs) },
    {
      keys: ["N"],
      label: "previous difference",
      group: "Move",
      run: () => step(-1, ({ differs }) => differs),
    },
    { keys: ["x"], label: "swap the sides", group: "Views and panes", run: swap },
    { keys: ["Enter"], label: "open the row in the thread", group: "Open and read", run: openItem },
    { keys: ["Escape"], label: "back to the thread", group: "Views and panes", run: store.closeChanges },
  ]);
  return (
    <section
      aria-label="Compare"
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
          <Button title="Swap ( x )" aria-label="Swap" onClick={swap} disabled={!compared}>
            <Icon of={ArrowLeftRight} small />
            <span className="max-sm:hidden">Swap</span>
          </Button>
          <Button onClick={store.closeChanges}>
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
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : (
        <>
          <div className="min-h-0 overflow-y-auto max-md:overflow-visible" data-compare="list">
            <Stem compared={compared} onOpen={openRecord} />
            <Overview compared={compared} />
            <ol aria-label="Turns beside each other">
              {items.map((item) =>
                item.kind === "note" ? (
                  <li key={item.key} className="px-3 py-1 text-12 text-fg-3">
                    {item.words}
                  </li>
                ) : (
                  <CompareLine
                    key={item.key}
                    item={item}
                    lanes={lanes}
                    current={item.key === at}
                    onToggle={toggle}
                    onOpen={(side) => {
                      const row = item.kind === "rows" ? item.rows[side] : null;
                      if (row) openRecord(side, row.recordId);
                    }}
                  />
                ),
              )}
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
          <ComparedFiles
            compared={compared}
            lanes={lanes}
            shown={url.file}
            onShow={(file) => setUrl({ file }, "replace")}
          />
        </>
      )}
    </section>
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
  return (name: SideName, recordId: RecordId) => {
    const side = compared?.[name];
    if (!side) return;
    if (side.sessionId !== sessionId)
      return openPage(`/sessions/${encodeURIComponent(side.sessionId)}?at=${encodeURIComponent(recordId)}`);
    const branch = side.active ? null : side.branch;
    store.leaveForStep({
      recordId,
      block: 0,
      tool: "",
      agentId: null,
      branch,
      turn: 0,
    });
  };
}

/** What stands on one side, with a choice of others, and its figures. */
function SideTop({ side, name, lane }: { side: ComparedSide; name: SideName; lane: number }) {
  const { sessionId } = useSessionPage();
  const { own, abandoned, contextTokens } = side;
  const words = side.prompt ?? "Nothing of its own";
  const figures = figureWords(own);
  return (
    <div className="min-w-0">
      <div className="flex h-9 items-center px-3 max-sm:px-1">
        <SideChoice side={side} name={name}>
          <Button className="max-w-full min-w-0 flex-initial! overflow-hidden">
            <LaneShape lane={lane} />
            <span className="min-w-0 truncate font-semibold">
              <VisibleText text={side.sessionId === sessionId ? words : side.title} />
            </span>
            <span className="flex-none text-11 text-fg-3 max-sm:hidden">{standingWords(side)}</span>
            <Icon of={ChevronDown} small className="text-fg-3" />
          </Button>
        </SideChoice>
      </div>
      <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-0.5 px-3 pb-1 text-12 text-fg-2 tabular-nums max-sm:gap-x-2.5 max-sm:px-2">
        {figures.map(([count, unit]) => (
          <span key={unit} className="whitespace-nowrap">
            <b className="font-semibold text-fg">{count}</b> {unit}
          </span>
        ))}
        <ChangedLines added={own.added} removed={own.removed} />
        {contextTokens !== null && (
          <span className="whitespace-nowrap max-md:hidden">
            <b className="font-semibold text-fg">{formatCompact(contextTokens)}</b> context
          </span>
        )}
        {abandoned && (
          <span
            className="whitespace-nowrap text-fg-3"
            title="Ways that were begun behind the stem and left again"
          >
            + {formatPlural(abandoned.branches, "abandoned branch", "abandoned branches")}:{" "}
            {figureWords(abandoned)
              .map((figure) => figure.join(" "))
              .join(", ")}
          </span>
        )}
      </div>
    </div>
  );
}

/** Figures with their units; what is none is left out, but for turns. */
function figureWords({
  turns,
  toolCalls,
  toolErrors,
  agents,
  durationMs,
  tokens,
  cost,
}: PartFigures): [string, string][] {
  const count = (number: number, one: string, many = `${one}s`): [string, string][] =>
    number > 0 ? [[formatCompact(number), number === 1 ? one : many]] : [];
  return [
    [formatCompact(turns), turns === 1 ? "turn" : "turns"],
    ...count(toolCalls, "tool"),
    ...count(toolErrors, "error"),
    ...count(agents, "agent"),
    ...(durationMs === null || durationMs === 0
      ? []
      : [[formatDuration(durationMs), "at work"] as [string, string]]),
    ...count(tokens, "tok", "tok"),
    ...(tokens > 0 ? [[formatCost(cost.microUsd, cost.unpricedTokens), "cost"] as [string, string]] : []),
  ];
}

function standingWords({ active, number, branches, lastActiveAtMs }: ComparedSide): string {
  const time = lastActiveAtMs === null ? "" : ` ${formatClock(lastActiveAtMs)}`;
  return branches > 1 ? `branch ${number}, ${active ? "active" : `left${time}`}` : `until${time}`;
}

/** A menu of what else can stand on a side: the session's branches, and sessions that share its history. */
function SideChoice({
  side,
  name,
  children,
}: {
  side: ComparedSide;
  name: SideName;
  children: React.ReactNode;
}) {
  const { sessionId, session, setUrl } = useSessionPage();
  const isGuest = useIsGuest();
  const { data } = useQuery({
    queryKey: ["related", sessionId],
    queryFn: ({ signal }) => api.related(sessionId, { signal }),
    enabled: !isGuest,
  });
  const choose = (value: string) => setUrl({ [name]: value, file: null }, "replace");
  const related = isGuest ? [] : (data?.related ?? []);
  return (
    <Menu trigger={children} label={name === "left" ? "Left side" : "Right side"}>
      {session?.branches.map((branch) => (
        <MenuChoice
          key={branch.id}
          chosen={side.sessionId === sessionId && side.branch === branch.id}
          aside={`branch ${branch.number}${branch.active ? ", active" : ""}`}
          onSelect={() => choose(branch.id)}
        >
          <VisibleText text={branch.prompt ?? session.title} />
        </MenuChoice>
      ))}
      {related.length > 0 && <MenuLine />}
      {related.map((one) => (
        <MenuChoice
          key={one.id}
          chosen={side.sessionId === one.id}
          aside={one.relation.replaceAll("-", " ")}
          onSelect={() => choose(one.id)}
        >
          <VisibleText text={one.title || "Untitled session"} />
        </MenuChoice>
      ))}
    </Menu>
  );
}

/** What both hold, with the way to its end in the thread. */
function Stem({
  compared: { stem },
  onOpen,
}: {
  compared: CompareResponse;
  onOpen: (side: SideName, record: RecordId) => void;
}) {
  const { last, turns, prompt, figures, atMs } = stem;
  if (!last)
    return (
      <p className="border-b border-line px-3 py-1.5 text-12 text-fg-2">The two have no history in common.</p>
    );
  const costs = [
    figures.tokens > 0 && `${formatCompact(figures.tokens)} tok`,
    figures.durationMs !== null && formatDuration(figures.durationMs),
  ].filter(Boolean);
  return (
    <div className="flex min-h-8 items-center gap-3 border-b border-line bg-panel px-3 text-12 tabular-nums">
      <span className="flex-none font-semibold">Stem, the same on both</span>
      <span className="min-w-0 truncate text-fg-2">
        {turns === 0 ? "before the first prompt" : turns === 1 ? "turn 1" : `turns 1–${turns}`}
        {prompt !== null && turns > 0 && (
          <span className="text-fg-3 max-sm:hidden">
            {" "}
            up to “<VisibleText text={prompt} />”{atMs !== null && `, ${formatClock(atMs)}`}
          </span>
        )}
      </span>
      <span className="flex-1" />
      {costs.length > 0 && (
        <span className="flex-none text-fg-3 max-lg:hidden">{costs.join(", ")}, counted for neither</span>
      )}
      <Button kind="quiet" onClick={() => onOpen("right", last.right)}>
        <Icon of={CornerDownRight} small />
        <span className="max-sm:sr-only">Open its end</span>
      </Button>
    </div>
  );
}

/** Which tools were used more, less, or on one side alone. */
function Overview({ compared: { tools } }: { compared: CompareResponse }) {
  const differing = tools.filter(({ left, right }) => left !== right);
  if (differing.length === 0) return null;
  const groups = [
    { words: "Only left", of: differing.filter(({ right }) => right === 0) },
    { words: "Only right", of: differing.filter(({ left }) => left === 0) },
    { words: "Less on the right", of: differing.filter(({ left, right }) => right > 0 && right < left) },
    { words: "More on the right", of: differing.filter(({ left, right }) => left > 0 && right > left) },
  ].filter(({ of }) => of.length > 0);
  return (
    <dl
      aria-label="Tools"
      className={clsx("flex flex-wrap gap-x-6 gap-y-1 border-b border-line px-3 py-1.5 text-12 tabular-nums")}
    >
      {groups.map(({ words, of }) => (
        <div key={words} className="flex flex-wrap gap-x-2">
          <dt className="text-fg-3">{words}</dt>
          {of.map(({ name, left, right }) => (
            <dd key={name}>
              {shortToolName(name)}{" "}
              <span className="text-fg-2">
                {left === 0 ? right : right === 0 ? left : `${left} → ${right}`}
              </span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
