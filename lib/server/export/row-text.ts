import type { CutText, Row } from "@/lib/wire/rows";

/** The text of the log that a row shows; null for a row without one, such as a call's. */
export function textOfRow(row: Row): CutText | null {
  switch (row.kind) {
    case "turn":
      return row.prompt;
    case "compaction":
      return row.summary;
    case "text":
    case "thinking":
    case "agent-return":
    case "event":
    case "context":
    case "unknown":
    case "unreadable":
      return row.text;
    case "tool":
    case "run":
    case "blob":
    case "fork":
    case "bookkeeping":
      return null;
  }
}

/** A row of which `textOfRow` has a text, with another one in its place. */
export function withText(row: Row, text: CutText): Row {
  switch (row.kind) {
    case "turn":
      return { ...row, prompt: text };
    case "compaction":
      return { ...row, summary: text };
    default:
      return { ...(row as Extract<Row, { text: CutText }>), text };
  }
}
