import type { ProjectId, RecordId, SessionId } from "./ids";

/**
 * What a reader may put on a session, a project or a place in a session. Of a `star`, a `name`, whether it is `hidden`
 * and a `note` there is one a session or project, of a `tag` one of each text, of a `bookmark` one a block. Comments are
 * many: those that answer another make a thread with it. A `search` is a query that is kept, and on nothing at all.
 */
export const ANNOTATION_KINDS = [
  "star",
  "tag",
  "name",
  "hidden",
  "note",
  "bookmark",
  "comment",
  "search",
] as const;

export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

/** The most that an annotation of a kind says, in UTF-16 units; 0 for what says all by being there. */
export const MAX_BODY = {
  star: 0,
  hidden: 0,
  tag: 60,
  name: 200,
  bookmark: 200,
  note: 8_000,
  comment: 8_000,
  search: 1_000,
} as const satisfies Record<AnnotationKind, number>;

/** UTF-16 units of the block's raw text, `to` not included. */
export type TextRange = { from: number; to: number };

/**
 * Text that is pointed at, with what stands before and behind it. `shown`: how `exact` reads on the page, where that draws
 * it as Markdown and its marks are not seen.
 */
export type TextQuote = { exact: string; prefix: string; suffix: string; shown?: string };

/** Lines of a file, from 1, `to` included: as it was after the change that is pointed at, or `before` it. */
export type FileLines = { path: string; from: number; to: number; before: boolean };

/**
 * What an annotation is about: nothing, a project, a session, or in one a record, a block of it, or a range of that block's
 * text. Which record it is tells its `uuid`, where its line has one: its id is another once its log was rewritten.
 */
export type AnnotationTarget = {
  sessionId: SessionId | null;
  projectId: ProjectId | null;
  recordId: RecordId | null;
  uuid: string | null;
  block: number | null;
  range: TextRange | null;
  quote: TextQuote | null;
  /** Of a diff: where in its file stands what is pointed at. */
  lines: FileLines | null;
  /** Of the block's text as it was: SHA-256 in base64url. */
  hash: string | null;
};

/**
 * Whether what an annotation points at is where it was. `moved`: it stands elsewhere now, and `target` says where.
 * `detached`: it is not found; what it quotes is all that is left of it.
 */
export type AnchorState = "anchored" | "moved" | "detached";

export type Annotation = {
  /** Made by who adds it, so that asking again adds nothing. */
  id: string;
  kind: AnnotationKind;
  target: AnnotationTarget;
  body: string;
  /** Who wrote it; `null` for this Backscroll's owner. */
  author: string | null;
  /** The comment that begins the thread; `null` for that one itself. */
  replyTo: string | null;
  createdAtMs: number;
  /** When what it says was last changed, if ever. */
  editedAtMs: number | null;
  resolvedAtMs: number | null;
  /** When it was last copied into a prompt, if ever. */
  sentAtMs: number | null;
  /** Another one with every change of what it says. */
  revision: number;
  state: AnchorState;
  /** In what a guest is answered: their browser wrote it, and may change and remove it. */
  own?: true;
};

/** The header in which a guest's browser says by which secret of its own it changes what it wrote. */
export const WRITER_HEADER = "x-backscroll-writer";

/** `GET /api/annotations`. `sequence`: how many events there are of all annotations. */
export type AnnotationsResponse = { annotations: Annotation[]; sequence: number };

/** `PUT /api/annotations`. `refused`: which items, from 0, were not taken, and why. */
export type ImportedAnnotations = {
  added: number;
  known: number;
  refused: { index: number; reason: string }[];
};

/** What a session's annotations make of it in lists. */
export type SessionMarks = {
  starred: boolean;
  hidden: boolean;
  /** Its own name. */
  name: string | null;
  tags: string[];
  note: string | null;
  bookmarks: number;
  /** Threads of comments that are not resolved, and all of them. */
  openComments: number;
  comments: number;
};

/** What a project's annotations make of it. Where it is hidden, the library leaves its sessions out as hidden ones. */
export type ProjectMarks = { starred: boolean; hidden: boolean; note: string | null };
