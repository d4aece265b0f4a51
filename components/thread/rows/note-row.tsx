import type { ReactNode } from "react";
import { formatBytes } from "@/lib/text/format-bytes";
import type { ContextRow, EventRow } from "@/lib/wire/rows";
import { AnsiText } from "../ansi/ansi-text";
import { OpenedBlock } from "../opened-block";
import type { NodeShape } from "../rail/rail-node";
import { MoreText } from "../text/more-text";
import { VisibleText } from "../text/visible-text";
import { useThreadActions } from "../thread-context";
import { firstLine } from "./first-line";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** Something the client did or said. */
export function EventRowView(props: RowProps<"event">) {
  const { row } = props;
  return (
    <NoteRow
      {...props}
      node={eventNode(row)}
      result={null}
      tone={row.level === "error" ? "err" : row.level === "warning" ? "warn" : "plain"}
    />
  );
}

/** Text that went to the model and that no person wrote. */
export function ContextRowView(props: RowProps<"context">) {
  return <NoteRow {...props} node={{ shape: "none" }} result={formatBytes(props.row.text.length)} tone="quiet" />;
}

function eventNode({ level, event }: EventRow): NodeShape {
  if (level === "error") return { shape: "error" };
  if (/hook/.test(event)) return { shape: "hook" };
  if (/queue/.test(event)) return { shape: "queued" };
  if (/command/.test(event)) return { shape: "command" };
  return { shape: level === "warning" ? "interrupted" : "text" };
}

function NoteRow({
  row,
  open,
  selected,
  node,
  result,
  tone,
}: {
  row: EventRow | ContextRow;
  open: boolean;
  selected: boolean;
  node: NodeShape;
  result: ReactNode;
  tone: "plain" | "quiet" | "err" | "warn";
}) {
  const { toggleOpen } = useThreadActions();
  const line = firstLine(row.text.text);
  const more = row.text.cut || row.text.text.trim().length > 120 || /\n/.test(row.text.text.trim());
  return (
    <RowFrame node={node} selected={selected} hover={more}>
      <RowLine
        row={row}
        open={more ? open : null}
        onToggle={() => toggleOpen(row.key)}
        name={row.label}
        quietName
        prose
        subject={
          <span className={SUBJECT[tone]}>
            <VisibleText text={line} />
          </span>
        }
        result={result}
        tone={tone}
      />
      {open && more && (
        <OpenedBlock row={row} facts={row.label} copy={{ label: "Copy text", text: row.text.text }} wrappable>
          <MoreText row={row} text={row.text}>
            {(text) => (
              <pre
                tabIndex={0}
                className="max-h-[60vh] overflow-auto px-3 py-1.5 font-mono text-code group-data-[wrap=true]/opened:whitespace-pre-wrap"
              >
                <AnsiText text={text} />
              </pre>
            )}
          </MoreText>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}

const SUBJECT = { plain: "text-fg-2", quiet: "text-fg-2", err: "text-err", warn: "text-warn" };
