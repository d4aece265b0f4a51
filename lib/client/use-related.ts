import { useQuery } from "@tanstack/react-query";
import type { SessionId } from "@/lib/wire/ids";
import { api } from "./api";

/** The sessions that share history with one. */
export function useRelated(id: SessionId) {
  return useQuery({
    queryKey: ["related", id],
    queryFn: ({ signal }) => api.related(id, { signal }),
    staleTime: 60_000,
  });
}
