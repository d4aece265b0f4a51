import { AnsiText } from "@/components/content/ansi/ansi-text";
import { useThreadActions } from "@/components/content/row-actions";
import { formatCount } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** A line of the log that is no record: where it is, why, and what it holds. */
export function UnreadableRowView({ row, open, selected }: RowProps<"unreadable">) {
  const { toggleOpen } = useThreadActions();
  const bytes = `bytes ${formatCount(row.offset)}–${formatCount(row.offset + row.length)}`;
  return (
    <RowFrame node={{ shape: "unreadable" }} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name="Unreadable"
        nameTone="quiet"
        subject={
          <>
            <span className="font-sans text-err">
              line {formatCount(row.line)}: {row.reason}
            </span>{" "}
            <span className="text-fg-3">
              <AnsiText text={row.text.text.slice(0, 200)} />
            </span>
          </>
        }
        result={<span className="font-mono text-fg-3">{bytes}</span>}
      />
      {open && (
        <OpenedBlock
          row={row}
          facts={
            <>
              <span className="text-err">{row.reason}</span>
              <span>
                line {formatCount(row.line)}, {bytes}
              </span>
            </>
          }
          copy={{ label: "Copy the line", text: row.text.text }}
          wrappable
        >
          <pre
            tabIndex={0}
            className="overflow-x-auto px-3 py-1.5 font-mono text-code group-data-[wrap=true]/opened:break-all group-data-[wrap=true]/opened:whitespace-pre-wrap"
          >
            <AnsiText text={row.text.text} />
            {row.text.cut && "…"}
          </pre>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}
