import { parseRowKey } from "@/lib/wire/ids";
import type { CutText, Row } from "@/lib/wire/rows";
import type { LogReader } from "./html/log-reader";

/** A row with its texts in full, where it only has their beginnings; a text that cannot be read any more is marked. */
export async function wholeRow(row: Row, reader: LogReader): Promise<Row> {
  switch (row.kind) {
    case "turn":
      return { ...row, prompt: await wholeText(row, row.prompt, reader) };
    case "text":
    case "thinking":
    case "agent-return":
    case "event":
    case "context":
    case "unknown":
      return { ...row, text: await wholeText(row, row.text, reader) };
    case "compaction":
      return { ...row, summary: row.summary && (await wholeText(row, row.summary, reader)) };
    // Nothing else has a text of the log that is longer than a line.
    case "tool":
    case "run":
    case "blob":
    case "fork":
    case "bookkeeping":
    case "unreadable":
      return row;
  }
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
