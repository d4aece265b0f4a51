import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { firstLine } from "./first-line";
import { RecordBlock } from "./record-block";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** The client's own book-keeping; opened, the record as it is. */
export function BookkeepingRowView({ row, open, selected }: RowProps<"bookkeeping">) {
  const { toggleOpen } = useThreadActions();
  return (
    <RowFrame node={{ shape: "none" }} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name="Record"
        nameTone="quietest"
        tone="quiet"
        subject={
          <>
            <span className="text-fg-2">{row.type}</span> <VisibleText text={firstLine(row.text)} />
          </>
        }
      />
      {open && <RecordBlock row={row} />}
    </RowFrame>
  );
}

/** A type, block or attachment that this version does not know. */
export function UnknownRowView({ row, open, selected }: RowProps<"unknown">) {
  const { toggleOpen } = useThreadActions();
  return (
    <RowFrame node={{ shape: "unknown" }} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name="Unknown"
        nameTone="quiet"
        subject={
          <>
            <VisibleText text={row.type} />{" "}
            <span className="text-fg-3">
              <VisibleText text={firstLine(row.text.text)} />
            </span>
          </>
        }
        result="kept as it is"
        tone="quiet"
      />
      {open && <RecordBlock row={row} />}
    </RowFrame>
  );
}
