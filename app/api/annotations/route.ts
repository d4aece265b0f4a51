import { toCollection } from "@/lib/server/annotations/web-annotation";
import { addAnnotation, listAnnotations } from "@/lib/server/http/annotations";
import { ownerRoute, route } from "@/lib/server/http/route";
import { AnnotationBody, AnnotationImportBody, AnnotationsRequest } from "@/lib/wire/requests/annotations";

export const GET = route({ query: AnnotationsRequest }, async ({ query, ...asker }) => {
  const answer = await listAnnotations(query, asker);
  return query.format === "w3c" ? toCollection(answer.annotations) : answer;
});

export const POST = route({ body: AnnotationBody }, ({ body, ...asker }) => addAnnotation(body, asker));

/** Adds W3C Web Annotations that are not there yet. */
export const PUT = ownerRoute({ body: AnnotationImportBody }, ({ state, body }) =>
  state.annotations.import(body.items),
);
