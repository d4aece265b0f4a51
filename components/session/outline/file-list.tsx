import { useInfiniteQuery } from "@tanstack/react-query";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { useOpenChanges } from "@/components/thread/rows/use-open-changes";
import { api } from "@/lib/client/api";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { OutlineRow } from "./outline-row";

/** The files that the session changed; a click goes to the first call that did. */
export function FileList({
  sessionId,
  root,
  onGo,
}: {
  sessionId: SessionId;
  root: string | null;
  onGo: (recordId: RecordId) => void;
}) {
  const query = useInfiniteQuery({
    queryKey: ["files", sessionId],
    queryFn: ({ signal, pageParam }) => api.files(sessionId, { limit: 100, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const openChanges = useOpenChanges();
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <div className="h-full overflow-y-auto py-1">
      {query.isSuccess && files.length === 0 && (
        <p className="px-3 py-2 text-12 text-fg-3">No file was changed in this session.</p>
      )}
      {files.length > 0 && (
        <button
          type="button"
          className="flex h-6 w-full items-center px-3 text-12 text-accent hover:underline"
          onClick={() => openChanges(null)}
        >
          All changes on one page
        </button>
      )}
      {files.map(({ path, added, removed, calls, recordIds }) => {
        const [first] = recordIds;
        return (
          <OutlineRow
            key={path}
            sub
            mark={calls}
            title={path}
            onClick={first ? () => onGo(first) : undefined}
            facts={<ChangedLines added={added} removed={removed} />}
          >
            {/* Cut at the start: the end of a path tells files apart. */}
            <bdi className="block truncate text-left font-mono text-code [direction:rtl]">
              <bdi>
                <VisibleText text={shortenPath(path, root)} />
              </bdi>
            </bdi>
          </OutlineRow>
        );
      })}
      {query.hasNextPage && (
        <button
          type="button"
          className="px-3 py-1 text-12 text-accent hover:underline"
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </button>
      )}
    </div>
  );
}
