import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { LaneShape } from "@/components/ui/marks";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/components/ui/menu";
import { useRelated } from "@/lib/client/queries";
import { useNow } from "@/lib/client/use-now";
import { formatCompact, formatCost, formatDuration, formatMoment, formatPlural } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
import { shortToolName } from "@/lib/tools/tools";
import type { ComparedSide, CompareResponse, PartFigures, SideName } from "@/lib/wire/compare";
import { failedCalls } from "@/lib/wire/library-columns";

/** What stands on one side, with a choice of others, and its figures. */
export function SideTop({ side, name, lane }: { side: ComparedSide; name: SideName; lane: number }) {
  const { sessionId } = useSessionPage();
  const { own, abandoned, contextTokens } = side;
  const nowMs = useNow();
  const words = side.prompt ?? "No prompt of its own";
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
            <span className="flex-none text-11 text-fg-3 max-sm:hidden">{standingWords(side, nowMs)}</span>
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
          <span className="min-w-0 text-fg-3" title="Branches that were begun behind the stem and left again">
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
  toolsDenied,
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
    ...count(failedCalls({ toolErrors, toolsDenied }), "error"),
    ...count(toolsDenied, "denied", "denied"),
    ...count(agents, "agent"),
    ...(durationMs === null || durationMs === 0
      ? []
      : [[formatDuration(durationMs), "at work"] as [string, string]]),
    ...count(tokens, "tok", "tok"),
    ...(tokens > 0 ? [[formatCost(cost.microUsd, cost.unpricedTokens), "cost"] as [string, string]] : []),
  ];
}

function standingWords({ active, number, branches, lastActiveAtMs }: ComparedSide, nowMs: number): string {
  const time = lastActiveAtMs === null ? "" : ` ${formatMoment(lastActiveAtMs, nowMs)}`;
  return branches > 1 ? `branch ${number}, ${active ? "active" : `left${time}`}` : `until${time}`;
}

/** A menu of what else can stand on a side: the session's branches, and sessions that share its history. */
function SideChoice({ side, name, children }: { side: ComparedSide; name: SideName; children: ReactNode }) {
  const { sessionId, session, setUrl } = useSessionPage();
  const { data: related = [], error, hasNextPage, isFetchingNextPage, fetchNextPage } = useRelated(sessionId);
  const choose = (value: string) => setUrl({ [name]: value, file: null }, "replace");
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
          <VisibleText text={shownTitle(one.title)} />
        </MenuChoice>
      ))}
      {hasNextPage && (
        <MenuItem
          onSelect={(event) => {
            event.preventDefault();
            if (isFetchingNextPage) return;
            // Goes with the last ones: arrows are to reach what has come.
            const menu = (event.target as HTMLElement).closest<HTMLElement>("[role=menu]");
            void fetchNextPage().then((answer) => !answer.hasNextPage && menu?.focus());
          }}
        >
          {isFetchingNextPage ? "Loading…" : "Show more"}
        </MenuItem>
      )}
      {error && (
        <p role="status" className="px-2 py-1 text-12 text-err">
          {error.message}
        </p>
      )}
    </Menu>
  );
}

/** Which tools were used more, less, or on one side alone. */
export function Overview({ compared: { tools } }: { compared: CompareResponse }) {
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
      className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line px-3 py-1.5 text-12 tabular-nums"
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
