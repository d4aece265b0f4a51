import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { SessionId } from "@/lib/wire/ids";

/** The sessions that share history with one. */
export function useRelated(id: SessionId) {
  return useQuery({
    queryKey: ["related", id],
    queryFn: ({ signal }) => api.related(id, { signal }),
    staleTime: 60_000,
  });
}
