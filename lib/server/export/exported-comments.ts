import type { Annotation } from "@/lib/wire/annotations";
import {
  byPlace,
  type CommentThread,
  groupByPlace,
  marksOfRow,
  type PlaceMarks,
  threadsOf,
} from "@/lib/wire/comment-threads";
import type { Row } from "@/lib/wire/rows";

/**
 * The comments that go into an export, as its rows are written: each thread belongs to the first row that shows what it is
 * about.
 */
export class ExportedComments {
  readonly #places: ReadonlyMap<string, PlaceMarks>;
  /** By the ids of their first comments. */
  readonly #left: Map<string, CommentThread>;

  /** @param comments on the session, as who reads the export may read them */
  constructor(comments: readonly Annotation[]) {
    this.#places = groupByPlace(comments);
    this.#left = new Map(threadsOf(comments).map((thread) => [thread.begins.id, thread]));
  }

  /** The threads about what a row shows, in the order of its text; they are given out once. */
  takeAt(row: Pick<Row, "key" | "shows">): CommentThread[] {
    if (this.#left.size === 0) return [];
    const here = marksOfRow(this.#places, row).flatMap(({ threads }) => threads);
    return here
      .filter(({ begins }) => this.#left.delete(begins.id))
      .toSorted((one, other) => byPlace(one.begins, other.begins));
  }

  /** The threads about what no row has shown so far: what is on other branches, or gone. In the order of the log. */
  get left(): CommentThread[] {
    return [...this.#left.values()].toSorted((one, other) => byPlace(one.begins, other.begins));
  }
}
