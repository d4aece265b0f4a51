import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { DataTable } from "./data-table";
import { KeyValues } from "./key-values";
import { tableIn } from "./tool-json";

export type DataLook = "table" | "tree" | "raw";

/** How a value can be looked at, the best way first. */
export function looksOf(value: unknown): DataLook[] {
  return tableIn(value) ? ["table", "tree", "raw"] : ["tree", "raw"];
}

/** A value with structure, in one of the ways to look at it. */
export function DataView({ value, look }: { value: unknown; look: DataLook }) {
  const table = look === "table" ? tableIn(value) : null;
  if (table) return <DataTable table={table} />;
  if (look === "raw") return <OutputText text={JSON.stringify(value, null, 2)} />;
  return (
    <div className="px-3 py-1.5">
      {Array.isArray(value) ? <JsonTree value={value} openLevels={2} /> : <KeyValues value={value} />}
    </div>
  );
}
