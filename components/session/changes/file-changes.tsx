import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Link } from "lucide-react";
import { useMemo } from "react";
import { CommentsOn } from "@/components/annotations/comments-on";
import {
  DiffActions,
  FileChangeView,
  formatChange,
  useDiffChoice,
} from "@/components/content/diff/diff-actions";
import { isPatch, readPatch } from "@/components/content/diff/patch-text";
import { useOriginal } from "@/components/content/diff/use-original";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { CopyButton, IconButton } from "@/components/ui/button";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import {
  type ChangeOfFile,
  changeKey,
  type FileChanges,
  type FilePlace,
  reservedHeights,
} from "./changed-files";
import { NetChange } from "./net-change";

const PLACES: Readonly<Record<FilePlace, string | null>> = {
  project: null,
  outside: "Outside the project",
  plan: "Plans",
};

/** What the files below have in common, where they are not the project's. */
export function PlaceHeading({ place, as: Tag }: { place: FilePlace; as: "h3" | "p" }) {
  const name = PLACES[place];
  return name && <Tag className="px-3 pt-3 pb-1 text-11 text-fg-3">{name}</Tag>;
}

/**
 * A file's changes, each call's by itself, or all of them as one (`net`).
 * @param linked the row's key of the call to which a link led, which is marked
 */
export function ChangesOfFile({
  file,
  net,
  linked = null,
}: {
  file: FileChanges;
  net: boolean;
  linked?: string | null;
}) {
  if (net) return <NetChange path={file.path} changes={file.changes} />;
  return <EachChange changes={file.changes} linked={linked} />;
}

function EachChange({ changes, linked }: Pick<FileChanges, "changes"> & { linked: string | null }) {
  const heights = useReservedHeights(changes);
  return changes.map((change, index) => {
    const key = formatRowKey(change.recordId, change.block);
    return <FileCall key={key} {...change} isLinked={key === linked} minHeight={heights[index]} />;
  });
}

/** What is kept free for a file's changes that are not near yet. */
export function AwaitedChanges({ changes }: Pick<FileChanges, "changes">) {
  const heights = useReservedHeights(changes);
  return changes.map(({ recordId, block }, index) => {
    const key = formatRowKey(recordId, block);
    return <div key={key} data-change-room={key} style={{ minHeight: heights[index] }} />;
  });
}

function useReservedHeights(changes: readonly ChangeOfFile[]): string[] {
  const { split } = useDiffChoice();
  return useMemo(() => reservedHeights(changes, { split }), [changes, split]);
}

/** What one call did to a file. */
function FileCall({
  recordId,
  block,
  turn,
  isLinked,
  minHeight,
}: {
  recordId: RecordId;
  block: number;
  turn: number;
  isLinked: boolean;
  /** While it is not there yet. */
  minHeight: string | undefined;
}) {
  const { sessionId } = useThreadActions();
  const call = useQuery({
    queryKey: changeKey(sessionId, { recordId, block }),
    queryFn: ({ signal }) => api.call(sessionId, recordId, block, { signal }),
    gcTime: 30_000,
    structuralSharing: false,
  });
  if (!call.data)
    return (
      <div data-change-room={formatRowKey(recordId, block)} style={{ minHeight }}>
        <DetailState query={call} />
      </div>
    );
  return <CallDiffs call={call.data} turn={turn} isLinked={isLinked} />;
}

function CallDiffs({ call, turn, isLinked }: { call: CallDetail; turn: number; isLinked: boolean }) {
  const { sessionId, copyLink } = useThreadActions();
  const choice = useDiffChoice();
  const original = useOriginal(call);
  const { recordId, block, name } = call;
  return call.diffs.map((diff, index) => (
    <div
      key={index}
      data-change={formatRowKey(recordId, block)}
      data-wrap={false}
      aria-current={isLinked ? "location" : undefined}
      className={clsx(
        "group/opened mr-3 mb-2 ml-8 overflow-hidden rounded-2 border bg-bg max-sm:ml-3 print:break-inside-avoid-page",
        isLinked ? "border-accent" : "border-line-2",
      )}
    >
      <div
        data-log="none"
        className="flex h-control items-center gap-3 border-b border-line bg-panel in-aria-[current=location]:bg-sel pr-1 pl-2 text-11 whitespace-nowrap text-fg-2 tabular-nums [&_:is(button,a)]:-outline-offset-2!"
      >
        <span className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden">
          {turn > 0 && <span>turn {turn}</span>}
          <span className="font-semibold">{name}</span>
          <span className="truncate">{formatChange(diff)}</span>
          <ChangedLines added={diff.added} removed={diff.removed} />
        </span>
        {diff.change === "updated" && <DiffActions choice={choice} />}
        <span className="flex flex-none items-center">
          <CommentsOn recordId={recordId} block={block} />
          {diff.change !== "unchanged" && (
            <CopyButton
              className="h-5"
              text={() => readPatch(sessionId, diff, [call])}
              label={isPatch(diff, [call]) ? "Copy patch" : "Copy diff"}
            />
          )}
          <IconButton
            icon={Link}
            small
            className="h-5"
            label="Copy link to this change"
            onClick={() => copyLink?.({ recordId, block })}
          />
        </span>
      </div>
      <FileChangeView diff={diff} original={original} choice={choice} />
    </div>
  ));
}
