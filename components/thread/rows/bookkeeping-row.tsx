import { AnsiText } from "@/components/content/ansi/ansi-text";
import { JsonTree } from "@/components/content/json-tree";
import { useThreadActions } from "@/components/content/row-actions";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedBlock } from "@/components/thread/opened-block";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { useRecord } from "@/lib/client/queries";
import { formatCount } from "@/lib/format/format";
import { textStart } from "@/lib/format/text";
import type { Row } from "@/lib/wire/rows";
import { firstLine, RowFrame, RowLine, type RowProps } from "./row-line";

/** One of the client's own metadata records; opened, the record's JSON. */
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

/** A record type, block or attachment that this version does not know. */
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
        result="shown as logged"
        tone="quiet"
      />
      {open && <RecordBlock row={row} />}
    </RowFrame>
  );
}

/** A record's JSON as in the log, below its row. */
function RecordBlock({ row }: { row: Row }) {
  const { sessionId } = useThreadActions();
  const record = useRecord(sessionId, row.recordId);
  if (!record.data) return <DetailState query={record} />;
  const { at, type, json, raw } = record.data;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <span className="font-mono">{type}</span>
          <span>
            line {formatCount(at.line)} · {formatCount(at.length)} B
          </span>
        </>
      }
      copy={{ label: "Copy the record", text: () => api.rawRecord(sessionId, row.recordId) }}
    >
      <div className="px-3 py-1.5">{json === null ? raw.text : <JsonTree value={json} />}</div>
    </OpenedBlock>
  );
}

/** A log line that could not be parsed: its position, the reason and its content. */
export function UnreadableRowView({ row, open, selected }: RowProps<"unreadable">) {
  const { toggleOpen, sessionId } = useThreadActions();
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
            <span data-log="none" className="font-sans text-err">
              line {formatCount(row.line)}: {row.reason}
            </span>{" "}
            <span className="text-fg-3">
              <AnsiText text={textStart(row.text.text, 200)} />
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
          copy={{
            label: "Copy the line",
            text: row.text.cut ? () => api.rawRecord(sessionId, row.recordId) : row.text.text,
          }}
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
