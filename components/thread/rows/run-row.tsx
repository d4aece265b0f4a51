import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { stripAnsi } from "@/lib/markup/ansi-tokens";
import { shortToolName } from "@/lib/tools/tools";
import type { RunRow } from "@/lib/wire/rows";
import { RowFrame, RowLine, type RowProps } from "./row-line";

/** A run of calls to one tool as a single row; opened, the calls' own rows follow it. */
export function RunRowView({ row, selected }: RowProps<"run">) {
  const { toggleRun } = useThreadActions();
  return (
    <RowFrame node={{ shape: "run" }} selected={selected}>
      <RowLine
        row={row}
        open={row.open}
        onToggle={() => toggleRun(row.run)}
        name={<VisibleText text={row.server ?? shortToolName(row.name)} />}
        prose
        subject={<RunSubject row={row} />}
        result={<ChangedLines added={row.added} removed={row.removed} />}
      />
    </RowFrame>
  );
}

function RunSubject({ row: { server, name, subject, aside, open } }: { row: RunRow }) {
  return (
    <>
      <VisibleText text={server ? `${name} ${subject}` : subject} />
      {!open && aside && (
        <span className="ml-2 font-mono text-code text-fg-3">
          <VisibleText text={stripAnsi(aside)} />
        </span>
      )}
    </>
  );
}
