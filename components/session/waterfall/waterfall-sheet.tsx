import { VisibleText } from "@/components/content/text/visible-text";
import { Moment } from "@/components/ui/time";
import { formatClockSeconds, formatDuration } from "@/lib/format/format";
import { Sheet, SheetHead } from "../print/print-sheet";
import { notesOf, type RowTexts, tookOf, turnTitle, wordsOf } from "./row-words";
import { totalsOf, type WaterfallModel, waterfallRows } from "./waterfall-model";

/** Rows of a printed table: more than these nobody reads on paper. */
const MAX_PRINTED = 400;

/** The waterfall on paper: its steps as a table, without those of the model. */
export function WaterfallSheet({ model, texts }: { model: WaterfallModel; texts: RowTexts }) {
  const rows = waterfallRows(model, { model: false, waiting: true });
  const { wholeMs, criticalMs } = totalsOf(model, null);
  return (
    <Sheet>
      <SheetHead />
      <p>
        {formatDuration(wholeMs)} of work, {formatDuration(criticalMs)} of it on the critical path
      </p>
      <table className="w-full text-left [&_:is(td,th)]:pr-3 [&_:is(td,th)]:align-top">
        <thead>
          <tr>
            <th>Step</th>
            <th>From</th>
            <th>Took</th>
            <th className="w-1/4">Remarks</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_PRINTED).map((row) => {
            const words = row.kind === "turn" ? null : wordsOf(row, texts);
            return (
              <tr
                key={row.key}
                data-heads={row.kind === "turn" || undefined}
                className={row.kind === "turn" ? "font-semibold" : undefined}
              >
                <td>
                  <VisibleText
                    text={
                      words
                        ? `${words.title} ${words.subject}`.trim()
                        : turnTitle(row.kind === "turn" ? row.turn : 0)
                    }
                  />
                </td>
                <td className="whitespace-nowrap tabular-nums">
                  {row.kind !== "turn" && <Moment atMs={row.span.startMs} clock={formatClockSeconds} />}
                </td>
                <td className="whitespace-nowrap tabular-nums">{tookOf(row, null)}</td>
                <td>{notesOf(row).join(", ")}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > MAX_PRINTED && <p>{rows.length - MAX_PRINTED} more steps are left out.</p>}
    </Sheet>
  );
}
