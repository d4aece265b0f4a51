import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionSummary } from "@/lib/wire/library";
import type { Catalog } from "./catalog";

/** The session with this id, or the only one whose id begins with it. Throws ViewerError `session-not-found`. */
export function findSession(catalog: Catalog, wanted: string): SessionSummary {
  const begun = catalog.summaries().filter(({ id }) => id.startsWith(wanted));
  const only = begun.find(({ id }) => id === wanted) ?? (begun.length === 1 ? begun[0] : undefined);
  if (only) return only;
  const why = begun.length === 0 ? "No session’s id begins with" : "The ids of several sessions begin with";
  throw new ViewerError("session-not-found", `${why} ${wanted}`, {
    hint: "The id is in a session’s address.",
  });
}
