import { useQuery } from "@tanstack/react-query";
import type { SessionId } from "@/lib/wire/ids";
import { api } from "./api";

/** What else the client keeps of a session. */
export function useExtras(session: SessionId) {
  return useQuery({
    queryKey: ["extras", session],
    queryFn: ({ signal }) => api.extras(session, { signal }),
  });
}

/** The text of one of them. */
export function useExtraText(session: SessionId, id: string) {
  return useQuery({
    queryKey: ["extra", session, id],
    queryFn: ({ signal }) => api.extra(session, id, { signal }),
  });
}
