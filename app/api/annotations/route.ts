import { toCollection } from "@/lib/server/annotations/web-annotation";
import { ownerRoute } from "@/lib/server/http/route";
import { AnnotationBody, AnnotationImportBody, AnnotationsRequest } from "@/lib/wire/requests";

export const GET = ownerRoute({ query: AnnotationsRequest }, async ({ state, query }) => {
  if (query.session) await state.catalog.settle(query.session);
  const answer = await state.annotations.list(query.session, query.kinds);
  return query.format === "w3c" ? toCollection(answer.annotations) : answer;
});

export const POST = ownerRoute({ body: AnnotationBody }, async ({ state, body }) => {
  const { sessionId } = body.target;
  if (sessionId) await state.catalog.settle(sessionId);
  // Of a session whose logs are gone a thread may still be answered.
  if (sessionId && body.replyTo === null) state.catalog.sessionFiles(sessionId);
  return state.annotations.add(body);
});

/** Adds W3C Web Annotations that are not there yet. */
export const PUT = ownerRoute({ body: AnnotationImportBody }, ({ state, body }) =>
  state.annotations.import(body.items),
);
