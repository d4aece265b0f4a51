import { ShowMore } from "@/components/content/code/show-more";
import { useSteps } from "@/components/content/code/use-steps";
import { VisibleText } from "@/components/content/text/visible-text";
import { cx } from "@/lib/client/class-names";
import type { DataTable as Table } from "./tool-json";

const CELL_CHARACTERS = 300;

/** A list of like objects: a column a field, numbers at the right. */
export function DataTable({ table: { columns, rows } }: { table: Table }) {
  const steps = useSteps(rows.length, 100);
  const numeric = new Set(
    columns.filter((column) => rows.every((row) => row[column] == null || typeof row[column] === "number")),
  );
  return (
    <>
      <div tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-12/[22px] tabular-nums">
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={cx(
                    "border-b border-line-2 px-3 text-11/[22px] font-normal text-fg-3",
                    numeric.has(column) ? "text-right" : "text-left",
                  )}
                >
                  <VisibleText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, steps.shown).map((row, index) => (
              <tr key={index} className="border-t border-line first:border-t-0">
                {columns.map((column) => (
                  <td
                    key={column}
                    className={cx(
                      "max-w-80 truncate px-3 whitespace-nowrap",
                      numeric.has(column) && "text-right",
                    )}
                  >
                    <Cell value={row[column]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore steps={steps} unit="rows" />
    </>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null;
  if (value === null) return <span className="text-fg-3">null</span>;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return <VisibleText text={text.slice(0, CELL_CHARACTERS)} />;
}
