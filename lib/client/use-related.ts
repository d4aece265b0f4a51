import { useQuery } from "@tanstack/react-query";
import type { SessionId } from "@/lib/wire/ids";
import type { RelatedResponse } from "@/lib/wire/related";
import { getJson } from "./get-json";

/** The sessions that share history with one. */
export function useRelated(id: SessionId) {
  return useQuery({
    queryKey: ["related", id],
    queryFn: ({ signal }) =>
      getJson<RelatedResponse>(`/api/sessions/${encodeURIComponent(id)}/related`, { signal }),
    staleTime: 60_000,
  });
}
