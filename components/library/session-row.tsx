import { LogGoneTag } from "@/components/ui/tag";
import { cx } from "@/lib/client/class-names";
import { isUnderWay } from "@/lib/client/is-live";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatCompact, formatCount } from "@/lib/format/format-count";
import { splitPath } from "@/lib/format/split-path";
import type { Project, SessionSort, SessionSummary } from "@/lib/wire/library";
import { ActivityStrip } from "./activity-strip";
import { NumberCell } from "./number-cell";
import { SecondLine } from "./second-line";
import { SessionLink } from "./session-link";
import { SessionWhen } from "./session-when";
import { StateMark } from "./state-mark";

export type SessionRowProps = {
  session: SessionSummary;
  project: Project | undefined;
  sort: SessionSort;
  current: boolean;
  tabStop: boolean;
  focused: boolean;
};

/** One session in the wide table: a line, and a second one while it is live or when it cannot be read. */
export function SessionRow({ session, project, sort, current, tabStop, focused }: SessionRowProps) {
  const live = isUnderWay(session);
  const two = live || session.problem !== null;
  return (
    <div
      className={cx(
        "library-columns h-full border-b border-line pr-4 pl-3 whitespace-nowrap",
        two && "grid-rows-[24fr_20fr] content-center",
        current ? "sel-bar bg-sel" : "relative hover:bg-raised",
      )}
    >
      <span role="cell">
        <StateMark session={session} />
      </span>
      <span role="cell" className="truncate">
        {session.logGone ? <LogGoneTag /> : null}
        <SessionLink session={session} tabStop={tabStop} focused={focused} />
      </span>
      <span role="cell" className="truncate text-fg-2" title={project?.path}>
        {project ? splitPath(project.path).name : ""}
      </span>
      <span role="cell" className="truncate font-mono text-12 text-fg-2 max-lg:hidden">
        {session.gitBranch}
      </span>
      <span role="cell" className={cx("max-[1100px]:hidden", two && "row-span-2")}>
        {session.activity ? (
          <ActivityStrip activity={session.activity} running={session.state === "running"} />
        ) : null}
      </span>
      <NumberCell label="Turns" value={session.turns} format={formatCount} />
      <NumberCell
        label="Tools"
        value={session.toolCalls}
        format={formatCount}
        className="text-fg-2 max-md:hidden"
      />
      <NumberCell
        label="Agents"
        value={session.agentCount}
        format={formatCount}
        className="text-fg-2 max-lg:hidden"
      />
      {sort === "bytes" ? (
        <NumberCell label="Size" value={session.bytes} format={formatBytes} />
      ) : (
        <NumberCell label="Tokens" value={session.tokens} none="no usage recorded" format={formatCompact} />
      )}
      <NumberCell
        label="Errors"
        value={session.toolErrors}
        format={formatCount}
        className={session.toolErrors ? "text-err" : undefined}
      />
      <span role="cell" className="text-right text-fg-2 tabular-nums">
        <SessionWhen session={session} sort={sort} />
      </span>
      {two ? (
        <span role="cell" className="col-start-2 col-end-5 row-start-2 truncate text-12 max-lg:col-end-4">
          <SecondLine session={session} />
        </span>
      ) : null}
    </div>
  );
}
