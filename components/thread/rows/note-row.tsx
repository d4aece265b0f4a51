import { clsx } from "clsx";
import type { ReactNode } from "react";
import { BlobView } from "@/components/content/blob/blob-view";
import { OutputText } from "@/components/content/code/output-text";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText, toCopy } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedBlock } from "@/components/thread/opened-block";
import type { NodeShape } from "@/components/thread/rail/rail-node";
import { formatLength } from "@/lib/format/format";
import type { BlobRef, ContextRow, EventRow } from "@/lib/wire/rows";
import { OpenBeside } from "./agent-rows";
import { firstLine, InheritedLink, RowFrame, RowLine, type RowProps } from "./row-line";

/** An event that the client recorded. */
export function EventRowView(props: RowProps<"event">) {
  const { row } = props;
  const { name, about, mono } = formatEvent(row);
  return (
    <NoteRow
      {...props}
      node={eventNode(row)}
      name={
        mono ? (
          <span data-log="" className="font-mono text-code font-semibold text-fg">
            {name}
          </span>
        ) : (
          name
        )
      }
      about={about && <span className={mono ? "font-mono text-code text-fg" : "text-fg"}>{about}</span>}
      result={
        <>
          {row.status && (
            <span data-log="" className={clsx("max-w-40 truncate", row.level === "warning" && "text-warn")}>
              <VisibleText text={row.status} />
            </span>
          )}
          {row.agentId !== undefined && <OpenBeside agentId={row.agentId} name="the agent" />}
        </>
      }
      tone={row.level === "error" ? "err" : row.level === "warning" ? "warn" : "plain"}
    />
  );
}

/** Text that was sent to the model but not written by a person. */
export function ContextRowView(props: RowProps<"context">) {
  const { row } = props;
  return (
    <NoteRow
      {...props}
      node={{ shape: "none" }}
      name="Context"
      about={<span className="text-fg-2">{row.label}</span>}
      result={row.text.length > 0 || row.blobs.length === 0 ? formatLength(row.text.length) : undefined}
      tone="quiet"
      blobs={row.blobs}
    />
  );
}

function eventNode({ level, event }: EventRow): NodeShape {
  if (level === "error") return { shape: "error" };
  if (event.startsWith("hook")) return { shape: "hook" };
  if (event === "interrupted") return { shape: "interrupted" };
  if (event === "command" || event === "bash") return { shape: "command" };
  if (event === "queued") return { shape: "queued" };
  return { shape: event === "notification" ? "text" : "none" };
}

function NoteRow({
  row,
  open,
  selected,
  node,
  name,
  about,
  result,
  tone,
  blobs = [],
}: {
  row: EventRow | ContextRow;
  open: boolean;
  selected: boolean;
  node: NodeShape;
  name: ReactNode;
  /** What the row is about, shown before the start of its text. */
  about?: ReactNode;
  result?: ReactNode;
  tone: keyof typeof SUBJECT;
  blobs?: readonly BlobRef[];
}) {
  const { toggleOpen, sessionId } = useThreadActions();
  const text = row.text.text.trim();
  // What a person typed behind a command, or a summary that says all: the line has no room for a long one.
  const shown = text === "" ? { text: row.label, cut: false, length: row.label.length } : row.text;
  const more = shown.cut || shown.text.trim().length > 100 || shown.text.trim().includes("\n");
  return (
    <RowFrame node={node} selected={selected}>
      <RowLine
        row={row}
        open={more ? open : null}
        onToggle={() => toggleOpen(row.key)}
        name={name}
        nameTone="quiet"
        prose
        subject={
          <>
            {about}
            {about && text && " "}
            <span className={about && tone === "plain" ? "text-fg-3" : SUBJECT[tone]}>
              <VisibleText text={firstLine(text)} />
            </span>
          </>
        }
        result={
          row.carried ? (
            <>
              <InheritedLink carried={row.carried} />
              {result}
            </>
          ) : (
            result
          )
        }
        tone={tone === "quiet" ? "quiet" : "plain"}
        barTone="thin"
      />
      {blobs.length > 0 && (
        <div className="flex flex-wrap gap-2 pb-2 pl-6 max-sm:pl-0">
          {blobs.map((blob) => (
            <BlobView key={blob.n} sessionId={sessionId} blob={blob} />
          ))}
        </div>
      )}
      {open && more && (
        <OpenedBlock
          row={row}
          facts={shown === row.text ? row.label : null}
          copy={{ label: "Copy text", text: toCopy(sessionId, row, shown) }}
          wrappable
        >
          <MoreText row={row} text={shown}>
            {(whole) => <OutputText text={whole} />}
          </MoreText>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}

const SUBJECT = { plain: "text-fg-2", quiet: "text-fg-3", err: "text-err", warn: "text-warn" };

/** An event as shown in a row: a short name for the name column, and a description. */
export type EventText = { name: string; about: string; mono: boolean };

/** The name and description of an event. An unknown event is named by its label. */
export function formatEvent({ event, label }: Pick<EventRow, "event" | "label">): EventText {
  const plain = (name: string, about: string): EventText => ({ name, about, mono: false });
  if (event === "command") {
    const [name = "", ...rest] = label.split(" ");
    return { name, about: rest.join(" "), mono: true };
  }
  if (event === "bash") return { name: "Shell", about: label.replace(/^!\s*/, ""), mono: true };
  if (event === "note") return plain("Note", label.replace(/^#\s*/, ""));
  if (event === "api-error") return plain("API error", label.replace(/^API error,?\s*/, ""));
  if (event === "notification") return plain("notification", label === "Notification" ? "" : label);
  if (event === "informational") return plain("Notice", "");
  if (event === "microcompaction") return plain("Cleared", label);
  if (event === "file") return plain("File", label);
  if (event === "plan_mode_exit") return plain("Plan mode", "left");
  if (event.startsWith("plan_mode")) return plain("Plan mode", "on");
  if (event.startsWith("hook")) return plain("Hook", label.replace(/^Hook\s+/, ""));
  if (event === "interrupted")
    return plain("Interrupted", label.replace(/^Interrupted\s*/, "") || "by the user");
  return label.length <= 14 ? plain(label, "") : plain(event.split(/[-_]/)[0] ?? "Event", label);
}
