import { useContext } from "react";
import { RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { useSessionPage } from "@/components/session/session-store";
import { toast } from "@/components/ui/toast";
import type { BlameRange } from "@/lib/wire/files";
import { formatRowKey } from "@/lib/wire/ids";

/** Whether a line is the work of a call of the session, on which a comment can stand. */
export function isOfCall({ tool, how }: Pick<BlameRange, "tool" | "how">): boolean {
  return tool !== null && how === "wrote";
}

/**
 * Comments on the edit that wrote a line, beside its row in the thread: a version of a file is made of many edits, and no
 * comment could stand on it. Says why where no call wrote the line. `null` for who may not comment.
 * @param path of the file, which names the edit while its row is still to come
 */
export function useCommentOnEdit(path: string): ((range: BlameRange | undefined) => void) | null {
  const { store } = useSessionPage();
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  return (range) => {
    if (!range) return toast("Select a line first (j and k move)");
    if (!isOfCall(range)) return toast("No call wrote this line: comments stand on calls");
    const { recordId, block } = range;
    store.views.leaveForStep(range);
    annotations.comment({ key: formatRowKey(recordId, block), recordId, block }, `${range.tool} ${path}`);
  };
}
