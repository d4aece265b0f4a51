import { ChevronDown, ChevronRight } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Time } from "@/components/ui/time";
import type { HitItem } from "@/lib/client/search-groups";
import { formatCount, formatPlural } from "@/lib/text/format-count";
import { splitPath } from "@/lib/text/split-path";
import type { Project, SessionSummary } from "@/lib/wire/library";

/** The head of a session's hits; folds them. */
export function HitGroupRow({
  item,
  session,
  project,
  onToggle,
}: {
  item: Extract<HitItem, { kind: "session" }>;
  session: SessionSummary | undefined;
  project: Project | undefined;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={!item.folded}
      onClick={onToggle}
      className="flex h-full w-full items-center gap-2 border-b border-line bg-panel px-3 text-left whitespace-nowrap -outline-offset-2! hover:bg-raised"
    >
      <Icon of={item.folded ? ChevronRight : ChevronDown} small className="text-fg-3" />
      <span role="heading" aria-level={2} className="truncate font-semibold">
        {session?.title ?? item.sessionId.slice(0, 8)}
      </span>
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
    </button>
  );
}
