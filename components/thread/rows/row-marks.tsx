import { Tag } from "@/components/ui/tag";
import type { Row } from "@/lib/wire/rows";

const MARKS: Record<NonNullable<Row["marks"]>[number], { word: string; means: string }> = {
  deleted: { word: "deleted", means: "Deleted by the user; its line is still in the log" },
  aborted: { word: "cut off", means: "Stopped while it was being written; this is all that the log has" },
};

/** What the log says of a whole line, in words: nothing where it says nothing. The row itself is dimmed. */
export function RowMarks({ marks }: Pick<Row, "marks">) {
  return marks?.map((mark) => (
    <span key={mark} title={MARKS[mark].means} className="flex-none leading-none">
      <Tag>{MARKS[mark].word}</Tag>
    </span>
  ));
}
