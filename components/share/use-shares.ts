import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import type { Share } from "@/lib/wire/shares";

const KEY = ["shares"];
/** The number of readers changes. */
const POLL_MS = 3_000;

/** The shares that are still valid, and the addresses at which they open; renewed every 3 s while shown. */
export function useShares() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.shares({ signal }),
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: true,
  });
}

/** Makes a share; it is in the list at once. */
export function useCreateShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: api.createShare,
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Revokes a share, and shows the result. */
export function useRevokeShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Share) => api.revokeShare(id),
    onSuccess: (_, { title, readers }) =>
      toast(
        `The link has ended${readers > 0 ? `, also for ${formatPlural(readers, "reader")}` : ""}: ${title || "Untitled session"}`,
      ),
    onError: (error) => toast(error.message, "err"),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
