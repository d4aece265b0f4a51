import { type QueryClient, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useMemo } from "react";
import { DiffActions, FileChangeView, useDiffChoice } from "@/components/content/diff/diff-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatMissing, versionDiff } from "@/components/session/files/file-versions";
import { LaneShape } from "@/components/ui/marks";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ComparedFile, ComparedFileSide, CompareResponse, SideName } from "@/lib/wire/compare";
import type { FileAt } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";

const COLUMNS =
  "grid grid-cols-[minmax(0,1fr)_76px_76px_84px] gap-x-2 max-lg:grid-cols-[minmax(0,1fr)_56px_56px_64px] px-3";

/** The files as both sides left them, and the difference of one. */
export function ComparedFiles({
  compared,
  lanes,
  shown,
  onShow,
}: {
  compared: CompareResponse;
  lanes: Record<SideName, number>;
  /** The name of the file whose difference is shown; `null` shows the first one's. */
  shown: string | null;
  onShow: (name: string) => void;
}) {
  const { files, left, right } = compared;
  const file = files.find(({ name }) => name === shown) ?? files[0];
  return (
    <section
      aria-label="Files as they ended"
      className="grid min-h-0 grid-cols-[minmax(340px,34%)_minmax(0,1fr)] border-t border-line-2 max-md:grid-cols-1"
    >
      <div className="flex min-h-0 flex-col border-r border-line-2 max-md:border-r-0">
        <div className="flex h-7 flex-none items-center gap-3 border-b border-line bg-panel px-3 text-12 whitespace-nowrap">
          <h3 className="font-semibold">Files as they ended</h3>
          <span className="truncate text-fg-3">{filesWords(compared)}</span>
        </div>
        {files.length > 0 && (
          <div data-full-rows="" className="min-h-0 overflow-y-auto max-md:max-h-48">
            <FileTable files={files} lanes={lanes} shown={file} onShow={onShow} />
          </div>
        )}
      </div>
      {file ? (
        <FileDifference key={file.name} file={file} left={left.sessionId} right={right.sessionId} />
      ) : (
        <p className="p-3 text-12 text-fg-3 max-md:hidden">Neither side changed a file behind the stem.</p>
      )}
    </section>
  );
}

/** How many files there are of which kind, as each one's line calls it: `7 changed, 3 differ, 24 more only read`. */
export function filesWords({ files, readOnly }: CompareResponse): string {
  const differing = files.filter((file) => verdictWords(file) === "differs").length;
  return [
    files.length === 0 ? "none was changed" : `${files.length} changed`,
    differing > 0 && `${differing} ${differing === 1 ? "differs" : "differ"}`,
    readOnly > 0 && `${readOnly} more only read`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** What each side did to each file, and how they ended. */
export function FileTable({
  files,
  lanes,
  shown = null,
  onShow,
}: {
  files: readonly ComparedFile[];
  lanes: Record<SideName, number>;
  shown?: ComparedFile | null | undefined;
  onShow: (name: string) => void;
}) {
  return (
    <>
      <div className={clsx(COLUMNS, "h-[22px] items-center text-11 text-fg-3")} aria-hidden="true">
        <span>File</span>
        <SideHead lane={lanes.left} name="left" />
        <SideHead lane={lanes.right} name="right" />
        <span />
      </div>
      {files.map((one) => (
        <button
          key={one.name}
          type="button"
          title={labelHidden(one.name)}
          aria-pressed={one === shown}
          onClick={() => onShow(one.name)}
          className={clsx(
            COLUMNS,
            "min-h-6 w-full items-center text-left text-12 tabular-nums hover:bg-raised",
            one === shown && "bg-sel shadow-[inset_2px_0_0_var(--accent)]",
          )}
        >
          {/* Cut at its beginning: what tells files apart stands last. */}
          <bdi className="block truncate text-left font-mono text-code [direction:rtl]">
            <bdi>
              <VisibleText text={one.name} />
            </bdi>
          </bdi>
          <Changed side={one.left} />
          <Changed side={one.right} />
          <span className="text-fg-2">{verdictWords(one)}</span>
        </button>
      ))}
    </>
  );
}

function SideHead({ lane, name }: { lane: number; name: SideName }) {
  return (
    <span className="flex items-center justify-end gap-1">
      <LaneShape lane={lane} />
      {name}
    </span>
  );
}

function Changed({ side }: { side: ComparedFileSide | null }) {
  return (
    <span className="text-right">
      {side && side.changes > 0 ? (
        side.added + side.removed > 0 ? (
          <ChangedLines added={side.added} removed={side.removed} />
        ) : (
          formatPlural(side.changes, "change")
        )
      ) : (
        <span className="text-fg-3">–</span>
      )}
    </span>
  );
}

function verdictWords({ left, right, verdict }: ComparedFile): string {
  if (verdict === "same") return "the same";
  const [hasLeft, hasRight] = [left, right].map((side) => side !== null && side.changes > 0);
  if (verdict === "differs")
    return left?.exists === false || right?.exists === false ? sideOnly(left) : "differs";
  return hasLeft && hasRight ? "not known" : hasLeft ? "left only" : "right only";
}

function sideOnly(left: ComparedFileSide | null): string {
  return left?.exists === false ? "right only" : "left only";
}

/** What turns the left one into the right one. */
export function FileDifference({
  file,
  left,
  right,
}: {
  file: ComparedFile;
  left: SessionId;
  right: SessionId;
}) {
  const one = useEnd(left, file.left);
  const other = useEnd(right, file.right);
  const choice = useDiffChoice();
  const before = one.data;
  const after = other.data;
  const ends = before !== undefined && after !== undefined ? [before, after] : null;
  const diff = useMemo(
    () => (before && after ? versionDiff(file.name, before, after) : undefined),
    [file.name, before, after],
  );
  const missing = [
    { name: "left", end: before },
    { name: "right", end: after },
  ]
    .flatMap(({ name, end }) => (end === undefined ? [] : [missingWords(name, end)]))
    .filter((words) => words !== null);
  return (
    <div className="@container/thread flex min-h-0 min-w-0 flex-col max-md:border-t max-md:border-line-2">
      <div className="flex h-7 flex-none items-center gap-3 border-b border-line bg-panel px-3 text-12 whitespace-nowrap">
        <span className="min-w-0 truncate font-mono text-code">
          <VisibleText text={file.name} />
        </span>
        <ChangedLines added={diff?.added ?? null} removed={diff?.removed ?? null} />
        <span className="flex-1" />
        {diff && diff.hunks.length > 0 && (
          <span className="flex print:hidden">
            <DiffActions choice={choice} />
          </span>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label="Difference">
        {missing.map((words) => (
          <p key={words} className="border-b border-line px-3 py-1 text-12 text-fg-2">
            {words}
          </p>
        ))}
        {ends === null ? (
          <div className="p-2">
            <DetailState query={one.data === undefined ? one : other} />
          </div>
        ) : diff === null ? (
          <p className="px-3 py-2 text-12 text-fg-2">These two differ too much to be compared here.</p>
        ) : diff &&
          (ends.every((end) => end?.content !== null) || ends.some((end) => end?.exists === false)) ? (
          <div data-wrap={false} className="group/opened">
            <FileChangeView diff={diff} original={null} choice={choice} />
          </div>
        ) : null}
      </div>
    </div>
  );
}

function endKey(sessionId: SessionId, side: ComparedFileSide | null) {
  return ["compare-file", sessionId, side?.path ?? "", side?.at ?? null, side?.changes] as const;
}

/** The files whose differences are printed: those that differ, up to a number. */
export function printedDifferences({ files }: CompareResponse): ComparedFile[] {
  return files.filter(({ verdict }) => verdict === "differs").slice(0, MAX_PRINTED);
}

const MAX_PRINTED = 40;

/** Asks for the files whose differences are printed, while the browser waits to print. */
export function loadDifferencesNow(client: QueryClient, compared: CompareResponse): void {
  for (const file of printedDifferences(compared))
    for (const name of ["left", "right"] as const) {
      const side = file[name];
      const { sessionId } = compared[name];
      if (!side || client.getQueryData(endKey(sessionId, side)) !== undefined) continue;
      const end = api.fileNow(sessionId, { path: side.path, at: side.at });
      if (end) client.setQueryData(endKey(sessionId, side), end);
    }
}

/** A file as a side left it; `null` where its session's logs say nothing of it. */
function useEnd(sessionId: SessionId, side: ComparedFileSide | null) {
  const { path = "", at = null } = side ?? {};
  return useQuery({
    queryKey: endKey(sessionId, side),
    queryFn: ({ signal }): Promise<FileAt | null> =>
      side === null ? Promise.resolve(null) : api.file(sessionId, { path, at }, { signal }),
    gcTime: 60_000,
  });
}

function missingWords(name: string, end: FileAt | null): string | null {
  if (end === null) return `The logs of the ${name} session say nothing of this file.`;
  if (end.exists === false) return `On the ${name} this file did not exist.`;
  if (end.content === null) return `What it was on the ${name} is in no log.`;
  const missing = formatMissing(end.gaps);
  return missing && `On the ${name} the logs don’t hold ${missing}.`;
}
