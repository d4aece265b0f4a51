import { useQueries } from "@tanstack/react-query";
import { useContext } from "react";
import { RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { DiffActions, FileChangeView, useDiffChoice } from "@/components/content/diff/diff-actions";
import { isPatch, readPatch } from "@/components/content/diff/patch-text";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { CopyButton } from "@/components/ui/button";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import type { RecordId } from "@/lib/wire/ids";
import type { FileDiff } from "@/lib/wire/record";
import { changeKey, diffsOf } from "./changed-files";
import { netDiff } from "./net-diff";

/** One call's change of a file. `turn` is 0 where it is not on the active branch. */
type Change = { recordId: RecordId; block: number; turn: number };

/** All changes of a file on the active branch as one diff; where they don't join, why. */
export function NetChange({ path, changes }: { path: string; changes: readonly Change[] }) {
  const { sessionId } = useThreadActions();
  const choice = useDiffChoice();
  const mayComment = useContext(RowAnnotationsContext) !== null;
  const active = changes.filter(({ turn }) => turn > 0);
  const kept = active.length > 0 ? active : changes;
  const calls = useQueries({
    queries: kept.map(({ recordId, block }) => ({
      queryKey: changeKey(sessionId, { recordId, block }),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call(sessionId, recordId, block, { signal }),
      gcTime: 30_000,
      structuralSharing: false,
    })),
  });
  const unread = calls.find(({ data }) => !data);
  if (unread) return <DetailState query={unread} />;
  const read = calls.flatMap(({ data }) => (data && diffsOf(data, path).length > 0 ? [data] : []));
  const diffs = read.flatMap((call) => diffsOf(call, path));
  const made = netDiff(diffs);
  const elsewhere = changes.length - kept.length;
  return (
    <div
      data-wrap={false}
      data-net=""
      className="group/opened mr-3 mb-2 ml-8 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:ml-3"
    >
      <div className="flex h-control items-center gap-3 border-b border-line bg-panel pr-1 pl-2 text-11 whitespace-nowrap text-fg-2 tabular-nums">
        <span className="flex min-w-0 flex-1 items-center gap-3 overflow-hidden">
          <span className="font-semibold">Net of {formatPlural(diffs.length, "change")}</span>
          {made.kind === "net" && <ChangedLines added={made.diff.added} removed={made.diff.removed} />}
          {elsewhere > 0 && (
            <span className="truncate">without {formatPlural(elsewhere, "change")} on other branches</span>
          )}
        </span>
        {made.kind === "net" && made.diff.change === "updated" && <DiffActions choice={choice} />}
        {made.kind === "net" && made.diff.change !== "unchanged" && (
          <CopyButton
            className="h-5"
            text={() => readPatch(sessionId, made.diff, read)}
            label={isPatch(made.diff, read) ? "Copy patch" : "Copy diff"}
          />
        )}
      </div>
      {made.kind === "net" ? <Net diff={made.diff} choice={choice} /> : <Apart {...made} />}
      {mayComment && made.kind === "net" && made.diff.change !== "unchanged" && (
        <p data-log="none" className="border-t border-line px-3 py-1 text-12 text-fg-3">
          To comment on lines, turn off Net diff: comments stand on the change that made them.
        </p>
      )}
    </div>
  );
}

function Net({ diff, choice }: { diff: FileDiff; choice: ReturnType<typeof useDiffChoice> }) {
  if (diff.change === "unchanged") return <p className="px-3 py-1 text-12 text-fg-3">No net change.</p>;
  return <FileChangeView diff={diff} original={null} choice={choice} />;
}

function Apart({ at, why }: { at: number; why: "between" | "numbers" }) {
  return (
    <p className="px-3 py-1 text-12 text-fg-2">
      {why === "numbers"
        ? `No net diff: the log has no line numbers for change ${at + 1}.`
        : `No net diff: before change ${at + 1} something else wrote the file, such as a command or an editor.`}
    </p>
  );
}
