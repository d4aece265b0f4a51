import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast, toastFailure } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import { shownTitle } from "@/lib/format/shown-name";
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

/** Revokes shares, all that can be where one cannot, and shows the result. */
export function useRevokeShares() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (shares: readonly Share[]) => {
      const ended = await Promise.allSettled(shares.map(({ id }) => api.revokeShare(id)));
      const failed = ended.find((one) => one.status === "rejected");
      if (failed) throw failed.reason;
    },
    onSuccess: (_, shares) => toast(formatEnded(shares)),
    onError: (error) => toastFailure(error, ""),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

function formatEnded(shares: readonly Share[]): string {
  const readers = shares.reduce((sum, share) => sum + share.readers, 0);
  const also = readers > 0 ? `, also for ${formatPlural(readers, "reader")}` : "";
  const [share] = shares;
  if (shares.length !== 1) return `${formatPlural(shares.length, "link")} have ended${also}`;
  return `The link has ended${also}: ${shownTitle(share?.title)}`;
}
