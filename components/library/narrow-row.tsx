import { LogGoneTag } from "@/components/ui/tag";
import { cx } from "@/lib/client/class-names";
import { isUnderWay } from "@/lib/client/is-live";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import { splitPath } from "@/lib/format/split-path";
import { SecondLine } from "./second-line";
import { SessionLink } from "./session-link";
import type { SessionRowProps } from "./session-row";
import { SessionWhen } from "./session-when";
import { StateMark } from "./state-mark";

/** One session on a narrow page, always two lines: title and time, place and the numbers that matter. */
export function NarrowRow({ session, project, sort, current, tabStop, focused }: SessionRowProps) {
  const marked = isUnderWay(session) || session.problem !== null || session.state === "interrupted";
  const { toolErrors, turns } = session;
  return (
    <div
      className={cx(
        "grid h-full content-center gap-x-2 gap-y-0.5 border-b border-line px-3 whitespace-nowrap",
        marked ? "grid-cols-[14px_minmax(0,1fr)_auto]" : "grid-cols-[minmax(0,1fr)_auto]",
        current ? "sel-bar bg-sel" : "relative",
      )}
    >
      {marked ? (
        <span role="cell" className="self-center">
          <StateMark session={session} />
        </span>
      ) : null}
      <span role="cell" className="truncate">
        {session.logGone ? <LogGoneTag /> : null}
        <SessionLink session={session} tabStop={tabStop} focused={focused} />
      </span>
      <span role="cell" className="text-right text-fg-2 tabular-nums">
        <SessionWhen session={session} sort={sort} />
      </span>
      <span role="cell" className={cx("truncate text-12 text-fg-2", marked && "col-start-2")}>
        {isUnderWay(session) || session.problem ? (
          <SecondLine session={session} />
        ) : (
          <>
            {project ? splitPath(project.path).name : ""}
            {session.gitBranch ? (
              <>
                {" · "}
                <span className="font-mono">{session.gitBranch}</span>
              </>
            ) : null}
          </>
        )}
      </span>
      <span role="cell" className="text-right text-12 text-fg-2 tabular-nums">
        {toolErrors ? <span className="text-err">{formatCompact(toolErrors)} err</span> : null}
        {toolErrors && turns ? " · " : null}
        {turns ? formatPlural(turns, "turn") : null}
      </span>
    </div>
  );
}
