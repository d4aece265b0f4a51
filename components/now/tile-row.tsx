import { shortToolName } from "@/components/thread/tools/tool-names";
import { LaneShape } from "@/components/ui/lane-shape";
import { RunningRing } from "@/components/ui/running-ring";
import { cx } from "@/lib/client/class-names";
import { formatDuration, formatElapsed } from "@/lib/text/format-duration";
import type { Row, ToolRow } from "@/lib/wire/rows";
import { Elapsed } from "../live/elapsed";

const LINE = "grid h-6 items-center gap-2 pr-3 text-13 whitespace-nowrap";
const COLUMNS = "grid-cols-[24px_72px_minmax(0,1fr)_auto_64px]";

/** A row of a thread in one line of a tile. */
export function TileRow({ row, waits }: { row: Row; waits: boolean }) {
  if (row.kind === "tool") return <ToolLine row={row} waits={waits} />;
  if (row.kind === "thinking") {
    return (
      <div className={cx(LINE, COLUMNS, "text-fg-3")}>
        <Node className="border-spine border" />
        <span>Thinking</span>
        <span className="truncate">{oneLine(row.text.text)}</span>
        <span />
        <Duration ms={row.durationMs} />
      </div>
    );
  }
  const error = row.kind === "event" && row.level === "error";
  return (
    <div className={cx(LINE, "grid-cols-[24px_minmax(0,1fr)]", error && "text-err")}>
      <Node className="bg-spine" small />
      <span className="truncate">{textOf(row)}</span>
    </div>
  );
}

function ToolLine({ row, waits }: { row: ToolRow; waits: boolean }) {
  const runs = row.state === "running";
  const failed = row.state === "error" || row.state === "timed-out";
  const asks = runs && waits && row.result !== null;
  return (
    <div className={cx(LINE, COLUMNS)}>
      {row.agent ? (
        <span className="flex justify-center">
          <LaneShape lane={row.agent.lane} />
        </span>
      ) : (
        <Node
          className={
            runs ? (asks ? "border-2 border-warn" : "border-2 border-run") : failed ? "bg-err" : "bg-spine"
          }
        />
      )}
      <span className="truncate font-semibold">{row.server ?? shortToolName(row.name)}</span>
      <span className={cx("truncate", !row.agent && "font-mono text-12")}>
        {row.subject} {row.aside && <span className="text-fg-3">{row.aside}</span>}
      </span>
      <span
        className={cx(
          "flex max-w-44 items-center gap-1.5 truncate text-12",
          failed ? "text-err" : asks ? "text-warn" : "text-fg-2",
        )}
      >
        {runs && !asks ? (
          <span className="flex-none text-run">
            <RunningRing label="running" />
          </span>
        ) : (
          row.result
        )}
        {row.added ? <span className="text-add">+{row.added}</span> : null}
        {row.removed ? <span className="text-del">−{row.removed}</span> : null}
      </span>
      {runs ? (
        <span className={cx("text-right text-12 tabular-nums", asks ? "text-warn" : "text-run")}>
          <Elapsed sinceMs={row.atMs} format={formatElapsed} />
        </span>
      ) : (
        <Duration ms={row.durationMs} />
      )}
    </div>
  );
}

function Node({ className, small }: { className: string; small?: boolean }) {
  return (
    <span aria-hidden="true" className="flex justify-center">
      <span className={cx("rounded-full", small ? "size-[5px]" : "size-[7px]", className)} />
    </span>
  );
}

function Duration({ ms }: { ms: number | null }) {
  return (
    <span className="text-right text-12 text-fg-2 tabular-nums">{ms === null ? "" : formatDuration(ms)}</span>
  );
}

function textOf(row: Exclude<Row, ToolRow>): string {
  if ("text" in row) return oneLine(typeof row.text === "string" ? row.text : row.text.text);
  if (row.kind === "compaction") return "Compacted";
  return row.kind === "blob" ? "An image" : "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 300);
}
