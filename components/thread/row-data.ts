import type { Row } from "@/lib/wire/rows";
import type { SearchField } from "@/lib/wire/search";

/** The fields of its lines that a kind of row shows; `*` any, empty none. */
const FIELDS: Readonly<Record<Row["kind"], string>> = {
  turn: fields("prompt", "output", "returned", "attachment"),
  text: fields("text"),
  thinking: fields("thinking"),
  tool: fields("input", "output"),
  // Its calls have rows of their own.
  run: "",
  fork: "",
  "agent-return": "*",
  blob: "*",
  compaction: "*",
  event: "*",
  context: "*",
  bookkeeping: "*",
  unknown: "*",
  unreadable: "*",
};

function fields(...names: SearchField[]): string {
  return names.join(" ");
}

/** Attributes of a row's element: which line it is, and which texts stand in it, for whoever marks what was found. */
export function rowData(row: Row | undefined) {
  return {
    "data-record-id": row?.recordId,
    "data-block": row?.block,
    "data-shows": row?.shows?.join(" "),
    "data-fields": row && FIELDS[row.kind],
  };
}
