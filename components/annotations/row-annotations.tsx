import { clsx } from "clsx";
import { Bookmark, MessageSquare, MessageSquarePlus } from "lucide-react";
import { createContext, useContext } from "react";
import { IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { formatPlural } from "@/lib/format/format";
import type { Annotation } from "@/lib/wire/annotations";
import { formatRowKey, type RecordId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";

/** A thread of comments: the first one, and its answers, the oldest first. */
export type CommentThread = { begins: Annotation; answers: readonly Annotation[] };

/** What a place in a session has: the bookmarks and the comments on a block. Two windows may have put a bookmark each. */
export type PlaceMarks = { bookmarks: readonly Annotation[]; threads: readonly CommentThread[] };

/** A session's annotations for its rows. Absent if there are none: for most guests, in a file. */
export type RowAnnotations = {
  /** By the key of the row that shows the block. */
  places: ReadonlyMap<string, PlaceMarks>;
  /** Shows a row's comments beside the thread, or a field for a first one. `about`: what a row is that is not drawn yet. */
  comment: (row: AnnotatedRow, about?: string) => void;
  /** `null` for a guest, who has none. */
  toggleBookmark: ((row: AnnotatedRow) => void) | null;
};

/** The parts of a row that give its position in the log. */
export type AnnotatedRow = Pick<Row, "key" | "recordId" | "block" | "shows">;

export const RowAnnotationsContext = createContext<RowAnnotations | null>(null);

/** The key of the row that an annotation refers to. */
function placeKeyOf({ target }: Annotation): string | null {
  return target.recordId === null ? null : formatRowKey(target.recordId, target.block ?? 0);
}

/** The keys of all blocks that a row shows. */
export function blockKeysOf(
  places: RowAnnotations["places"],
  row: Pick<AnnotatedRow, "key" | "shows">,
): PlaceMarks[] {
  return [row.key, ...(row.shows ?? [])].flatMap((key) => places.get(key) ?? []);
}

/** A session's comments and bookmarks by block, in the order in which they were made. */
export function groupByPlace(annotations: readonly Annotation[]): Map<string, PlaceMarks> {
  const places = new Map<string, { bookmarks: Annotation[]; threads: CommentThread[] }>();
  const placeAt = (one: Annotation) => {
    const key = placeKeyOf(one);
    if (key === null || one.state === "detached") return null;
    const place = places.get(key) ?? { bookmarks: [], threads: [] };
    places.set(key, place);
    return place;
  };
  for (const thread of threadsOf(annotations)) placeAt(thread.begins)?.threads.push(thread);
  for (const one of annotations) if (one.kind === "bookmark") placeAt(one)?.bookmarks.push(one);
  return places;
}

/** Comments as threads, each with its answers. An answer to a missing comment is a thread of its own. */
export function threadsOf(annotations: readonly Annotation[]): CommentThread[] {
  const comments = annotations.filter(({ kind }) => kind === "comment");
  const answers = new Map(comments.map(({ id }): [string, Annotation[]] => [id, []]));
  const begun = comments.filter((one) => {
    const others = one.replyTo === null ? undefined : answers.get(one.replyTo);
    others?.push(one);
    return others === undefined;
  });
  return begun.map((begins) => ({ begins, answers: answers.get(begins.id) ?? [] }));
}

/**
 * At a row's left edge: its bookmark and its comments; on the selected row a button for a first one. Nothing at all on
 * other rows: there are many of them.
 */
export function RowAnnotationMarks({ row, selected }: { row: Row; selected: boolean }) {
  const annotations = useContext(RowAnnotationsContext);
  if (!annotations) return null;
  const here = blockKeysOf(annotations.places, row);
  const threads = here.flatMap((place) => place.threads);
  const open = threads.filter(({ begins }) => begins.resolvedAtMs === null).length;
  const isMarked = here.some(({ bookmarks }) => bookmarks.length > 0);
  if (threads.length === 0 && !isMarked && !selected) return null;
  const button = "flex h-full w-4 items-center justify-center rounded-1 hover:text-fg";
  return (
    <span
      data-log="none"
      data-screen-only
      className={clsx(
        "absolute top-0 left-[3px] z-2 flex h-row items-center max-sm:left-0",
        // There its number takes the space, or a compaction's bars.
        (row.kind === "turn" || row.kind === "compaction") && "max-sm:top-5",
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
  const isMarked = blockKeysOf(annotations.places, row).some(({ bookmarks }) => bookmarks.length > 0);
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
