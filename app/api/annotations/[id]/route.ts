import { ownerRoute } from "@/lib/server/http/route";
import { AnnotationChange, AnnotationPath, AnnotationRemoval } from "@/lib/wire/requests";

export const PATCH = ownerRoute({ path: AnnotationPath, body: AnnotationChange }, ({ state, path, body }) =>
  state.annotations.change(path.id, body),
);

export const DELETE = ownerRoute(
  { path: AnnotationPath, query: AnnotationRemoval },
  async ({ state, path, query }) => {
    await state.annotations.remove(path.id, query);
    return { removed: path.id };
  },
);
