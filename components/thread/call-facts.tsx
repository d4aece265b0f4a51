import type { ReactNode } from "react";
import { stripAnsi } from "@/components/content/ansi/ansi-tokens";
import { formatDuration } from "@/lib/format/format-duration";
import type { ToolRow } from "@/lib/wire/rows";

/** More than this is a sentence. */
const LONGEST = 16;

const VERDICTS: Partial<Record<ToolRow["state"], { word: string; className: string }>> = {
  error: { word: "error", className: "font-semibold text-err" },
  "timed-out": { word: "timed out", className: "font-semibold text-err" },
  denied: { word: "denied", className: "font-semibold text-warn" },
  interrupted: { word: "stopped", className: "text-fg-2" },
  running: { word: "running", className: "text-run" },
};

/** The left of an opened call's bar: the verdict first, then how long it took, then the tool's own facts. */
export function CallFacts({ row, children }: { row: ToolRow; children?: ReactNode }) {
  const verdict = VERDICTS[row.state];
  return (
    <>
      {verdict && (
        <span className={`${verdict.className} flex-none`}>
          {/* A long one is below, whole. */}
          {row.result === null || row.result.length > LONGEST ? verdict.word : stripAnsi(row.result)}
        </span>
      )}
      {row.durationMs !== null && <span>{formatDuration(row.durationMs)}</span>}
      {row.cleared && <span className="text-fg-3">result cleared from the context later</span>}
      {children}
    </>
  );
}
