import { useQuery, useQueryClient } from "@tanstack/react-query";
import { listedSession } from "@/components/library/use-library";
import { api } from "@/lib/client/api";
import { useIsGuest } from "@/lib/client/connection/token";
import { sessionQuery } from "@/lib/client/queries";
import { useDelayed } from "@/lib/client/use-debounced";
import type { SessionId } from "@/lib/wire/ids";

/** A session that is read sooner says itself what it is called. */
const LONG_READING_MS = 400;

/**
 * The title of a session as the library lists it, for as long as the session itself is on its way: at once where this page
 * has read such a list, as for who comes from there; else when that takes long, since a session that was never read says
 * what it is called when all of it has been, which of gigabytes takes a minute. `null` for guests, who have no library.
 */
export function useListedTitle(sessionId: SessionId): string | null {
  const isGuest = useIsGuest();
  const client = useQueryClient();
  // The page asks for it; here it is only looked at.
  const { isPending } = useQuery({ ...sessionQuery(sessionId), enabled: false });
  const known = isPending ? (listedSession(client, sessionId)?.title ?? null) : null;
  const isLong = useDelayed(isPending, LONG_READING_MS);
  const { data } = useQuery({
    queryKey: ["listed-title", sessionId],
    queryFn: ({ signal }) => api.sessions({ ids: sessionId, limit: 1 }, { signal }),
    enabled: isLong && known === null && !isGuest,
  });
  return known ?? (isPending ? (data?.sessions[0]?.title ?? null) : null);
}
