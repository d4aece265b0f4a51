import { MessageSquare, MessageSquarePlus } from "lucide-react";
import { useContext } from "react";
import { IconButton } from "@/components/ui/button";
import { formatPlural } from "@/lib/format/format";
import { marksOfRow } from "@/lib/wire/comment-threads";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import { RowAnnotationsContext } from "./row-annotations";

/**
 * In the bar of a change: shows the comments on the call that made it, or a field for a first one. Nothing where there are
 * no comments.
 */
export function CommentsOn({ recordId, block }: { recordId: RecordId; block: number }) {
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  const row = { key: formatRowKey(recordId, block), recordId, block };
  const threads = marksOfRow(annotations.places, row).flatMap((place) => place.threads);
  if (threads.length === 0 && !annotations.mayAdd) return null;
  const open = threads.filter(({ begins }) => begins.resolvedAtMs === null).length;
  return (
    <IconButton
      icon={threads.length > 0 ? MessageSquare : MessageSquarePlus}
      small
      className={open > 0 ? "h-5 text-accent! [&_svg]:fill-current" : "h-5"}
      label={
        threads.length > 0
          ? `${formatPlural(threads.length, "comment")} on this change`
          : "Comment on this change"
      }
      onClick={() => annotations.comment(row)}
    />
  );
}
