import { Braces, Link, SquareArrowOutUpRight } from "lucide-react";
import { type ComponentType, type ReactNode, useMemo, useState } from "react";
import { WrapButton } from "@/components/content/code/wrap-button";
import {
  type LineRange,
  type LineSelection,
  type LineSelectionActions,
  LineSelectionActionsContext,
  LineSelectionContext,
} from "@/components/content/line-selection";
import { useThreadActions } from "@/components/content/row-actions";
import { useUnfolded } from "@/components/content/row-state";
import { VisibleText } from "@/components/content/text/visible-text";
import { CopyButton, IconButton } from "@/components/ui/button";
import { threadUrlNow, useThreadUrlValue } from "@/lib/client/address/session-history";
import { parsePanePlaces, parsePermalink, type ThreadUrl } from "@/lib/client/address/session-url";
import { usePreferences } from "@/lib/client/preferences";
import { formatDuration } from "@/lib/format/format";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import type { ToolFamily, ToolOf } from "@/lib/tools/tools";
import type { CallDetail } from "@/lib/wire/record";
import type { Row, ToolRow } from "@/lib/wire/rows";
import { openInEditor, useEditor } from "./file-place";

/** What the copy button copies. */
type CopiedText = { label: string; text: string | (() => string | Promise<string>) };

type OpenedBlockProps = {
  row: Row;
  facts: ReactNode;
  actions?: ReactNode;
  copy?: CopiedText;
  /** The file whose lines are shown, for `path:line`. */
  path?: string;
  /** Lines may be long: offers to wrap them. */
  wrappable?: boolean;
  footer?: ReactNode;
  children: ReactNode;
};

/** What an opened row shows, in a frame: facts left, actions right, content below. */
export function OpenedBlock({
  row,
  facts,
  actions,
  copy,
  path,
  wrappable = false,
  footer,
  children,
}: OpenedBlockProps) {
  const { copyLink } = useThreadActions();
  const { wrap: preferred } = usePreferences();
  const [chosen, setWrap] = useUnfolded<boolean | null>("wrap", null);
  const wrap = chosen ?? preferred;
  const { place, actions: placeActions, suffix } = useLineSelectionOf(row);
  const { lines } = place;
  return (
    <div
      data-wrap={wrappable ? wrap : undefined}
      data-log=""
      className="group/opened mr-3 mb-2 ml-6 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:ml-0"
    >
      <div
        data-log="none"
        className="flex min-h-6 flex-wrap items-center gap-x-3 border-b border-line bg-panel pr-1 pl-2 text-11 whitespace-nowrap text-fg-2 tabular-nums [&_:is(button,a)]:-outline-offset-2!"
      >
        {/* Where a line has no room for them, facts wrap; else a path among them is cut. */}
        <div className="flex min-w-0 flex-1 items-center gap-x-3 overflow-hidden @max-[720px]/thread:flex-wrap @max-[720px]/thread:whitespace-normal @max-[480px]/thread:min-w-2/5 @max-[480px]/thread:[overflow-wrap:anywhere]">
          {facts}
        </div>
        {lines && (
          <PointedLines
            lines={lines}
            path={path}
            onCopyLink={copyLink ? () => copyLink(row, suffix) : undefined}
          />
        )}
        {actions}
        <BlockActions
          row={row}
          copy={copy}
          path={path}
          line={lines?.from}
          wrap={wrappable ? wrap : null}
          onWrap={setWrap}
        />
      </div>
      <LineSelectionActionsContext.Provider value={placeActions}>
        <LineSelectionContext.Provider value={place}>{children}</LineSelectionContext.Provider>
      </LineSelectionActionsContext.Provider>
      {footer && (
        <div
          data-log="none"
          className="flex min-h-6 items-center gap-3 border-t border-line bg-panel px-2 text-11 text-fg-2 tabular-nums"
        >
          {footer}
        </div>
      )}
    </div>
  );
}

/** Which lines are pointed at, and the ways to lead somebody else to them. */
function PointedLines({
  lines,
  path,
  onCopyLink,
}: {
  lines: LineRange;
  path: string | undefined;
  onCopyLink: (() => void) | undefined;
}) {
  return (
    <span className="flex flex-none items-center gap-1 text-fg">
      {lines.to > lines.from ? `lines ${lines.from}–${lines.to}` : `line ${lines.from}`}
      {path && (
        <CopyButton className="h-5" text={`${path}:${lines.from}`} label={`Copy ${path}:${lines.from}`} />
      )}
      {onCopyLink && (
        <IconButton icon={Link} small className="h-5" label="Copy link to these lines" onClick={onCopyLink} />
      )}
    </span>
  );
}

/** What can be done with an opened row. `line`: the first of those that are pointed at; `wrap`: `null` offers none. */
function BlockActions({
  row,
  copy,
  path,
  line,
  wrap,
  onWrap,
}: {
  row: Row;
  copy: CopiedText | undefined;
  path: string | undefined;
  line: number | undefined;
  wrap: boolean | null;
  onWrap: (wrap: boolean) => void;
}) {
  const { sessionId, copyLink, inspect } = useThreadActions();
  const editor = useEditor();
  return (
    <span className="ml-auto flex flex-none items-center print:hidden">
      {path && editor !== "" && (
        <IconButton
          icon={SquareArrowOutUpRight}
          small
          className="h-5"
          label={`Open ${path} in the editor`}
          keys="E"
          onClick={() => void openInEditor(sessionId, row, editor, line)}
        />
      )}
      {wrap !== null && <WrapButton wrap={wrap} onWrap={onWrap} />}
      {inspect && (
        <IconButton
          icon={Braces}
          small
          className="h-5 max-sm:hidden"
          label="Show the record"
          onClick={() => inspect(row.recordId)}
        />
      )}
      {copy && <CopyButton className="h-5" text={copy.text} label={copy.label} />}
      {copyLink && (
        <IconButton
          icon={Link}
          small
          className="h-5"
          label="Copy link to this row"
          onClick={() => copyLink(row)}
        />
      )}
    </span>
  );
}

/** The line that was clicked first, and the one that the selection goes to. */
type PickedLines = { first: number; last: number };

function between({ first, last }: PickedLines): LineRange {
  return { from: Math.min(first, last), to: Math.max(first, last) };
}

/** Which lines of an opened row are pointed at, by a click, else by the page's address. `suffix`: their link. */
function useLineSelectionOf({ recordId, block }: Row): {
  place: LineSelection;
  actions: LineSelectionActions;
  suffix: string;
} {
  const places = { at: useThreadUrlValue("at"), paneAt: useThreadUrlValue("paneAt") };
  const at = placeNaming({ recordId, block }, places);
  const { copyLink, linkedLines } = useThreadActions();
  const [picked, setPicked] = useState<PickedLines | null>(null);
  const actions = useMemo(
    (): LineSelectionActions => ({
      pick: (line, extend) =>
        setPicked((old) => {
          if (!extend && old?.first === line && old.last === line) return null;
          return { first: extend && old ? old.first : line, last: line };
        }),
      copyHunkLink: copyLink && ((hunk) => copyLink({ recordId, block }, `:h${hunk}`)),
      onReached: () => {
        const now = placeNaming({ recordId, block }, threadUrlNow());
        if (now !== null) linkedLines?.reach(now);
      },
    }),
    [copyLink, recordId, block, linkedLines],
  );
  return useMemo(() => {
    const linked = parsePermalink(at);
    const lines = picked ? between(picked) : (linked?.lines ?? null);
    const range = lines && (lines.to > lines.from ? `${lines.from}-${lines.to}` : lines.from);
    return {
      place: {
        lines,
        hunk: picked ? null : (linked?.hunk ?? null),
        linked: picked === null && at !== null && !linkedLines?.isReached(at),
      },
      actions,
      suffix: range === null ? "" : `:L${range}`,
    };
  }, [at, picked, actions, linkedLines]);
}

/** The place that an address names in this row, as that of the page's own thread or of one in a pane; `null` for none. */
function placeNaming(
  { recordId, block }: Pick<Row, "recordId" | "block">,
  { at, paneAt }: Pick<ThreadUrl, "at" | "paneAt">,
): string | null {
  const places = [at, ...parsePanePlaces(paneAt).map((place) => place.at)];
  const isHere = (place: string | null) => {
    const linked = parsePermalink(place);
    return linked?.recordId === recordId && (linked.block ?? 0) === block;
  };
  return places.find(isHere) ?? null;
}

/** What an opened call shows. Its bar begins with how it went and how long it took, before the tool's own `facts`. */
export function OpenedCall({ row, facts, ...rest }: Omit<OpenedBlockProps, "facts"> & ToolFacts) {
  const all = (
    <>
      <CallFacts row={row} />
      {facts}
    </>
  );
  return <OpenedBlock row={row} facts={all} {...rest} />;
}

type ToolFacts = { row: ToolRow; facts?: ReactNode };

/** More than this is a sentence. */
const MAX_VERDICT_CHARACTERS = 16;

const VERDICTS: Partial<Record<ToolRow["state"], { word: string; className: string }>> = {
  error: { word: "error", className: "font-semibold text-err" },
  "timed-out": { word: "timed out", className: "font-semibold text-err" },
  denied: { word: "denied", className: "font-semibold text-warn" },
  interrupted: { word: "stopped", className: "text-fg-2" },
  running: { word: "running", className: "text-run" },
};

/** How a call went, and how long it took, for the bar of an opened one. */
export function CallFacts({ row }: { row: ToolRow }) {
  const verdict = VERDICTS[row.state];
  return (
    <>
      {verdict && (
        <span className={`${verdict.className} flex-none`}>
          {/* A long one is below, whole. */}
          {row.result === null || row.result.length > MAX_VERDICT_CHARACTERS
            ? verdict.word
            : stripAnsi(row.result)}
        </span>
      )}
      {row.durationMs !== null && <span>{formatDuration(row.durationMs)}</span>}
      {row.cleared && <span className="text-fg-3">result later cleared from the context</span>}
    </>
  );
}

/** A few facts, a line each: what, and its value in mono. Facts without a value are left out. */
export function FactsList({ facts }: { facts: readonly [label: string, value: string | null][] }) {
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== "");
  if (known.length === 0) return null;
  return (
    <dl className="grid grid-cols-[calc(88px*var(--u))_minmax(0,1fr)] gap-x-3 px-3 py-1.5 text-12/[22px]">
      {known.map(([label, value]) => (
        <Fact key={label} label={label}>
          <VisibleText text={value} />
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt data-log="none" className="truncate text-fg-3">
        {label}
      </dt>
      <dd className="font-mono text-code/[22px] [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/** A small word with a hairline behind it, between parts of an opened block. */
export function SectionLine({ children }: { children: ReactNode }) {
  return (
    <div
      data-log="none"
      className="flex h-[18px] items-center gap-2 px-3 text-11 whitespace-nowrap text-fg-3 tabular-nums"
    >
      {children}
      <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-line" />
    </div>
  );
}

/** What every tool's view is drawn from: the row it opens under, and the call as the log has it. */
export type ToolViewProps = { row: ToolRow; call: CallDetail };

export type ToolView = ComponentType<ToolViewProps>;

/** A view for each tool of a family. */
export type ToolViews<Family extends ToolFamily> = Readonly<Record<ToolOf<Family>, ToolView>>;
