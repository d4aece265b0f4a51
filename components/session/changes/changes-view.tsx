import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, Link } from "lucide-react";
import { Fragment, useEffect, useMemo, useRef, useState } from "react";
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
  const files = useMemo(
    () => (query.data ? filesOfTurn(query.data, turn, root) : []),
    [query.data, turn, root],
  );
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
              <Fragment key={`${turn}|${file.path}`}>
                {files[index - 1]?.place !== file.place && <PlaceHeading as="h3" place={file.place} />}
                <ChangedFile index={index} file={file} root={root} />
              </Fragment>
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

const PLACES: Readonly<Record<FilePlace, string | null>> = {
  project: null,
  outside: "Outside the project",
  plan: "Plans",
};

/** What the files below have in common, where they are not the project's. */
function PlaceHeading({ place, as: Tag }: { place: FilePlace; as: "h3" | "p" }) {
  const name = PLACES[place];
  return name && <Tag className="px-3 pt-3 pb-1 text-11 text-fg-3">{name}</Tag>;
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
  const indexed = files.map((file, index) => ({ file, index, path: shortenPath(file.path, root) }));
  return (
    <nav
      aria-label="Changed files"
      className="min-h-0 overflow-y-auto border-r border-line-2 bg-panel py-1 max-md:hidden"
    >
      {FILE_PLACES.map((place) => {
        const byPath = new Map(
          indexed.filter(({ file }) => file.place === place).map((one) => [one.path, one]),
        );
        return (
          byPath.size > 0 && (
            <Fragment key={place}>
              <PlaceHeading as="p" place={place} />
              <FolderTree byPath={byPath} onGo={onGo} />
            </Fragment>
          )
        );
      })}
    </nav>
  );
}

function FolderTree({
  byPath,
  onGo,
}: {
  byPath: ReadonlyMap<string, { file: FileChanges; index: number }>;
  onGo: (index: number) => void;
}) {
  return fileGroups([...byPath.keys()]).map(({ folder, names }) => (
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
  ));
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

/** Where a file stands: what a session is about comes first. */
const FILE_PLACES = ["project", "outside", "plan"] as const;

type FilePlace = (typeof FILE_PLACES)[number];

export type FileChanges = {
  path: string;
  place: FilePlace;
  added: number;
  removed: number;
  changes: { recordId: RecordId; block: number; turn: number }[];
};

/**
 * The files changed by a turn, or by the session if `null`, with their calls in order: the project's by path, then
 * those outside of it, and plans last. `root` is the project's folder; where it is not known, no file is outside.
 */
export function filesOfTurn(
  files: readonly FileEntry[],
  turn: number | null,
  root: string | null,
): FileChanges[] {
  return files
    .map(({ path, added, removed, recordIds, blocks, turns }) => ({
      path,
      place: placeOf(path, root),
      added,
      removed,
      changes: recordIds
        .map((recordId, index) => ({ recordId, block: blocks[index] ?? 0, turn: turns[index] ?? 0 }))
        .filter((change) => turn === null || change.turn === turn),
    }))
    .filter(({ changes }) => changes.length > 0)
    .sort(
      (a, b) => FILE_PLACES.indexOf(a.place) - FILE_PLACES.indexOf(b.place) || (a.path < b.path ? -1 : 1),
    );
}

/** The client keeps plans in its configuration folder (2.0.76 and later), which may have any name. */
function placeOf(path: string, root: string | null): FilePlace {
  if (/[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/.test(path)) return "plan";
  const isAbsolute = /^(?:[\\/~]|[A-Za-z]:)/.test(path);
  if (!root || !isAbsolute || shortenPath(path, root) !== shortenPath(path, null)) return "project";
  return /[\\/]plans[\\/][^\\/]+\.md$/.test(path) ? "plan" : "outside";
}
