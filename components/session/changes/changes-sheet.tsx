import { ChangedLines } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { Sheet, SheetHead } from "@/components/session/print/print-sheet";
import { formatPart } from "@/components/session/waterfall/selected-part";
import { formatCount, formatPlural } from "@/lib/format/format";
import { changedLines, type FileChanges, printedFiles, type Selection } from "./changed-files";
import { ChangesOfFile, PlaceHeading } from "./file-changes";

/** How a file of the review is shown: with its changes or without, and those as one. */
export type FileLook = { open: boolean; net: boolean };
/** By the file's path. */
export type FileLooks = ReadonlyMap<string, FileLook>;

export const SHOWN: FileLook = { open: true, net: false };

/** What the review is of. */
export function changesTitle({ turn, part }: Selection): string {
  if (turn) return `Changes of turn ${turn}`;
  return part ? `Changes in ${formatPart(part.range)}` : "Changes of the session";
}

/** The review for printing: every file as it is shown, its changes loaded. */
export function ChangesSheet({
  files,
  selection,
  root,
  looks,
}: {
  files: readonly FileChanges[];
  selection: Selection;
  root: string | null;
  looks: FileLooks;
}) {
  const printed = printedFiles(files);
  const isCut = printed.length < files.length;
  return (
    <Sheet>
      <SheetHead />
      <h2 className="mb-2 flex gap-3 text-13 font-semibold tabular-nums">
        {changesTitle(selection)}
        <span className="font-normal">{formatPlural(files.length, "file")}</span>
        <ChangedLines {...changedLines(files)} />
      </h2>
      {files.length === 0 && <p className="text-fg-2">No files changed.</p>}
      {isCut && (
        <p className="mb-3 border-y border-line-2 py-1 font-semibold">
          Files 1 to {formatCount(printed.length)} of {formatCount(files.length)}. The changes of one turn put
          fewer on paper.
        </p>
      )}
      {printed.map((file, index) => {
        const { open, net } = looks.get(file.path) ?? SHOWN;
        return (
          <section key={file.path} className="mb-3">
            {printed[index - 1]?.place !== file.place && <PlaceHeading as="p" place={file.place} />}
            <h3 className="mb-1 flex items-center gap-3 tabular-nums">
              <span className="min-w-0 font-mono text-code font-semibold [overflow-wrap:anywhere]">
                <VisibleText text={shortenPath(file.path, root)} />
              </span>
              <span className="flex-none text-12 text-fg-2">
                {file.changes.length > 1 && formatPlural(file.changes.length, "change")}
              </span>
              <span className="flex-none text-12">
                <ChangedLines added={file.added} removed={file.removed} />
              </span>
            </h3>
            {open && <ChangesOfFile file={file} net={net} />}
          </section>
        );
      })}
      {isCut && (
        <p className="mt-3 font-semibold">More files follow; these are all that are printed at once.</p>
      )}
    </Sheet>
  );
}
