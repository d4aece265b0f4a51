import { Sheet, SheetHead } from "@/components/session/print/print-sheet";
import { formatCount } from "@/lib/format/format";
import type { CompareResponse, SideName } from "@/lib/wire/compare";
import { FileDifference, FileTable, filesWords, printedDifferences } from "./compared-files";
import { Overview, SideTop } from "./compared-sides";
import { Stem } from "./compared-stem";
import { CompareLines } from "./compared-turns";
import type { CompareItem } from "./use-compare";

/** What nobody reads to its end, and the page would have to lay out at once. */
const MAX_PRINTED = 1_500;

const NOTHING = () => undefined;

/** The comparison on paper: its lines as they are shown, then every file that differs with its difference. */
export function CompareSheet({
  compared,
  lanes,
  items,
  stemOpen,
}: {
  compared: CompareResponse;
  lanes: Record<SideName, number>;
  items: readonly CompareItem[];
  stemOpen: boolean;
}) {
  const { files, left, right } = compared;
  const printed = printedDifferences(compared);
  const differing = files.filter(({ verdict }) => verdict === "differs").length;
  return (
    <Sheet>
      <SheetHead />
      <h2 className="mb-2 text-13 font-semibold">
        {left.sessionId === right.sessionId
          ? `Branches ${left.number} and ${right.number} of ${right.branches}, compared`
          : "Two sessions, compared"}
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)_28px_minmax(0,1fr)] border-y border-line-2">
        <SideTop side={left} name="left" lane={lanes.left} />
        <span className="flex items-center justify-center border-x border-line text-11 text-fg-3">vs</span>
        <SideTop side={right} name="right" lane={lanes.right} />
      </div>
      <Stem compared={compared} open={stemOpen} onToggle={NOTHING} onOpen={NOTHING} />
      <Overview compared={compared} />
      <ol className="mb-4">
        <CompareLines
          items={items.slice(0, MAX_PRINTED)}
          lanes={lanes}
          at={null}
          onToggle={NOTHING}
          onOpen={NOTHING}
        />
      </ol>
      {items.length > MAX_PRINTED && (
        <p className="mb-3 font-semibold">
          {formatCount(items.length - MAX_PRINTED)} more lines are left out: only differences, or fewer open
          turns, put less on paper.
        </p>
      )}
      <h2 className="mb-1 flex gap-3 text-13 font-semibold">
        Files as they ended
        <span className="font-normal text-fg-2">{filesWords(compared)}</span>
      </h2>
      <FileTable files={files} lanes={lanes} onShow={NOTHING} />
      {printed.map((file) => (
        <section key={file.name} className="mt-3 border border-line-2">
          <FileDifference file={file} left={left.sessionId} right={right.sessionId} />
        </section>
      ))}
      {differing > printed.length && (
        <p className="mt-3 font-semibold">
          The differences of {formatCount(differing - printed.length)} more files are left out.
        </p>
      )}
    </Sheet>
  );
}
