import { useInfiniteQuery } from "@tanstack/react-query";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { changedFiles, useChangedFiles } from "@/components/session/changes/changed-files";
import { useSelectedPart } from "@/components/session/waterfall/selected-part";
import { api } from "@/lib/client/api";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { RecordId } from "@/lib/wire/ids";
import { useSessionPage } from "../session-store";
import { ListFault } from "./list-fault";
import { OutlineRow } from "./outline-row";

/** A file of the list: its changed lines and calls, in the part of the time that is selected, and the first of those. */
type ListedFile = {
  path: string;
  added: number | null;
  removed: number | null;
  calls: number;
  first: RecordId | undefined;
};

/**
 * The files that the session changed: by pages, in the server's order, or, where a part of the time is selected, all that
 * were changed in it. `files` is `null` until they are known.
 */
function useListedFiles() {
  const { sessionId, session } = useSessionPage();
  const root = session?.project.path ?? null;
  const selected = useSelectedPart();
  const all = useChangedFiles(sessionId, selected !== null);
  const paged = useInfiniteQuery({
    queryKey: ["files", sessionId],
    queryFn: ({ signal, pageParam }) => api.files(sessionId, { limit: 100, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: selected === null,
  });
  const { data, error, refetch } = selected ? all : paged;
  const part = selected?.part ?? null;
  const ofPart =
    part && all.data
      ? changedFiles(all.data, { turn: null, part }, root).map(
          ({ path, added, removed, changes }): ListedFile => ({
            ...{ path, added, removed },
            calls: changes.length,
            first: changes[0]?.recordId,
          }),
        )
      : null;
  const ofSession =
    paged.data?.pages.flatMap(({ files }) =>
      files.map((file): ListedFile => ({ ...file, first: file.recordIds[0] })),
    ) ?? null;
  return {
    root,
    files: selected ? ofPart : ofSession,
    isPart: selected !== null,
    fault: data ? null : error,
    retry: refetch,
    loadMore: !selected && paged.hasNextPage ? () => void paged.fetchNextPage() : null,
  };
}

/** The files that the session changed, or a part of its time; a click goes to the first call that changed one. */
export function FileList({ onGo }: { onGo: (recordId: RecordId) => void }) {
  const { root, files, isPart, fault, retry, loadMore } = useListedFiles();
  const { openChanges } = useThreadActions();
  return (
    <div className="h-full overflow-y-auto py-1">
      {fault && <ListFault error={fault} onRetry={retry} />}
      {files?.length === 0 && (
        <p className="px-3 py-2 text-12 text-fg-3">
          {isPart ? "No files changed in this part of the session." : "No files changed in this session."}
        </p>
      )}
      {files && files.length > 0 && (
        <button
          type="button"
          data-roving=""
          tabIndex={-1}
          className="flex h-6 w-full items-center px-3 -outline-offset-2! text-12 text-accent hover:underline"
          onClick={() => openChanges?.(null)}
        >
          {isPart ? "These changes on one page" : "All changes on one page"}
        </button>
      )}
      {files?.map(({ path, added, removed, calls, first }) => (
        <OutlineRow
          key={path}
          sub
          mark={calls}
          title={labelHidden(path)}
          onClick={first ? () => onGo(first) : undefined}
          facts={<ChangedLines added={added} removed={removed} />}
        >
          {/* Truncated at the start, since paths differ at the end. */}
          <bdi className="block truncate text-left font-mono text-code [direction:rtl]">
            <bdi>
              <VisibleText text={shortenPath(path, root)} />
            </bdi>
          </bdi>
        </OutlineRow>
      ))}
      {loadMore && (
        <button
          type="button"
          data-roving=""
          tabIndex={-1}
          className="px-3 -outline-offset-2! py-1 text-12 text-accent hover:underline"
          onClick={loadMore}
        >
          Show more
        </button>
      )}
    </div>
  );
}
