import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, Link } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import {
  DiffActions,
  FileChange,
  formatChange,
  patchText,
  useDiffChoice,
} from "@/components/content/diff/diff-actions";
import { useOriginal } from "@/components/content/diff/use-original";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { fileGroups, TreeGroup } from "@/components/thread/tools/search-views";
import { Button, CopyButton, IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { useThreadUrl } from "@/lib/client/session-history";
import { formatPlural } from "@/lib/format/format";
import { formatRowKey, type RecordId, type SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { FileEntry } from "@/lib/wire/session";
import { NetChange } from "./net-change";

const PAGE_FILES = 200;

/** All changes of a turn or of the session on one page: files on the left, their changes in order. */
export function ChangesView({
  sessionId,
  root,
  onClose,
}: {
  sessionId: SessionId;
  root: string | null;
  onClose: () => void;
}) {
  const [{ turn }, setUrl] = useThreadUrl();
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
          <Button kind="quiet" onClick={() => setUrl({ turn: null })}>
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
          {turn ? "No files changed in this turn." : "No files changed in this session."}
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

/** The changed files by folder; a click goes to one. */
function ChangesTree({
  files,
  root,
  onGo,
}: {
  files: readonly FileChanges[];
  root: string | null;
  onGo: (index: number) => void;
}) {
  const byPath = new Map(files.map((file, index) => [shortenPath(file.path, root), { file, index }]));
  return (
    <nav
      aria-label="Changed files"
      className="min-h-0 overflow-y-auto border-r border-line-2 bg-panel py-1 max-md:hidden"
    >
      {fileGroups([...byPath.keys()]).map(({ folder, names }) => (
        <TreeGroup key={folder} label={<VisibleText text={folder || "."} />} count={names.length}>
          {names.map(({ name, path }) => {
            const entry = byPath.get(path);
            return (
              <button
                key={path}
                type="button"
                title={path}
                onClick={() => entry && onGo(entry.index)}
                className="flex h-6 w-full items-center gap-2 pr-3 pl-8 text-left hover:bg-raised"
              >
                <span className="min-w-0 flex-1 truncate font-mono text-code">
                  <VisibleText text={name} />
                </span>
                <span className="text-11">
                  <ChangedLines added={entry?.file.added ?? null} removed={entry?.file.removed ?? null} />
                </span>
              </button>
            );
          })}
        </TreeGroup>
      ))}
    </nav>
  );
}

/** A file of the review: its header, and each call's change, loaded when it comes near the screen. */
function ChangedFile({ index, file, root }: { index: number; file: FileChanges; root: string | null }) {
  const [open, setOpen] = useState(true);
  const [near, setNear] = useState(false);
  const [net, setNet] = useState(false);
  const canJoin = file.changes.length > 1;
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "600px",
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near]);
  const path = shortenPath(file.path, root);
  return (
    <article ref={element} data-file={index} aria-label={path} className="scroll-mt-2 pb-2">
      <h3 className="sticky top-0 z-1 flex items-center bg-bg pr-3">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-row min-w-0 flex-1 items-center gap-2 px-3 text-left hover:bg-raised"
        >
          <span className="flex text-fg-3">
            <Icon of={open ? ChevronDown : ChevronRight} small />
          </span>
          <span className="min-w-0 truncate font-mono text-code font-semibold" title={file.path}>
            <VisibleText text={path} />
          </span>
          <span className="text-12 font-normal text-fg-2">
            {file.changes.length > 1 && formatPlural(file.changes.length, "change")}
          </span>
          <span className="text-12 font-normal">
            <ChangedLines added={file.added} removed={file.removed} />
          </span>
        </button>
        {canJoin && (
          <Button
            kind="quiet"
            className="h-5 px-1.5"
            pressed={net}
            title="All changes of this file as one diff"
            onClick={() => {
              setNet(!net);
              setOpen(true);
            }}
          >
            Net diff
          </Button>
        )}
      </h3>
      {open &&
        near &&
        (net ? (
          <NetChange path={file.path} changes={file.changes} />
        ) : (
          file.changes.map((change) => (
            <FileCall key={formatRowKey(change.recordId, change.block)} {...change} />
          ))
        ))}
      {open && !near && <div className="h-40" />}
    </article>
  );
}

/** What one call did to a file. */
function FileCall({ recordId, block, turn }: { recordId: RecordId; block: number; turn: number }) {
  const { sessionId } = useThreadActions();
  const call = useQuery({
    queryKey: ["call", sessionId, recordId, block, "ok"],
    queryFn: ({ signal }) => api.call(sessionId, recordId, block, { signal }),
    gcTime: 30_000,
    structuralSharing: false,
  });
  if (!call.data) return <DetailState query={call} />;
  return <CallDiffs call={call.data} turn={turn} />;
}

function CallDiffs({ call, turn }: { call: CallDetail; turn: number }) {
  const { copyLink } = useThreadActions();
  const choice = useDiffChoice();
  const original = useOriginal(call);
  const { recordId, block, name } = call;
  return call.diffs.map((diff, index) => (
    <div
      key={index}
      data-wrap={false}
      className="group/opened mr-3 mb-2 ml-8 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:ml-3"
    >
      <div className="flex h-6 items-center gap-3 border-b border-line bg-panel pr-1 pl-2 text-11 whitespace-nowrap text-fg-2 tabular-nums">
        <span className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden">
          {turn > 0 && <span>turn {turn}</span>}
          <span className="font-semibold">{name}</span>
          <span className="truncate">{formatChange(diff)}</span>
          <ChangedLines added={diff.added} removed={diff.removed} />
        </span>
        {diff.change === "updated" && <DiffActions choice={choice} />}
        <span className="flex flex-none items-center">
          <CopyButton className="h-5" text={() => patchText(diff)} label="Copy patch" />
          <IconButton
            icon={Link}
            small
            className="h-5"
            label="Copy link to this change"
            onClick={() => copyLink({ recordId, block })}
          />
        </span>
      </div>
      <FileChange diff={diff} original={original} choice={choice} />
    </div>
  ));
}

export type FileChanges = {
  path: string;
  added: number;
  removed: number;
  changes: { recordId: RecordId; block: number; turn: number }[];
};

/** The files changed by a turn, or by the session if `null`, sorted by path, with their calls in order. */
export function filesOfTurn(files: readonly FileEntry[], turn: number | null): FileChanges[] {
  return files
    .map(({ path, added, removed, recordIds, blocks, turns }) => ({
      path,
      added,
      removed,
      changes: recordIds
        .map((recordId, index) => ({ recordId, block: blocks[index] ?? 0, turn: turns[index] ?? 0 }))
        .filter((change) => turn === null || change.turn === turn),
    }))
    .filter(({ changes }) => changes.length > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
