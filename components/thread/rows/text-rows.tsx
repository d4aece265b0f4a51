import { clsx } from "clsx";
import { BlobView, formatBlob } from "@/components/content/blob/blob-view";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText, toCopy } from "@/components/content/text/more-text";
import { OutsideLink } from "@/components/content/text/outside-link";
import { API_EQUIVALENT, UsageFigure, usageWords } from "@/components/content/text/request-usage";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedBlock } from "@/components/thread/opened-block";
import { useIsGuest } from "@/lib/client/connection/token";
import { usePreferences } from "@/lib/client/preferences";
import { useShared } from "@/lib/client/use-health";
import { formatCost, formatCount, formatFullTime, formatPlural } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { safeHref } from "@/lib/markup/safe-href";
import type { Citation } from "@/lib/wire/rows";
import { CopyRowButton } from "./copy-row-button";
import { firstProseLine, RowFrame, RowLine, type RowProps, RowTags, RowTime } from "./row-line";

/** The model's text, with the sources it cited. */
export function TextRowView({ row, selected }: RowProps<"text">) {
  const { rowTimes } = usePreferences();
  return (
    <RowFrame node={{ shape: "text" }} selected={selected} tint="prose">
      <div
        className={clsx(
          "pt-1 pb-1.5 @max-[720px]/thread:pr-3 max-sm:pr-3",
          rowTimes ? "pr-[calc(132px+116px*var(--u))]" : "pr-[calc(168px+8px)]",
          (row.marks || rowTimes || selected) && "relative",
        )}
      >
        {selected && <CopyRowButton row={row} className={rowTimes ? BESIDE_TIME : BESIDE_FIGURE} />}
        {rowTimes && <RowTime row={row} className={BESIDE_PROSE} />}
        <RequestFigure row={row} className={rowTimes ? "-mr-[calc(120px+116px*var(--u))]" : "-mr-[164px]"} />
        {row.marks && (
          <p data-log="none" className="absolute top-1 right-3 max-sm:static max-sm:mb-1">
            <RowTags marks={row.marks} />
          </p>
        )}
        <MoreText row={row} text={row.text}>
          {(text) => <Markdown text={text} />}
        </MoreText>
        {row.citations && <Citations citations={row.citations} />}
      </div>
    </RowFrame>
  );
}

/** In the column of other rows' times; where there is no such column, before the first line's end. */
const BESIDE_PROSE = clsx(
  "absolute top-1 right-[calc(52px*var(--u)+132px)] leading-5",
  "@max-[720px]/thread:static @max-[720px]/thread:float-right @max-[720px]/thread:ml-3",
  "max-sm:static max-sm:float-right max-sm:ml-3",
);

/** Before the request’s figure; where the text takes all of the width, over the end of its first line. */
const BESIDE_FIGURE = clsx(
  "absolute top-1 right-[calc(52px*var(--u)+20px)]",
  "@max-[720px]/thread:right-1 @max-[720px]/thread:bg-panel max-sm:right-1 max-sm:bg-panel",
);

/** The same before the row’s time. */
const BESIDE_TIME = clsx(
  "absolute top-1 right-[calc(108px*var(--u)+140px)]",
  "@max-[720px]/thread:right-1 @max-[720px]/thread:bg-panel max-sm:right-1 max-sm:bg-panel",
);

/** What the request cost whose answer this is, beside it where there is room; a click opens the record with its figures. */
function RequestFigure({
  row: { usage, recordId, atMs },
  className,
}: Pick<RowProps<"text">, "row"> & { className: string }) {
  const { inspect } = useThreadActions();
  if (!usage) return null;
  const text = formatCost(usage.cost.microUsd, usage.cost.unpricedTokens);
  const written = atMs === null ? "" : `\n${formatFullTime(atMs)}`;
  const title = `${API_EQUIVALENT}\n${usageWords(usage)}${written}`;
  return (
    <UsageFigure
      title={labelHidden(title)}
      className={clsx(
        "float-right text-11/5 text-fg-3 tabular-nums select-none @max-[720px]/thread:hidden max-sm:hidden",
        className,
      )}
      onOpen={inspect ? () => inspect(recordId) : null}
    >
      {text}
    </UsageFigure>
  );
}

function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <ol aria-label="Sources" data-log="none" className="mt-1.5 max-w-measure text-12 text-fg-2">
      {citations.map(({ url, title }, index) => (
        <li key={index} className="flex min-w-0 gap-2">
          <span className="text-fg-3 tabular-nums">{index + 1}</span>
          <span className="min-w-0 truncate">
            {url ? <OutsideLink target={url} label={title} /> : <VisibleText text={title} />}
          </span>
          <span className="truncate text-fg-3">{url && safeHref(url)?.host}</span>
        </li>
      ))}
    </ol>
  );
}

/** The model's thinking, where the log contains it. */
export function ThinkingRowView({ row, open, selected }: RowProps<"thinking">) {
  const { toggleOpen, sessionId } = useThreadActions();
  const empty = row.text.text.trim() === "";
  const count = row.text.text.trim().split(/\s+/).length;
  const words = row.text.cut ? `${formatCount(count)}+ words` : formatPlural(count, "word");
  const toggle = () => toggleOpen(row.key);
  return (
    <RowFrame node={{ shape: "thinking" }} selected={selected}>
      <RowLine
        row={row}
        open={empty ? null : open}
        onToggle={toggle}
        name="Thinking"
        nameTone="quiet"
        prose
        tone="quiet"
        subject={
          empty ? (
            <span data-log="none">
              <MissingThought redacted={row.redacted} length={row.text.length} />
            </span>
          ) : (
            <VisibleText text={firstProseLine(row.text.text)} />
          )
        }
        result={open && !empty ? words : null}
      />
      {open && !empty && (
        <OpenedBlock
          row={row}
          facts={words}
          copy={{ label: "Copy thinking", text: toCopy(sessionId, row, row.text) }}
        >
          <div className="px-3 py-2 text-fg-2">
            <MoreText row={row} text={row.text}>
              {(text) => <Markdown text={text} />}
            </MoreText>
          </div>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}

/** Why a thought has no text. */
function MissingThought(thought: { redacted: boolean; length: number }) {
  const isGuest = useIsGuest();
  if (useThreadActions().lacksThinking) return "left out of the link that was exported";
  return isGuest ? <GuestsMissingThought {...thought} /> : formatMissing(thought);
}

/** A link made without thinking leaves every thought empty, whatever the log has of it. */
function GuestsMissingThought(thought: { redacted: boolean; length: number }) {
  const isLeftOut = useShared()?.without.includes("thinking");
  return isLeftOut ? "left out of this link" : formatMissing(thought);
}

function formatMissing({ redacted, length }: { redacted: boolean; length: number }): string {
  if (redacted)
    return length > 0
      ? `redacted by the API; ${formatCount(length)} encrypted bytes are in the log`
      : "redacted by the API";
  return "not in the log";
}

/** An image or document in the thread. */
export function BlobRowView({ row, selected }: RowProps<"blob">) {
  const { sessionId } = useThreadActions();
  const { blob } = row;
  const isImage = blob.kind === "image";
  return (
    <RowFrame node={{ shape: "text" }} selected={selected}>
      <RowLine
        row={row}
        open={null}
        name={isImage ? "Image" : blob.kind === "document" ? "Document" : "Output"}
        nameTone="quiet"
        prose
        subject={blob.name ?? ""}
        result={formatBlob(blob)}
      />
      {isImage && (
        <div className="pb-2 pl-6 max-sm:pl-0">
          <BlobView sessionId={sessionId} blob={blob} />
        </div>
      )}
    </RowFrame>
  );
}
