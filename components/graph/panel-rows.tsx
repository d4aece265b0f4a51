import { useQuery } from "@tanstack/react-query";
import { useThreadActions } from "@/components/content/row-actions";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { VisibleText } from "@/components/content/text/visible-text";
import { firstLine, firstProseLine } from "@/components/thread/rows/first-line";
import { shortToolName } from "@/components/thread/tools/tool-names";
import { api } from "@/lib/client/api";
import { cx } from "@/lib/client/class-names";
import type { Row } from "@/lib/wire/rows";
import type { GraphItem } from "./graph-item";
import type { GraphLine } from "./graph-model";
import { RowSign } from "./row-sign";

const SHOWN_ROWS = 14;

/** The first rows of an item, in order. */
export function useFirstRows(item: GraphItem, line: GraphLine | null): readonly Row[] {
  const { sessionId } = useThreadActions();
  const agent = line?.agent ?? null;
  const branch = agent || !line || line.parent === -1 ? null : line.branch;
  const { data } = useQuery({
    queryKey: ["graph-rows", sessionId, item.key, item.rows, agent, branch],
    queryFn: ({ signal }) =>
      api.rows(sessionId, { around: item.id, agent, branch, count: 2 * SHOWN_ROWS }, { signal }),
    gcTime: 30_000,
  });
  const first = Math.max(0, (data?.at ?? 0) - (data?.from ?? 0));
  const most = item.kind === "group" ? SHOWN_ROWS : Math.min(SHOWN_ROWS, item.rows + item.turns);
  return data?.rows.slice(first, first + Math.max(1, most)) ?? [];
}

/** Rows in a line each, with what came of them. */
export function PanelRows({ rows, more }: { rows: readonly Row[]; more: number }) {
  return (
    <section aria-label="Rows" className="flex-1 py-1.5">
      <h3 className="px-3 py-1 text-fg-2">Rows</h3>
      {rows.map((row) => (
        <p key={row.key} className="flex h-[22px] items-center gap-2 px-3 whitespace-nowrap">
          <RowSign row={row} />
          <span className="max-w-[76px] min-w-[56px] flex-none truncate font-semibold">{nameOf(row)}</span>
          <span
            className={cx("min-w-0 flex-1 truncate text-fg-2", row.kind === "tool" && "font-mono text-11")}
          >
            <VisibleText text={wordsOf(row)} />
          </span>
          <Outcome row={row} />
        </p>
      ))}
      {more > 0 && <p className="px-3 py-1 text-fg-3 tabular-nums">{more.toLocaleString("en-US")} more</p>}
    </section>
  );
}

function Outcome({ row }: { row: Row }) {
  if (row.kind !== "tool") return null;
  const tone = { error: "text-err", "timed-out": "text-err", denied: "text-warn", running: "text-run" }[
    row.state as string
  ];
  return (
    <span className={cx("flex max-w-[96px] flex-none gap-1 truncate tabular-nums", tone ?? "text-fg-3")}>
      {tone && <VisibleText text={row.result ?? row.state} />}
      <ChangedLines added={row.added} removed={row.removed} />
    </span>
  );
}

const NAMES: Partial<Record<Row["kind"], string>> = {
  text: "Answer",
  thinking: "Thinking",
  compaction: "Compacted",
  fork: "Fork",
  "agent-return": "Returned",
  event: "Note",
  context: "Note",
};

function nameOf(row: Row): string {
  if (row.kind === "tool") return shortToolName(row.name);
  if (row.kind === "turn") return `Turn ${row.turn}`;
  return NAMES[row.kind] ?? "";
}

function wordsOf(row: Row): string {
  switch (row.kind) {
    case "turn":
      return firstLine(row.prompt.text, 120);
    case "tool":
      return row.subject;
    case "text":
    case "thinking":
    case "agent-return":
      return firstProseLine(row.text.text, 120);
    case "event":
    case "context":
      return [row.label, firstLine(row.text.text, 120)].filter(Boolean).join(": ");
    default:
      return "";
  }
}
