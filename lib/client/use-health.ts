import { useQuery } from "@tanstack/react-query";
import type { Health } from "@/lib/wire/library";
import type { Access } from "@/lib/wire/shares";
import { api } from "./api";
import { useIsGuest } from "./connection/token";
import { noteBuild } from "./newer-build";

const INDEXING_POLL_MS = 2_000;
const IDLE_POLL_MS = 15_000;
const UNREACHABLE_POLL_MS = 4_000;
/** Each asks the server to look at all folders: with 5,000 logs 0.1 s. Changes come as events. */
const IDLE_LIST_POLL_MS = 120_000;

const rateOf = makeRateMeter();

/** How often to ask, given the newest answer. Hidden tabs do not ask at all. */
function pollMs(health: Health | undefined): number {
  const settled = !health || (health.indexing.done && health.watching.folders > 0);
  return settled ? IDLE_POLL_MS : INDEXING_POLL_MS;
}

/**
 * How often to ask for a list of what lies on disk.
 * @param isWhole nothing in it waits to be read: it may have been answered before all was, and the health after
 */
export function listPollMs(health: Health | undefined, isWhole = true): number {
  return isWhole && (!health || health.indexing.done) ? IDLE_LIST_POLL_MS : INDEXING_POLL_MS;
}

/** The server's health, renewed every 2 s while it indexes or does not watch yet, else every 15 s and on focus. */
export function useHealth() {
  return useQuery<Health & { rate: IndexingRate }>({
    queryKey: ["health"],
    queryFn: async ({ signal }) => {
      const health = await api.health({ signal });
      noteBuild(health.build);
      return { ...health, rate: rateOf(health.indexing, Date.now()) };
    },
    refetchInterval: ({ state }) => (state.error ? UNREACHABLE_POLL_MS : pollMs(state.data)),
    refetchOnWindowFocus: true,
    retry: false,
  });
}

/** What was shared with this tab: one session, until when, and whether with its secrets replaced. */
export type Shared = Extract<Access, { kind: "share" }>;

/** What was shared with this tab; `null` for the owner, and for a guest until the server has said it. */
export function useShared(): Shared | null {
  const isGuest = useIsGuest();
  const access = useHealth().data?.access;
  return isGuest && access?.kind === "share" ? access : null;
}

/** Bytes a second since this page first saw the indexing under way; `null` until that can be said. */
export type IndexingRate = { bytesPerSecond: number | null; leftMs: number | null };

const MIN_ELAPSED_MS = 1_500;

/** Makes a function that is told every health answer and says how fast the indexing goes. */
export function makeRateMeter(): (indexing: Health["indexing"], nowMs: number) => IndexingRate {
  let first: { atMs: number; bytesDone: number } | null = null;
  return (indexing, nowMs) => {
    // A smaller number than before is another run of the server.
    if (indexing.done || first === null || indexing.bytesDone < first.bytesDone) {
      first = { atMs: nowMs, bytesDone: indexing.bytesDone };
    }
    const elapsedMs = nowMs - first.atMs;
    const bytes = indexing.bytesDone - first.bytesDone;
    if (elapsedMs < MIN_ELAPSED_MS || bytes <= 0) return { bytesPerSecond: null, leftMs: null };
    const bytesPerSecond = (bytes / elapsedMs) * 1000;
    return { bytesPerSecond, leftMs: ((indexing.bytesTotal - indexing.bytesDone) / bytesPerSecond) * 1000 };
  };
}
