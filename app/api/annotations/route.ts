import { toCollection } from "@/lib/server/annotations/web-annotation";
import { addAnnotation, listAnnotations } from "@/lib/server/http/annotations";
import { ownerRoute, route } from "@/lib/server/http/route";
import { AnnotationBody, AnnotationImportBody, AnnotationsRequest } from "@/lib/wire/requests";

export const GET = route({ query: AnnotationsRequest }, async ({ query, library, caller }) => {
  const answer = await listAnnotations(query, library, caller);
  return query.format === "w3c" ? toCollection(answer.annotations) : answer;
});

export const POST = route({ body: AnnotationBody }, ({ body, library, caller }) =>
  addAnnotation(body, library, caller),
);

/** Adds W3C Web Annotations that are not there yet. */
export const PUT = ownerRoute({ body: AnnotationImportBody }, ({ state, body }) =>
  state.annotations.import(body.items),
);
