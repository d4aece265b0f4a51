import { ownerRoute } from "@/lib/server/http/route";
import { AnnotationChange, AnnotationPath } from "@/lib/wire/requests";

export const PATCH = ownerRoute({ path: AnnotationPath, body: AnnotationChange }, ({ state, path, body }) =>
  state.annotations.change(path.id, body),
);

export const DELETE = ownerRoute({ path: AnnotationPath }, async ({ state, path }) => {
  await state.annotations.remove(path.id);
  return { removed: path.id };
});
