import { changeAnnotation, removeAnnotation } from "@/lib/server/http/annotations";
import { route } from "@/lib/server/http/route";
import { AnnotationChange, AnnotationPath, AnnotationRemoval } from "@/lib/wire/requests/annotations";

export const PATCH = route({ path: AnnotationPath, body: AnnotationChange }, ({ path, body, ...asker }) =>
  changeAnnotation(path.id, body, asker),
);

export const DELETE = route({ path: AnnotationPath, query: AnnotationRemoval }, ({ path, query, ...asker }) =>
  removeAnnotation(path.id, query, asker),
);
