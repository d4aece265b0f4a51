import { Markdown } from "@/components/content/markdown/markdown";
import { MoreText } from "@/components/content/text/more-text";
import { OutsideLink } from "@/components/content/text/outside-link";
import { safeHref } from "@/components/content/text/safe-href";
import { VisibleText } from "@/components/content/text/visible-text";
import { cx } from "@/lib/client/class-names";
import type { Citation } from "@/lib/wire/rows";
import { RowFrame } from "./row-frame";
import { RowMarks } from "./row-marks";
import type { RowProps } from "./row-props";

/** What the model said, and the sources that it named. */
export function TextRowView({ row, selected }: RowProps<"text">) {
  return (
    <RowFrame node={{ shape: "text" }} selected={selected} tall>
      <div
        className={cx(
          "pt-1 pr-[calc(168px+8px)] pb-1.5 @max-[720px]/thread:pr-3 max-sm:pr-3",
          row.marks && "relative",
        )}
      >
        {row.marks && (
          <p className="absolute top-1 right-3 max-sm:static max-sm:mb-1">
            <RowMarks marks={row.marks} />
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

function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <ol aria-label="Sources" className="mt-1.5 max-w-measure text-12 text-fg-2">
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
