import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, useMemo, useRef } from "react";
import { useKnownHighlights } from "@/components/content/code/highlight";
import { HIGHLIGHT_LIMITS, languageOfPath } from "@/components/content/code/highlight-job";
import { DiffActions, FileChangeView, useDiffChoice } from "@/components/content/diff/diff-actions";
import type { SideSpans } from "@/components/content/diff/diff-view";
import { ChangedLines } from "@/components/content/text/more-text";
import { Button, IconButton } from "@/components/ui/button";
import { PageLink } from "@/components/ui/page-link";
import { DetailState } from "@/components/ui/states";
import { Moment } from "@/components/ui/time";
import { useIsGuest } from "@/lib/client/connection/token";
import { useDelayed } from "@/lib/client/use-debounced";
import { formatPhrase } from "@/lib/query/write-query";
import type { FileAt, FileStepPlace, FileVersion } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";
import type { FileDiff } from "@/lib/wire/record";
import { isOfCall, useCommentOnEdit } from "./comment-on-edit";
import {
  type BlamedFile,
  codeOf,
  formatMissing,
  formatSource,
  formatStep,
  shownLines,
  useFile,
  versionDiff,
  versionName,
} from "./file-versions";
import type { NameOf } from "./version-mark";

/** Shorter lines stand in every file. */
const MIN_SEARCHED = 4;

/** A link that looks like a button. */
export const LINK_BUTTON =
  "inline-flex h-control flex-none items-center rounded-2 border border-line-2 bg-bg px-2 text-12 whitespace-nowrap text-fg hover:bg-raised";

/** What changed between two versions, where the selected line is from, and how the shown version is known. */
export const VersionPanel = memo(function VersionPanel({
  sessionId,
  path,
  versions,
  shown,
  other,
  blamed,
  onOther,
  onClose,
  ...rest
}: Pick<PairProps, "versions" | "shown" | "other" | "blamed" | "line" | "nameOf" | "onShow" | "onRow"> & {
  sessionId: SessionId;
  path: string;
  onOther: (index: number) => void;
  onClose: (() => void) | null;
}) {
  const isShownThere = blamed.file.version === versions[shown]?.id;
  // The answer about the shown version brings the other one along: to ask meanwhile would be to ask twice.
  const before = useFile(sessionId, path, isShownThere ? (versions[other]?.id ?? null) : null);
  const beforeFile = other === -1 ? null : (before.data ?? null);
  const isThere = isShownThere && (other === -1 || beforeFile?.version === versions[other]?.id);
  const colours = useColours(path, isThere ? beforeFile : null, blamed.file);
  const last = useRef<Pick<PairProps, "shown" | "other" | "blamed" | "diff" | "spans"> | null>(null);
  const isLate = useDelayed(!isThere || colours === null);
  // The two before stay until both of these are here, in their colours, unless one would take them for these.
  const isDue = isThere && (colours !== null || isLate || !last.current?.diff);
  const diff = useMemo(
    () => (beforeFile && isDue ? versionDiff(path, beforeFile, blamed.file) : undefined),
    [path, beforeFile, blamed.file, isDue],
  );
  if (isDue || isLate || !last.current)
    last.current = { shown, other, blamed, diff, spans: colours ? colours.spans : PLAIN };
  const pair = last.current;
  return (
    <section
      aria-label="Compare"
      className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]"
    >
      <div className="flex h-tool items-center gap-2 border-b border-line-2 bg-panel px-3 text-12 text-fg-2 max-sm:px-1">
        {other === -1 ? (
          <span className="font-semibold text-fg">{versionName(versions, shown)}</span>
        ) : (
          <>
            <Stepper versions={versions} index={other} label="Compared version" onChange={onOther} />
            to
            <Stepper versions={versions} index={shown} label="Shown version" onChange={rest.onShow} />
            <span className="flex-none whitespace-nowrap">
              {pair.diff && <ChangedLines added={pair.diff.added} removed={pair.diff.removed} />}
            </span>
          </>
        )}
        <span className="flex-1" />
        {onClose && <IconButton icon={X} label="Close" onClick={onClose} />}
      </div>
      <Pair versions={versions} {...pair} {...rest} query={pair.diff === undefined ? before : null} />
    </section>
  );
});

const PLAIN: SideSpans = [[], []];

/**
 * The colours of two versions, as their whole texts have them; `null` until they are known. `spans` is null where the
 * texts are too long for that.
 */
function useColours(path: string, before: FileAt | null, after: FileAt): { spans: SideSpans | null } | null {
  const one = before ? codeOf(before) : "";
  const other = before ? codeOf(after) : "";
  const isLong = useMemo(
    () => [one, other].some((text) => shownLines(text).length > HIGHLIGHT_LIMITS.lines),
    [one, other],
  );
  const known = useKnownHighlights(one, other, isLong ? null : languageOfPath(path));
  return useMemo(() => known && { spans: isLong ? null : known }, [known, isLong]);
}

type PairProps = {
  versions: readonly FileVersion[];
  shown: number;
  other: number;
  blamed: BlamedFile;
  /** `undefined` until both are here, `null` where they differ too much. */
  diff: FileDiff | null | undefined;
  /** How both are highlighted; `null` where their hunks are to be. */
  spans: SideSpans | null;
  /** What the diff waits for. */
  query: ComponentProps<typeof DetailState>["query"] | null;
  line: number | null;
  nameOf: NameOf;
  onShow: (index: number) => void;
  onRow: (step: FileStepPlace) => void;
};

/** Two versions, drawn again when another two are here. */
const Pair = memo(function Pair({
  versions,
  shown,
  other,
  blamed,
  diff,
  spans,
  query,
  line,
  nameOf,
  onShow,
  onRow,
}: PairProps) {
  const choice = useDiffChoice();
  const between = versions.slice(Math.min(other, shown) + 1, Math.max(other, shown) + 1);
  const outside = between.filter(({ kind }) => kind === "outside" || kind === "deleted").length;
  return (
    <div className="@container/thread min-h-0 overflow-y-auto [contain:strict]" tabIndex={0}>
      {other === -1 ? (
        <p className="border-b border-line px-3 py-2 text-12 text-fg-3">
          There is no version before this one.
        </p>
      ) : (
        <div data-wrap={false} className="group/opened border-b border-line">
          {diff && diff.hunks.length > 0 && (
            <div className="flex h-6 items-center justify-end border-b border-line bg-panel px-2 text-11 max-sm:hidden">
              <DiffActions choice={choice} />
            </div>
          )}
          {diff ? (
            <FileChangeView diff={diff} original={null} choice={choice} spans={spans} />
          ) : diff === null ? (
            <p className="px-3 py-2 text-12 text-fg-2">These two differ too much to be compared here.</p>
          ) : (
            query && (
              <div className="p-2">
                <DetailState query={query} />
              </div>
            )
          )}
        </div>
      )}
      {outside > 0 && (
        <p className="border-b border-line px-3 py-1.5 text-12">
          <span className="font-semibold text-warn">Not all in the logs</span>{" "}
          <span className="text-fg-2">
            between these two, something that no log tells of wrote the file
            {outside > 1 && ` ${outside} times`}.
          </span>
        </p>
      )}
      {line !== null && (
        <LineOrigin
          blamed={blamed}
          line={line}
          versions={versions}
          nameOf={nameOf}
          onRow={onRow}
          onShow={onShow}
        />
      )}
      <Known versions={versions} shown={shown} blamed={blamed} onRow={onRow} onShow={onShow} />
    </div>
  );
});

/** One version, with the ones before and after it a click away. */
function Stepper({
  versions,
  index,
  label,
  onChange,
}: {
  versions: readonly FileVersion[];
  index: number;
  label: string;
  onChange: (index: number) => void;
}) {
  return (
    <span role="group" aria-label={label} className="flex items-center rounded-2 border border-line-3 bg-bg">
      <IconButton
        icon={ChevronLeft}
        small
        label="Earlier"
        className="h-5 w-5!"
        disabled={index <= 0}
        onClick={() => onChange(index - 1)}
      />
      <span className="min-w-7 text-center font-semibold text-fg tabular-nums">
        {versionName(versions, index)}
      </span>
      <IconButton
        icon={ChevronRight}
        small
        label="Later"
        className="h-5 w-5!"
        disabled={index >= versions.length - 1}
        onClick={() => onChange(index + 1)}
      />
    </span>
  );
}

/** Where a line is from. */
export function LineOrigin({
  blamed,
  line,
  versions,
  nameOf,
  onRow,
  onShow,
}: Pick<PairProps, "blamed" | "versions" | "nameOf" | "onRow" | "onShow"> & {
  line: number;
}) {
  const comment = useCommentOnEdit(blamed.file.path);
  const range = blamed.blame.find(({ fromLine, toLine }) => fromLine <= line && line <= toLine);
  const index = versions.findIndex(({ id }) => id === range?.version);
  const version = versions[index];
  const isGuest = useIsGuest();
  const text = (shownLines(blamed.file.content ?? "")[line - 1] ?? "").trim();
  return (
    <>
      <Heading>Line {line}</Heading>
      <Facts>
        {!range || !version ? (
          <Fact name="Made by">
            <span className="text-warn">not in the logs</span>
          </Fact>
        ) : (
          <>
            <Fact name={range.how === "seen" ? "First seen" : "Made by"}>
              {range.how === "outside"
                ? "something that is in no log"
                : formatStep(versions, version, nameOf(range.agentId))}
              {range.how === "wrote" && range.agentId === null && ", main thread"}
              {range.atMs !== null && (
                <span className="text-fg-2">
                  , <Moment atMs={range.atMs} />
                </span>
              )}
            </Fact>
            <Fact name="Turn">
              {range.turn === 0 ? "on another branch" : `${range.turn} `}
              {range.prompt && <span className="text-fg-2">{range.prompt}</span>}
            </Fact>
            <Fact name="Version">
              <button type="button" className="text-accent hover:underline" onClick={() => onShow(index)}>
                {versionName(versions, index)}
              </button>
            </Fact>
            <div className="col-span-2 flex flex-wrap gap-2 pt-1">
              <Button onClick={() => onRow(range)}>Open the row</Button>
              {comment && isOfCall(range) && (
                <Button title="Comment on the edit that wrote this line (a)" onClick={() => comment(range)}>
                  Comment
                </Button>
              )}
              {text.length >= MIN_SEARCHED && !isGuest && (
                <PageLink
                  className={LINK_BUTTON}
                  href={`/search?q=${encodeURIComponent(`in:input ${formatPhrase(text)}`)}`}
                >
                  This line in all sessions
                </PageLink>
              )}
            </div>
          </>
        )}
      </Facts>
    </>
  );
}

function Known({
  versions,
  shown,
  blamed: { file },
  onRow,
  onShow,
}: Pick<PairProps, "versions" | "shown" | "blamed" | "onRow" | "onShow">) {
  const version = versions[shown];
  if (!version) return null;
  const missing = formatMissing(file.gaps);
  const same = versions.findIndex(({ id }) => id === version.sameAs);
  return (
    <>
      <Heading>How {versionName(versions, shown)} is known</Heading>
      <Facts>
        <Fact name="From">
          {file.exists === false
            ? "a backup that says that there is no such file"
            : formatSource(file.source)}
        </Fact>
        <Fact name="Checked">
          {version.checkedBy === null ? (
            <span className="text-fg-2">nothing later in the logs shows it</span>
          ) : (
            <button
              type="button"
              className="text-accent hover:underline"
              onClick={() => version.checkedBy && onRow(version.checkedBy)}
            >
              a later step shows the same
            </button>
          )}
        </Fact>
        {same !== -1 && (
          <Fact name="Same as">
            <button type="button" className="text-accent hover:underline" onClick={() => onShow(same)}>
              {versionName(versions, same)}
            </button>
          </Fact>
        )}
        <Fact name="Missing">
          {missing ? (
            <span className="text-warn">{missing}</span>
          ) : (
            <span className="text-fg-2">nothing</span>
          )}
        </Fact>
      </Facts>
    </>
  );
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <h3 className="flex h-7 items-center border-y border-line bg-panel px-3 text-12 font-semibold">
      {children}
    </h3>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-2 text-12/5">{children}</dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
