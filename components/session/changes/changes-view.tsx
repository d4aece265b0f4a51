import { ChevronDown, ChevronRight, FileDiff } from "lucide-react";
import { Fragment, type RefObject, useCallback, useMemo, useRef } from "react";
import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { CommentsBeside } from "@/components/session/comments/comments-beside";
import { CommentsButton } from "@/components/session/comments/comments-button";
import { SaveFiles } from "@/components/session/files/save-files";
import { PartLine, useSelectedPart } from "@/components/session/waterfall/selected-part";
import { fileGroups, TreeGroup } from "@/components/thread/tools/search-views";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { DetailState, EmptyState } from "@/components/ui/states";
import { useThreadUrl } from "@/lib/client/address/session-history";
import { formatCount, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import { changedFiles, changedLines, FILE_PLACES, type FileChanges, useChangedFiles } from "./changed-files";
import { linkedChange, noteOpenedFile, OPENS_FILE, useChangesPlace, useFileLooks } from "./changes-place";
import { ChangesSheet, changesTitle, type FileLook, type FileLooks, SHOWN } from "./changes-sheet";
import { usePresentedChanges } from "./changes-standing";
import { AwaitedChanges, ChangesOfFile, PlaceHeading } from "./file-changes";
import { useSteadyPoint } from "./steady-point";
import { useNear } from "./use-near";

/** All changes of a turn, of a part of the time or of the session on one page: files on the left, their changes in order. */
export function ChangesView({
  sessionId,
  root,
  onFile,
  onClose,
  printed,
}: {
  sessionId: SessionId;
  root: string | null;
  /** Opens a file with its versions. */
  onFile: (path: string) => void;
  onClose: () => void;
  /** It is being printed. */
  printed: boolean;
}) {
  const [{ turn, at }, setUrl] = useThreadUrl();
  const query = useChangedFiles(sessionId);
  const selected = useSelectedPart();
  // A turn that was asked for is shown whole.
  const part = turn === null ? (selected?.part ?? null) : null;
  const selection = useMemo(() => ({ turn, part }), [turn, part]);
  const isKnown = query.data !== undefined && (turn !== null || !selected || part !== null);
  const files = useMemo(
    () => (query.data ? changedFiles(query.data, selection, root) : []),
    [query.data, selection, root],
  );
  const asked = JSON.stringify([sessionId, turn, part?.range ?? null]);
  const [looks, setLook] = useFileLooks(asked);
  return (
    <section aria-label="Changes" className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)]">
      <ChangesTop
        title={part ? "Changes of a part" : changesTitle(selection)}
        files={isKnown ? files : null}
        onWhole={turn === null ? null : () => setUrl({ turn: null })}
        onClose={onClose}
      />
      <div>
        {selected && turn === null && (
          <PartLine
            range={selected.range}
            shown={part && `${formatCount(files.length)} of ${formatPlural(query.data?.length ?? 0, "file")}`}
          />
        )}
      </div>
      <div className="grid min-h-0 grid-cols-[minmax(0,1fr)_auto] grid-rows-[minmax(0,1fr)] max-md:grid-cols-1">
        {!isKnown ? (
          <div className="p-3">
            <DetailState query={query} />
          </div>
        ) : files.length === 0 ? (
          <EmptyState
            icon={FileDiff}
            title={`No files changed in this ${turn ? "turn" : part ? "part of the session" : "session"}`}
          />
        ) : (
          <FileReview
            asked={asked}
            files={files}
            at={at}
            root={root}
            onFile={onFile}
            looks={looks}
            onLook={setLook}
          />
        )}
        <CommentsBeside />
      </div>
      {printed && isKnown && <ChangesSheet files={files} selection={selection} root={root} looks={looks} />}
    </section>
  );
}

/** The changed files beside each other: the tree of their names, and their changes in its order. */
function FileReview({
  asked,
  files,
  at,
  root,
  onFile,
  looks,
  onLook,
}: {
  /** Which changes these are: whoever comes back to them from a file, or a row, is where they were. */
  asked: string;
  files: readonly FileChanges[];
  /** The place that the address names. */
  at: string | null;
  root: string | null;
  onFile: (path: string) => void;
  looks: FileLooks;
  onLook: (path: string, look: FileLook) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const paths = useMemo(() => files.map(({ path }) => path), [files]);
  const linked = useMemo(() => linkedChange(files, at), [files, at]);
  const { onScroll, isHeld } = useChangesPlace(asked, list, paths, linked);
  const isFollowing = usePresentedChanges(list, files);
  useSteadyPoint(
    list,
    useCallback(() => isHeld() || isFollowing(), [isHeld, isFollowing]),
  );
  const goTo = (index: number) =>
    list.current?.querySelector(`[data-file="${index}"]`)?.scrollIntoView({ block: "start" });
  return (
    <div className="grid min-h-0 grid-cols-[248px_minmax(0,1fr)] max-md:grid-cols-1">
      <ChangesTree files={files} root={root} onGo={goTo} />
      <div
        ref={list}
        tabIndex={0}
        onScroll={onScroll}
        className="@container/thread relative min-h-0 overflow-y-auto pb-3 [overflow-anchor:none] *:first:mt-3"
      >
        {files.map((file, index) => (
          <Fragment key={`${asked} ${file.path}`}>
            {files[index - 1]?.place !== file.place && <PlaceHeading as="h3" place={file.place} />}
            <ChangedFile
              list={list}
              index={index}
              file={file}
              root={root}
              onFile={(path) => {
                noteOpenedFile(asked, path);
                onFile(path);
              }}
              linked={linked?.path === file.path ? linked.key : null}
              look={looks.get(file.path) ?? SHOWN}
              onLook={(look) => onLook(file.path, look)}
            />
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** What the changes are of, how many there are, and the ways out. `files`: `null` until they are known. */
function ChangesTop({
  title,
  files,
  onWhole,
  onClose,
}: {
  title: string;
  files: readonly FileChanges[] | null;
  /** Leads from a turn's changes to those of the session; `null` where they are shown. */
  onWhole: (() => void) | null;
  onClose: () => void;
}) {
  return (
    <div className="flex min-h-tool flex-wrap items-center gap-x-3 border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
      <h2 className="font-semibold text-fg">{title}</h2>
      {files && (
        <>
          <span className="max-sm:hidden">{formatPlural(files.length, "file")}</span>
          <ChangedLines {...changedLines(files)} />
        </>
      )}
      <span className="flex-1" />
      {files?.some(({ place }) => place === "project") && (
        <SaveFiles at={() => null} label="Save all files as they ended" className="max-sm:hidden" />
      )}
      {onWhole && (
        <Button kind="quiet" onClick={onWhole}>
          Whole session
        </Button>
      )}
      <CommentsButton />
      <Button onClick={onClose}>
        Back<span className="max-sm:sr-only"> to the thread</span>
      </Button>
    </div>
  );
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
            title={labelHidden(path)}
            onClick={() => entry && onGo(entry.index)}
            className="flex h-6 w-full items-center gap-2 pr-3 pl-8 text-left hover:bg-raised"
          >
            <span className="min-w-0 flex-1 truncate font-mono text-code">
              <VisibleText text={name} />
            </span>
            <span className="text-11">
              <ChangedLines added={entry?.file.added ?? 0} removed={entry?.file.removed ?? 0} />
            </span>
          </button>
        );
      })}
    </TreeGroup>
  ));
}

/** A file of the review: its header, and each call's change, loaded when it comes near the screen. */
function ChangedFile({
  list,
  index,
  file,
  root,
  onFile,
  linked,
  look: { open, net },
  onLook,
}: {
  /** The box that all files scroll in. */
  list: RefObject<HTMLDivElement | null>;
  index: number;
  file: FileChanges;
  root: string | null;
  onFile: (path: string) => void;
  /** Its change to which a link led, by the row's key of its call. */
  linked: string | null;
  look: FileLook;
  onLook: (look: FileLook) => void;
}) {
  const element = useRef<HTMLElement>(null);
  const near = useNear(element, list);
  const canJoin = file.changes.length > 1;
  const path = shortenPath(file.path, root);
  return (
    <article ref={element} data-file={index} aria-label={labelHidden(path)} className="scroll-mt-2 pb-2">
      <h3 className="sticky top-0 z-1 flex items-center bg-bg pr-3">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => onLook({ open: !open, net })}
          className="flex h-row min-w-0 flex-1 items-center gap-2 px-3 text-left -outline-offset-2! hover:bg-raised"
        >
          <span className="flex text-fg-3">
            <Icon of={open ? ChevronDown : ChevronRight} small />
          </span>
          <span className="min-w-0 truncate font-mono text-code font-semibold" title={labelHidden(file.path)}>
            <VisibleText text={path} />
          </span>
          <span className="text-12 font-normal whitespace-nowrap text-fg-2 max-sm:hidden">
            {file.changes.length > 1 && formatPlural(file.changes.length, "change")}
          </span>
          <span className="text-12 font-normal whitespace-nowrap">
            <ChangedLines added={file.added} removed={file.removed} />
          </span>
        </button>
        {canJoin && (
          <Button
            kind="quiet"
            className="h-5 px-1.5"
            pressed={net}
            title="All changes of this file as one diff"
            onClick={() => onLook({ open: true, net: !net })}
          >
            Net diff
          </Button>
        )}
        <Button
          kind="quiet"
          className="h-5 px-1.5"
          title="The file at any point of the session, and who wrote its lines"
          {...OPENS_FILE}
          onClick={() => onFile(file.path)}
        >
          Versions
        </Button>
      </h3>
      {open && near && <ChangesOfFile file={file} net={net} linked={linked} />}
      {open && !near && <AwaitedChanges changes={net ? file.changes.slice(0, 1) : file.changes} />}
    </article>
  );
}
