import { useVirtualizer } from "@tanstack/react-virtual";
import { type Ref, useImperativeHandle, useRef } from "react";
import { measuresOf } from "@/lib/client/measures";
import { usePreferences } from "@/lib/client/preferences";
import { useNarrow } from "@/lib/client/use-media";
import { formatCount } from "@/lib/format/format-count";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { Project, SessionSummary } from "@/lib/wire/library";
import { HitGroupRow } from "./hit-group-row";
import { HitRow } from "./hit-row";
import { type HitItem, hitOf } from "./search-groups";
import { hitHref } from "./search-href";

export type HitListHandle = { reveal: (index: number) => void };

/** The hits, of which only those near the screen are in the page. */
export function HitList({
  items,
  current,
  query,
  sessions,
  projects,
  bySession,
  onFold,
  onMore,
  ref,
}: {
  items: readonly HitItem[];
  /** The place of the selected hit in `items`, -1 for none. */
  current: number;
  query: string;
  sessions: ReadonlyMap<SessionId, SessionSummary>;
  projects: ReadonlyMap<ProjectId, Project>;
  bySession: boolean;
  onFold: (sessionId: SessionId) => void;
  onMore: (sessionId: SessionId) => void;
  ref: Ref<HitListHandle>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const preferences = usePreferences();
  const narrow = useNarrow();
  const { unit, roomyPx } = measuresOf(preferences);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: (index) => (items[index]?.kind === "hit" && narrow ? 48 : 28) * unit + roomyPx,
    overscan: 12,
  });
  useImperativeHandle(ref, () => ({
    reveal: (index) => virtualizer.scrollToIndex(index, { align: "auto" }),
  }));
  const firstHit = items.findIndex((item) => hitOf(item) !== null);
  return (
    <div ref={scroller} tabIndex={-1} className="min-h-0 flex-1 overflow-auto">
      <div role="list" aria-label="Hits" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <div
              key={item.key}
              role="listitem"
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {item.kind === "session" && (
                <HitGroupRow
                  item={item}
                  session={sessions.get(item.sessionId)}
                  project={projectOf(sessions.get(item.sessionId))}
                  href={item.hit && hitHref(item.hit, query, preferences.detail)}
                  current={index === current}
                  tabStop={index === (current < 0 ? firstHit : current)}
                  onToggle={() => onFold(item.sessionId)}
                />
              )}
              {item.kind === "hit" && (
                <HitRow
                  hit={item.hit}
                  href={hitHref(item.hit, query, preferences.detail)}
                  current={index === current}
                  narrow={narrow}
                  tabStop={index === (current < 0 ? firstHit : current)}
                  session={bySession ? undefined : sessions.get(item.hit.sessionId)?.title}
                />
              )}
              {item.kind === "more" && (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={() => onMore(item.sessionId)}
                  className="flex h-full w-full items-center border-b border-line pl-[calc(48px+124px*var(--u))] text-12 text-fg-3 hover:bg-raised hover:text-fg max-sm:pl-3"
                >
                  {formatCount(item.left)} more in this session
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );

  function projectOf(session: SessionSummary | undefined): Project | undefined {
    return session && projects.get(session.projectId);
  }
}
