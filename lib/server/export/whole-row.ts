import { parseRowKey } from "@/lib/wire/ids";
import type { CutText, Row } from "@/lib/wire/rows";
import type { LogReader } from "./html/log-reader";
import { textOfRow, withText } from "./row-text";

/** A row with its texts in full, where it only has their beginnings; a text that cannot be read any more is marked. */
export async function wholeRow(row: Row, reader: LogReader): Promise<Row> {
  const text = textOfRow(row);
  // Of a line that cannot be read there is no more than the row has.
  if (text === null || row.kind === "unreadable") return row;
  return withText(row, await wholeText(row, text, reader));
}

async function wholeText({ recordId, shows = [] }: Row, text: CutText, reader: LogReader): Promise<CutText> {
  // A compaction's summary is on a line of its own.
  const records = [recordId, ...shows.map((key) => parseRowKey(key).recordId)];
  const whole = await reader.wholeIn(records, text);
  if (whole === null) return text.cut ? { ...text, text: `${text.text}${REST}` } : text;
  const isWhole = whole.length >= text.length;
  return { ...text, cut: !isWhole, text: isWhole ? whole : `${whole}${REST}` };
}

/** Shown where a text ends before its end. */
const REST = "\n\n[… The rest of this text could not be read.]";
