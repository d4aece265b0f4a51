import { useQuery } from "@tanstack/react-query";
import { parseAsInteger, useQueryState } from "nuqs";
import { useMemo, useRef } from "react";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/detail-state";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { FileEntry } from "@/lib/wire/session";
import { ChangedFile } from "./changed-file";
import { ChangesTree } from "./changes-tree";
import { filesOfTurn } from "./files-of-turn";

const PAGE_FILES = 200;

/** All changes of a turn or of the session on one page: the files at the left, their changes in order. */
export function ChangesView({
  sessionId,
  root,
  onClose,
}: {
  sessionId: SessionId;
  root: string | null;
  onClose: () => void;
}) {
  const [turn, setTurn] = useQueryState("turn", parseAsInteger);
  const list = useRef<HTMLDivElement>(null);
  const query = useQuery({
    queryKey: ["files", sessionId, "all"],
    queryFn: ({ signal }) => allFiles(sessionId, signal),
    gcTime: 30_000,
  });
  const files = useMemo(() => (query.data ? filesOfTurn(query.data, turn) : []), [query.data, turn]);
  const goTo = (index: number) =>
    list.current?.querySelector(`[data-file="${index}"]`)?.scrollIntoView({ block: "start" });
  return (
    <section aria-label="Changes" className="grid h-full grid-rows-[auto_minmax(0,1fr)]">
      <div className="flex h-tool items-center gap-3 border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
        <h2 className="font-semibold text-fg">
          {turn ? `Changes of turn ${turn}` : "Changes of the session"}
        </h2>
        {query.data && (
          <>
            <span>{formatPlural(files.length, "file")}</span>
            <ChangedLines
              added={turn ? null : files.reduce((sum, file) => sum + file.added, 0)}
              removed={turn ? null : files.reduce((sum, file) => sum + file.removed, 0)}
            />
          </>
        )}
        <span className="flex-1" />
        {turn !== null && (
          <Button kind="quiet" onClick={() => void setTurn(null)}>
            Whole session
          </Button>
        )}
        <Button onClick={onClose}>
          Back<span className="max-sm:sr-only"> to the thread</span>
        </Button>
      </div>
      {!query.data ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : files.length === 0 ? (
        <p className="p-6 text-fg-2">
          {turn ? "No file was changed in this turn." : "No file was changed in this session."}
        </p>
      ) : (
        <div className="grid min-h-0 grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-1">
          <ChangesTree files={files} root={root} onGo={goTo} />
          <div ref={list} tabIndex={0} className="@container/thread min-h-0 overflow-y-auto py-3">
            {files.map((file, index) => (
              <ChangedFile key={`${turn}|${file.path}`} index={index} file={file} root={root} />
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

async function allFiles(sessionId: SessionId, signal: AbortSignal): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof api.files>> = await api.files(
      sessionId,
      { limit: PAGE_FILES, cursor },
      { signal },
    );
    files.push(...page.files);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return files;
}
