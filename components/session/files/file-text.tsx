import { useSessionPage } from "@/components/session/session-store";
import { DetailState } from "@/components/ui/states";
import { useKeys } from "@/lib/client/key-registry";
import type { BlameRange } from "@/lib/wire/files";
import { BlamedCode } from "./blamed-code";
import { useCommentOnEdit } from "./comment-on-edit";
import { type BlamedFile, fileItems, lineBeside, otherThan, useFileAt } from "./file-versions";
import { useStable } from "./use-stable";
import type { LaneOf, NameOf } from "./version-mark";
import { LineOrigin } from "./version-panel";
import { useReadVersion, type Walked } from "./version-walk";

/** The text of the version that is read; with `showsLine`, where the line is from that is pointed at. */
export function FileText({
  path,
  walked,
  compared,
  showsBlame,
  showsLine,
  laneOf,
  nameOf,
}: {
  path: string;
  walked: Walked;
  /** The version that it is compared with, -1 for the one before; `null` where nothing is compared. */
  compared: number | null;
  showsBlame: boolean;
  showsLine: boolean;
  laneOf: LaneOf;
  nameOf: NameOf;
}) {
  const { sessionId, url, setUrl, store } = useSessionPage();
  const { walk, versions } = walked;
  const read = useReadVersion(walked);
  const other = compared === null ? undefined : versions[otherThan(read, compared)];
  const query = useFileAt(sessionId, path, versions[read]?.id ?? null, other?.id ?? null);
  const selectLine = useStable((line: number) =>
    setUrl({ line: line === url.line ? null : line }, "replace"),
  );
  const blamed = query.data;
  const rangeOf = (line: number | null) =>
    blamed?.blame.find(({ fromLine, toLine }) => line !== null && fromLine <= line && line <= toLine);
  const selectRange = useStable((line: number) => {
    const range = rangeOf(line);
    if (range) selectLine(range.fromLine);
  });
  const comment = useCommentOnEdit(path);
  useLineKeys(blamed, rangeOf, comment);
  return (
    <>
      {!blamed ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : blamed.file.exists === false ? (
        <p className="p-6 text-fg-2">The file was not there any more.</p>
      ) : (
        <BlamedCode
          sessionId={sessionId}
          blamed={blamed}
          showsBlame={showsBlame}
          selected={url.line}
          laneOf={laneOf}
          onLine={selectLine}
          onRange={selectRange}
        />
      )}
      {showsLine && url.line !== null && blamed && (
        <section aria-label="The line" className="max-h-[40vh] overflow-y-auto border-t border-line-2">
          <LineOrigin
            blamed={blamed}
            line={url.line}
            versions={versions}
            nameOf={nameOf}
            onRow={store.views.leaveForStep}
            onShow={walk.show}
          />
        </section>
      )}
    </>
  );
}

/** The keys that go from line to line, and from a line to the row that wrote it. `rangeOf`: the lines of one step with it. */
function useLineKeys(
  blamed: BlamedFile | undefined,
  rangeOf: (line: number | null) => BlameRange | undefined,
  comment: ReturnType<typeof useCommentOnEdit>,
): void {
  const { url, setUrl, store } = useSessionPage();
  const goTo = (by: 1 | -1, ofOther: boolean) => {
    const line = blamed && lineBeside(fileItems(blamed), url.line, by, ofOther);
    if (line) setUrl({ line }, "replace");
  };
  useKeys([
    {
      keys: ["j", "k"],
      label: "line below or above",
      group: "Move",
      run: ({ key }) => goTo(key === "j" ? 1 : -1, false),
    },
    {
      keys: ["J", "K"],
      label: "lines of another step, below or above",
      group: "Move",
      run: ({ key }) => goTo(key === "J" ? 1 : -1, true),
    },
    {
      keys: ["o"],
      label: "the row that wrote the line",
      group: "Open and read",
      when: () => rangeOf(url.line) !== undefined,
      run: () => {
        const range = rangeOf(url.line);
        if (range) store.views.leaveForStep(range);
      },
    },
    {
      keys: ["a"],
      label: "comment on the edit that wrote the line",
      group: "Mark and organise",
      when: () => comment !== null,
      run: () => comment?.(rangeOf(url.line)),
    },
  ]);
}
