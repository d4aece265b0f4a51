import { clsx } from "clsx";
import { CircleHelp, EyeOff, type LucideIcon, SquareCheck, Star, Tag, TriangleAlert } from "lucide-react";
import { memo, useState } from "react";
import { toggleHidden, toggleStar } from "@/components/annotations/organise";
import { MarkLine, StarMark } from "@/components/annotations/session-marks";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatActivity, stateWord, waitIcon } from "@/components/live/live-pill";
import { useSeen } from "@/components/live/live-seen";
import { IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useFocusedLink } from "@/components/ui/main-focus";
import { KeptTag, LogGoneTag, RunningRing } from "@/components/ui/marks";
import { PageLink } from "@/components/ui/page-link";
import { Elapsed, Time } from "@/components/ui/time";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useLiveState } from "@/lib/client/live-states";
import { formatCompact, formatElapsed, formatPlural } from "@/lib/format/format";
import { folderName } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import {
  isInProgress,
  type OpenEnd,
  type Project,
  type SessionSummary,
  unansweredEnd,
} from "@/lib/wire/library";
import { failedCalls, type SessionSort } from "@/lib/wire/library-columns";
import { toggleSelected, useIsSelected, useIsSelecting } from "../selected-sessions";
import { ActivityStrip } from "./activity-strip";
import { ACTIVITY_SHOWN, BRANCH_SHOWN, NumberCells, orderedFigure } from "./number-columns";

type SessionRowProps = {
  session: SessionSummary;
  project: Project | undefined;
  sort: SessionSort;
  current: boolean;
  tabStop: boolean;
  focused: boolean;
};

/** Whether a session's row in the wide table has a second line: what it does, or why it cannot be read. */
export function hasSecondLine(session: SessionSummary): boolean {
  return isInProgress(session) || session.problem !== null;
}

/** One session in the wide table: a line, and a second one while it is live or when it cannot be read. */
export const SessionRow = memo(function SessionRow({
  session,
  project,
  sort,
  current,
  tabStop,
  focused,
}: SessionRowProps) {
  // Before the pointer has been on the row its buttons are not visible; they cost more than the rest of it.
  const [hasPointer, setHasPointer] = useState(false);
  const two = hasSecondLine(session);
  return (
    <div
      // React reports no entering if the element under the pointer was removed from the page, as with another list.
      onPointerOver={() => setHasPointer(true)}
      className={clsx(
        "group/session library-columns h-full border-b border-line pr-4 pl-3 whitespace-nowrap",
        two && "grid-rows-[24fr_20fr] content-center",
        current ? "sel-bar bg-sel" : "relative hover:bg-raised",
      )}
    >
      <span role="cell">
        <RowMark session={session} />
      </span>
      <span role="cell" className="flex min-w-0 items-center gap-1.5">
        <SessionTitle session={session} tabStop={tabStop} focused={focused} />
        {hasPointer ? <RowActions session={session} /> : null}
      </span>
      <span role="cell" className="truncate text-fg-2" title={labelHidden(project?.path)}>
        {project && <VisibleText text={folderName(project.path)} />}
      </span>
      <span
        role="cell"
        className={clsx("truncate font-mono text-12 text-fg-2", BRANCH_SHOWN)}
        title={labelHidden(session.gitBranch ?? undefined)}
      >
        {session.gitBranch && <VisibleText text={session.gitBranch} />}
      </span>
      <span role="cell" className={clsx(ACTIVITY_SHOWN, two && "row-span-2")}>
        {session.activity ? (
          <ActivityStrip activity={session.activity} running={session.state === "running"} />
        ) : null}
      </span>
      <NumberCells session={session} sort={sort} />
      <span role="cell" className="text-right text-fg-2 tabular-nums">
        <SessionWhen session={session} sort={sort} />
      </span>
      {two ? (
        <span
          role="cell"
          className="col-start-2 col-end-5 row-start-2 truncate text-12 max-xl:col-end-4 in-data-[text=16]:max-[1600px]:col-end-4"
        >
          <SecondLine session={session} />
        </span>
      ) : null}
    </div>
  );
});

type TitleProps = Pick<SessionRowProps, "session" | "tabStop" | "focused"> & { isNarrow?: boolean };

/** The title, with a note about its log before it, and the reader's own marks. */
function SessionTitle({ session, tabStop, focused, isNarrow = false }: TitleProps) {
  return (
    <>
      <span className="min-w-0 truncate">
        {session.logGone ? <LogGoneTag /> : null}
        {session.storage === "archive" ? <KeptTag /> : null}
        {session.marks?.starred ? <StarMark className="mr-1.5 align-[-2px]" /> : null}
        <SessionLink session={session} tabStop={tabStop} focused={focused} />
      </span>
      {isNarrow ? null : <MarkLine marks={session.marks} most={2} />}
    </>
  );
}

/** Actions on a session without opening it, shown at the pointer. The keys do the same. */
function RowActions({ session }: { session: SessionSummary }) {
  const { id, marks } = session;
  const isSelected = useIsSelected(id);
  const actions: [LucideIcon, string, string, () => void][] = [
    [Star, marks?.starred ? "Remove the star" : "Star", "*", () => toggleStar([session])],
    [Tag, "Name, tags and note", "t", () => openPageDialog({ organise: [id] })],
    [
      EyeOff,
      marks?.hidden ? "Show in the library again" : "Hide from the library",
      "H",
      () => toggleHidden([session]),
    ],
    [SquareCheck, isSelected ? "Not selected" : "Select", "x", () => toggleSelected(id)],
  ];
  return (
    // Above the title's link, whose area is the whole row.
    <span className="relative z-1 ml-auto hidden flex-none group-hover/session:flex max-md:group-hover/session:hidden">
      {actions.map(([icon, label, keys, run]) => (
        <IconButton key={keys} icon={icon} small label={label} keys={keys} tabIndex={-1} onClick={run} />
      ))}
    </span>
  );
}

/** What a live session does or waits for; why another cannot be read. */
function SecondLine({ session }: { session: SessionSummary }) {
  const { problem, firstPrompt, title } = session;
  const told = useLiveState(session.id);
  if (problem) return <span className="text-err">{problem.message}</span>;
  // What the page is told of a state is drawn before the list with it, but a list may be read after a gap in what is told.
  const isTold = told && (told.state === session.state || (told.sinceMs ?? 0) > (session.sinceMs ?? 0));
  const live = isTold ? told : null;
  const { state } = live ?? session;
  const waits = state === "waiting";
  if (live?.doing) {
    return (
      <span className={waits ? "text-warn" : "text-fg-2"}>
        <span className={waits ? undefined : "text-run"}>
          {stateWord(live)} <Elapsed sinceMs={live.doing.sinceMs ?? live.sinceMs} format={formatElapsed} />
        </span>{" "}
        <span className="font-mono">{formatActivity(live)}</span>
        {live.doing.name === null && live.lastText}
      </span>
    );
  }
  if (waits) return <span className="text-warn">Waiting for you in its terminal</span>;
  // It leaves the running ones in a moment.
  if (live && !isInProgress(live)) return <span className="text-fg-2">{live.lastText}</span>;
  return (
    <span className="text-fg-2">
      {firstPrompt && firstPrompt !== title ? <VisibleText text={firstPrompt} /> : "Running"}
    </span>
  );
}

/**
 * The title, which is the link; its hit area is the whole row. `tabStop`: the one
 * row that Tab stops at. `focused`: it shall take the focus, as the keys have just moved to it.
 */
function SessionLink({
  session,
  tabStop,
  focused,
}: {
  session: SessionSummary;
  tabStop: boolean;
  focused: boolean;
}) {
  const link = useFocusedLink(focused);
  const untitled = session.titleSource === "none";
  return (
    <PageLink
      ref={link}
      href={`/sessions/${encodeURIComponent(session.id)}`}
      tabIndex={tabStop ? 0 : -1}
      title={labelHidden(session.firstPrompt ?? session.title)}
      className={`outline-none before:absolute before:inset-0 before:content-[''] focus-visible:outline-none focus-visible:before:outline-2 focus-visible:before:-outline-offset-2 focus-visible:before:outline-accent ${
        untitled ? "text-fg-2" : ""
      } ${isInProgress(session) ? "font-semibold" : ""}`}
    >
      <VisibleText text={session.title} />
    </PageLink>
  );
}

/** How long a live session has been in its state; when any other was last active, or started. */
function SessionWhen({ session, sort }: { session: SessionSummary; sort: SessionSort }) {
  if (isInProgress(session) && session.sinceMs !== null) {
    const tone = session.state === "waiting" ? "text-warn" : "text-run";
    return <Elapsed sinceMs={session.sinceMs} format={formatElapsed} className={tone} />;
  }
  const atMs = sort === "started" ? session.startedAtMs : session.lastActiveAtMs;
  return atMs === null ? null : <Time atMs={atMs} />;
}

/** The mark before a session's title, or while rows are selected by a click or tap, its check box. */
function RowMark({ session }: { session: SessionSummary }) {
  return useIsSelecting() ? <SelectBox session={session} /> : <StateMark session={session} />;
}

/** Its area is the whole row, above the title's link. Keys have `x`, so Tab does not stop at it. */
function SelectBox({ session: { id, title } }: { session: SessionSummary }) {
  const isSelected = useIsSelected(id);
  return (
    <label className="flex justify-center before:absolute before:inset-0 before:z-1 before:content-['']">
      <input
        type="checkbox"
        aria-label={labelHidden(`Select ${title}`)}
        tabIndex={-1}
        checked={isSelected}
        onChange={() => toggleSelected(id)}
        className="size-[13px] accent-accent"
      />
    </label>
  );
}

const UNANSWERED: Record<OpenEnd, string> = {
  question: "Ended with a question that was never answered",
  plan: "Ended with a plan that was never approved",
  prompt: "Ended with a prompt that was never answered",
};

/** Running, waiting, left unanswered, stopped midway, unreadable, new. Most sessions have no mark. */
function StateMark({ session }: { session: SessionSummary }) {
  const { id, state, problem, lastActiveAtMs } = session;
  const unanswered = unansweredEnd(session);
  const seenMs = useSeen(id);
  const live = useLiveState(id);
  const isSelected = useIsSelected(id);
  if (isSelected) return <Marked word="Selected" className="text-accent" icon={SquareCheck} />;
  if (problem) return <Marked word="Unreadable" className="text-err" icon={TriangleAlert} />;
  if (state === "waiting")
    return (
      <Marked
        word={live?.doing?.kind === "question" ? "Waiting for an answer" : "Waiting"}
        className="text-warn"
        icon={waitIcon(live?.doing)}
      />
    );
  if (state === "running") {
    return (
      <span className="flex justify-center text-run">
        <RunningRing label="Running" />
      </span>
    );
  }
  if (unanswered !== null)
    return <Marked word={UNANSWERED[unanswered]} className="text-fg-2" icon={CircleHelp} />;
  if (state === "interrupted") {
    return (
      <span className="flex justify-center" title="Interrupted">
        <span className="size-[7px] border-[1.5px] border-fg-3" />
        <span className="sr-only">Interrupted</span>
      </span>
    );
  }
  if (seenMs !== null && (lastActiveAtMs ?? 0) > seenMs) {
    return (
      <span className="flex justify-center" title="New since you last looked">
        <span className="size-[5px] rounded-full bg-accent" />
        <span className="sr-only">New since you last looked</span>
      </span>
    );
  }
  return <span />;
}

function Marked({ word, className, icon }: { word: string; className: string; icon: LucideIcon }) {
  return (
    <span className={`flex justify-center ${className}`} title={word}>
      <Icon of={icon} small />
      <span className="sr-only">{word}</span>
    </span>
  );
}

/** One session on a narrow page, always two lines: title and time, place and the numbers that matter. */
export const NarrowRow = memo(function NarrowRow({
  session,
  project,
  sort,
  current,
  tabStop,
  focused,
}: SessionRowProps) {
  const isSelected = useIsSelected(session.id);
  const selecting = useIsSelecting();
  const marked =
    selecting ||
    isSelected ||
    hasSecondLine(session) ||
    session.state === "interrupted" ||
    unansweredEnd(session) !== null;
  const figure = orderedFigure(session, sort) ?? (session.turns ? formatPlural(session.turns, "turn") : null);
  const failed = failedCalls(session);
  return (
    <div
      className={clsx(
        "grid h-full content-center gap-x-2 gap-y-0.5 border-b border-line px-3 whitespace-nowrap",
        marked ? "grid-cols-[14px_minmax(0,1fr)_auto]" : "grid-cols-[minmax(0,1fr)_auto]",
        current ? "sel-bar bg-sel" : "relative",
      )}
    >
      {marked ? (
        <span role="cell" className="self-center">
          <RowMark session={session} />
        </span>
      ) : null}
      <span role="cell" className="flex min-w-0 items-center gap-1.5">
        <SessionTitle session={session} tabStop={tabStop} focused={focused} isNarrow />
      </span>
      <span role="cell" className="text-right text-fg-2 tabular-nums">
        <SessionWhen session={session} sort={sort} />
      </span>
      <span
        role="cell"
        className={clsx("flex min-w-0 items-center gap-1.5 text-12 text-fg-2", marked && "col-start-2")}
      >
        <span className="truncate">
          {hasSecondLine(session) ? (
            <SecondLine session={session} />
          ) : (
            <>
              {project && <VisibleText text={folderName(project.path)} />}
              {session.gitBranch ? (
                <>
                  {" · "}
                  <span className="font-mono">
                    <VisibleText text={session.gitBranch} />
                  </span>
                </>
              ) : null}
            </>
          )}
        </span>
        <MarkLine marks={session.marks} most={1} />
      </span>
      <span role="cell" className="text-right text-12 text-fg-2 tabular-nums">
        {failed ? <span className="text-err">{formatCompact(failed)} err</span> : null}
        {failed && figure ? " · " : null}
        {figure}
      </span>
    </div>
  );
});
