import type { SessionRecord } from "@/lib/log/records/session-record";
import type { Row } from "@/lib/wire/rows";

/** The flags of a whole line that a reader must know of, where a client before 1.0 wrote any: nothing to spread without. */
export function marksOf(record: SessionRecord | null): Pick<Row, "marks"> {
  if (!record || record.kind === "unreadable") return {};
  const { isDeleted, isAborted } = record.json;
  if (isDeleted !== true && isAborted !== true) return {};
  return {
    marks: [
      ...(isDeleted === true ? ["deleted" as const] : []),
      ...(isAborted === true ? ["aborted" as const] : []),
    ],
  };
}
