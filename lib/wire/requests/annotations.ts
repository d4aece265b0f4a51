import { z } from "zod";
import { ANNOTATION_KINDS, type AnnotationKind, MAX_BODY } from "../annotations";
import { guestName, madeId, projectId, recordId, sessionId, textLike } from "./values";

/** `annotations`: those of a session, or all; `kinds`: of these kinds alone. */
export const AnnotationsRequest = z.object({
  session: sessionId.nullable().default(null),
  kinds: textLike(
    `((${ANNOTATION_KINDS.join("|")})(,|$)){0,${ANNOTATION_KINDS.length}}`,
    "kinds, like star,tag",
  )
    .transform((kinds) => kinds.split(",").filter(Boolean) as AnnotationKind[])
    .default([]),
  /** `w3c`: as a collection of W3C Web Annotations, to be kept elsewhere. */
  format: z.enum(["json", "w3c"]).default("json"),
});

/** `annotations/{id}` */
export const AnnotationPath = z.object({ id: madeId });

/** Lines of a file that a diff shows. */
export const FileLinesShape = z
  .object({
    path: z.string().min(1).max(1_000),
    from: z.number().int().min(1).max(1e8),
    to: z.number().int().min(1).max(1e8),
    before: z.boolean().default(false),
  })
  .refine(({ from, to }) => from <= to, "lines from the first to the last");

/**
 * The body of `POST annotations`. Of a record the server itself writes down what stands there. `selected`: what was
 * selected of a block's text as it is shown, without its markup, and what stands before it.
 */
export const AnnotationBody = z
  .object({
    id: madeId,
    kind: z.enum(ANNOTATION_KINDS),
    target: z.object({
      sessionId: sessionId.nullable().default(null),
      projectId: projectId.nullable().default(null),
      recordId: recordId.nullable().default(null),
      block: z.number().int().min(0).max(100_000).nullable().default(null),
      selected: z
        .object({ text: z.string().min(1).max(4_000), before: z.string().max(200).default("") })
        .nullable()
        .default(null),
      lines: FileLinesShape.nullable().default(null),
    }),
    body: z.string().trim().max(MAX_BODY.comment).default(""),
    replyTo: madeId.nullable().default(null),
    /** What a guest calls themselves; the owner has no name. */
    author: guestName,
  })
  .refine(({ kind, body }) => body.length <= MAX_BODY[kind], "a shorter body for this kind")
  .refine(({ kind, body }) => MAX_BODY[kind] === 0 || kind === "bookmark" || body !== "", "a body")
  .refine(
    ({ kind, target: { sessionId: session, projectId: project } }) =>
      [session, project].filter((id) => id !== null).length === (kind === "search" ? 0 : 1),
    "either a session or a project, and neither for a search",
  )
  .refine(({ kind, target, replyTo }) => {
    const isOfPlace = kind === "bookmark" || kind === "comment";
    return replyTo !== null ? kind === "comment" : isOfPlace === (target.recordId !== null);
  }, "a record for bookmarks and comments, and none for others");

/**
 * The body of `PATCH annotations/{id}`. `revision`: of what the new body replaces; where that has changed meanwhile
 * nothing is replaced. `sent`: it was copied into a prompt.
 */
export const AnnotationChange = z.object({
  body: z.string().trim().min(1).max(MAX_BODY.comment).optional(),
  revision: z.number().int().min(0).optional(),
  resolved: z.boolean().optional(),
  sent: z.literal(true).optional(),
});

/** `DELETE annotations/{id}`: `revision` as in a change. */
export const AnnotationRemoval = z.object({
  revision: z.coerce.number().int().min(0).optional(),
});

/** The body of `PUT annotations`: items of a collection of W3C Web Annotations. */
export const AnnotationImportBody = z.object({ items: z.array(z.unknown()).max(1000) });
