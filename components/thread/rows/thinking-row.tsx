import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { firstProseLine } from "./first-line";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** What the model thought, where the log keeps it. */
export function ThinkingRowView({ row, open, selected }: RowProps<"thinking">) {
  const { toggleOpen } = useThreadActions();
  const empty = row.text.text.trim() === "";
  const words = row.text.text.trim().split(/\s+/).length;
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
            missing(row.redacted, row.text.length)
          ) : (
            <VisibleText text={firstProseLine(row.text.text)} />
          )
        }
        result={open && !empty ? `${formatCount(words)}${row.text.cut ? "+" : ""} words` : null}
      />
      {open && !empty && (
        <OpenedBlock
          row={row}
          facts={formatPlural(words, "word")}
          copy={{ label: "Copy thinking", text: row.text.text }}
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

function missing(redacted: boolean, length: number): string {
  if (redacted)
    return length > 0
      ? `redacted by the API; ${formatCount(length)} encrypted bytes are in the log`
      : "redacted by the API";
  return "its text is not in the log";
}
