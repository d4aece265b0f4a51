import { useQuery } from "@tanstack/react-query";
import type { Health } from "@/lib/wire/health";
import { api } from "./api";
import { makePaceMeter, type Pace } from "./indexing-pace";

const INDEXING_POLL_MS = 2_000;
const IDLE_POLL_MS = 15_000;
const UNREACHABLE_POLL_MS = 4_000;
/** Each asks the server to look at all folders: with 5,000 logs 0.1 s. Changes come as events. */
const IDLE_LIST_POLL_MS = 120_000;

const pace = makePaceMeter();

/** How often to ask, given the newest answer. Hidden tabs do not ask at all. */
function pollMs(health: Health | undefined): number {
  return health && !health.indexing.done ? INDEXING_POLL_MS : IDLE_POLL_MS;
}

/** How often to ask for a list of what lies on disk. */
export function listPollMs(health: Health | undefined): number {
  return health && !health.indexing.done ? INDEXING_POLL_MS : IDLE_LIST_POLL_MS;
}

/** The server's health, renewed every 2 s while it indexes, else every 15 s and on focus. */
export function useHealth() {
  return useQuery<Health & { pace: Pace }>({
    queryKey: ["health"],
    queryFn: async ({ signal }) => {
      const health = await api.health({ signal });
      return { ...health, pace: pace(health.indexing, Date.now()) };
    },
    refetchInterval: ({ state }) => (state.error ? UNREACHABLE_POLL_MS : pollMs(state.data)),
    refetchOnWindowFocus: true,
    retry: false,
  });
}
