import { ChevronDown, ChevronRight } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { PageLink } from "@/components/ui/page-link";
import { Time } from "@/components/ui/time";
import { cx } from "@/lib/client/class-names";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { splitPath } from "@/lib/format/split-path";
import type { Project, SessionSummary } from "@/lib/wire/library";
import type { HitItem } from "./search-groups";
import { Snippet } from "./snippet";

/** The head of a session's hits; folds them. Where its title is itself a hit it is marked and leads there. */
export function HitGroupRow({
  item,
  session,
  project,
  href,
  current,
  tabStop,
  onToggle,
}: {
  item: Extract<HitItem, { kind: "session" }>;
  session: SessionSummary | undefined;
  project: Project | undefined;
  /** Where the title leads that is a hit itself. */
  href: string | null;
  current: boolean;
  tabStop: boolean;
  onToggle: () => void;
}) {
  const listed = item.hit ? item.count - 1 : item.count;
  const title = (
    <span role="heading" aria-level={2} className="truncate font-semibold">
      {item.hit ? (
        <Snippet hit={item.hit} lead={item.hit.snippet.length} />
      ) : (
        (session?.title ?? item.sessionId.slice(0, 8))
      )}
    </span>
  );
  const rest = (
    <>
      {project && (
        <span className="text-12 text-fg-2 max-sm:hidden" title={project.path}>
          {splitPath(project.path).name}
        </span>
      )}
      {session?.gitBranch && (
        <span className="truncate font-mono text-12 text-fg-3 max-md:hidden">{session.gitBranch}</span>
      )}
      <span className="flex-1" />
      <span className="text-11 text-fg-3 tabular-nums" title={formatPlural(item.count, "hit")}>
        {formatCount(item.count)}
      </span>
      <span className="min-w-[calc(64px*var(--u))] text-right text-12 text-fg-2 tabular-nums max-sm:hidden">
        {item.newestMs === null ? null : <Time atMs={item.newestMs} />}
      </span>
    </>
  );
  const chevron = <Icon of={item.folded ? ChevronRight : ChevronDown} small className="text-fg-3" />;
  if (item.hit === null || href === null) {
    return (
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={!item.folded}
        onClick={onToggle}
        className="flex h-full w-full items-center gap-2 border-b border-line bg-panel px-3 text-left whitespace-nowrap -outline-offset-2! hover:bg-raised"
      >
        {chevron}
        {title}
        {rest}
      </button>
    );
  }
  return (
    <div
      data-current={current}
      className={cx(
        "flex h-full items-center border-b border-line whitespace-nowrap",
        current ? "sel-bar bg-sel" : "bg-panel hover:bg-raised",
      )}
    >
      {listed > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={!item.folded}
          aria-label={`${formatPlural(listed, "more hit")} of this session`}
          onClick={onToggle}
          className="flex h-full items-center pr-2 pl-3 -outline-offset-2!"
        >
          {chevron}
        </button>
      ) : (
        <span className="w-[calc(20px+0.75rem)] flex-none" />
      )}
      <PageLink
        href={href}
        tabIndex={tabStop ? 0 : -1}
        className="flex h-full min-w-0 flex-1 items-center gap-2 pr-3 -outline-offset-2!"
      >
        {title}
        {rest}
      </PageLink>
    </div>
  );
}
