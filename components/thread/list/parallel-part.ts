import type { Row } from "@/lib/wire/rows";

/** Where a call stands among those that its message asked for together; `null` for one that stands alone. */
export type ParallelPart = "first" | "middle" | "last" | null;

/** By the rows above and below: calls of one message stand together, whatever order their results came in. */
export function parallelPart(
  above: Row | undefined,
  row: Row | undefined,
  below: Row | undefined,
): ParallelPart {
  const message = messageOf(row);
  if (message === null) return null;
  const joinsAbove = messageOf(above) === message;
  const joinsBelow = messageOf(below) === message;
  if (joinsAbove) return joinsBelow ? "middle" : "last";
  return joinsBelow ? "first" : null;
}

function messageOf(row: Row | undefined): string | null {
  return row?.kind === "tool" ? (row.messageId ?? null) : null;
}
