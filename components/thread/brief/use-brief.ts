import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import type { BranchId, SessionId } from "@/lib/wire/ids";

/** A turn in a dozen lines. `branch` as in the address; `null` is the active one. */
export function useBrief(sessionId: SessionId, turn: number, branch: BranchId | null) {
  return useQuery({
    queryKey: ["brief", sessionId, branch, turn],
    queryFn: ({ signal }) => api.brief(sessionId, turn, branch, { signal }),
    // A running turn goes on; asked for anew each time it is opened.
    staleTime: 5_000,
  });
}
