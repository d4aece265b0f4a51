import { clsx } from "clsx";
import { Bookmark, MessageSquare, MessageSquarePlus } from "lucide-react";
import { createContext, useContext } from "react";
import { IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { formatPlural } from "@/lib/format/format";
import { marksOfRow, type PlaceMarks } from "@/lib/wire/comment-threads";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** A session's annotations for its rows. Absent if there are none: for most guests, in a file. */
export type RowAnnotations = {
  /** By the key of the row that shows the block. */
  places: ReadonlyMap<string, PlaceMarks>;
  /** Whether this Backscroll's owner reads them, not a guest or who was given a file. */
  isOwners: boolean;
  /** Whether there can be more of them: an exported file has those that it was made with. */
  mayAdd: boolean;
  /** Shows a row's comments beside the thread, or a field for a first one. `about`: what a row is that is not drawn yet. */
  comment: (row: AnnotatedRow, about?: string) => void;
  /** `null` for a guest, who has none. */
  toggleBookmark: ((row: AnnotatedRow) => void) | null;
};

/** The parts of a row that give its position in the log. */
export type AnnotatedRow = Pick<Row, "key" | "recordId" | "block" | "shows">;

export const RowAnnotationsContext = createContext<RowAnnotations | null>(null);

/**
 * At a row's left edge: its bookmark and its comments; on the selected row a button for a first one. Nothing at all on
 * other rows: there are many of them.
 */
export function RowAnnotationMarks({ row, selected }: { row: Row; selected: boolean }) {
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  const here = marksOfRow(annotations.places, row);
  const threads = here.flatMap((place) => place.threads);
  const open = threads.filter(({ begins }) => begins.resolvedAtMs === null).length;
  const isMarked = here.some(({ bookmarks }) => bookmarks.length > 0);
  if (threads.length === 0 && !isMarked && !(selected && annotations.mayAdd)) return null;
  // There its number takes the space, or a compaction's bars.
  const isHead = row.kind === "turn" || row.kind === "compaction";
  // A finger has 24 px up to the spine, which is nothing to press; beside a turn's number the first of that, too, which
  // has as much room on its other side.
  const button = clsx(
    "relative flex h-full w-4 items-center justify-center rounded-1 hover:text-fg",
    "pointer-coarse:before:absolute pointer-coarse:before:inset-y-0 pointer-coarse:before:-left-0.5",
    isHead ? "max-sm:pointer-coarse:before:-right-2" : "pointer-coarse:before:-right-2",
    isHead && "sm:pointer-coarse:before:-right-1.5",
  );
  return (
    <span
      data-log="none"
      data-screen-only
      className={clsx(
        "absolute top-0 left-[3px] z-2 flex h-row items-center max-sm:left-0",
        isHead && "max-sm:top-[33px] max-sm:h-6",
      )}
    >
      {threads.length > 0 ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${formatPlural(threads.length, "comment")} on this row`}
          title={open > 0 ? formatPlural(open, "open comment") : "Resolved"}
          className={clsx(button, open > 0 ? "text-accent" : "text-fg-3")}
          onClick={() => annotations.comment(row)}
        >
          <Icon of={MessageSquare} small className={open > 0 ? "fill-current" : undefined} />
        </button>
      ) : (
        !isMarked && (
          <button
            type="button"
            tabIndex={-1}
            aria-label="Comment on this row"
            title="Comment (a)"
            className={clsx(button, "text-fg-3")}
            onClick={() => annotations.comment(row)}
          >
            <Icon of={MessageSquarePlus} small />
          </button>
        )
      )}
      {isMarked && (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Remove the bookmark"
          title="Bookmark (m)"
          className={clsx(button, "w-3! text-edit", threads.length > 0 && "max-sm:hidden")}
          onClick={() => annotations.toggleBookmark?.(row)}
        >
          <Icon of={Bookmark} small className="fill-current" />
        </button>
      )}
    </span>
  );
}

/** The same for a record that is shown alone. */
export function RecordMarks({ recordId }: { recordId: RecordId }) {
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  const { toggleBookmark } = annotations;
  const row = { key: formatRowKey(recordId, 0), recordId, block: 0 };
  const isMarked = marksOfRow(annotations.places, row).some(({ bookmarks }) => bookmarks.length > 0);
  return (
    <>
      {toggleBookmark && (
        <IconButton
          icon={Bookmark}
          small
          label={isMarked ? "Remove the bookmark" : "Bookmark this record"}
          pressed={isMarked}
          className={clsx(isMarked && "text-edit! [&_svg]:fill-current")}
          onClick={() => toggleBookmark(row)}
        />
      )}
      <IconButton
        icon={MessageSquarePlus}
        small
        label="Comment on this record"
        onClick={() => annotations.comment(row)}
      />
    </>
  );
}
