import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./connection/api-error";
import { isUnreachable, whenBack } from "./connection/when-back";

/** Only what may go away by itself is tried again: no answer, or a server error. Never a 4xx. */
function mayRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/**
 * The page's cache. Nothing refetches unless a query asks for it, so that a focus never starts a storm; but what nobody
 * answered is asked for again when the server is back, as far as it is still shown.
 */
export function makeQueryClient(): QueryClient {
  const askAgain = () =>
    void client.refetchQueries({ type: "active", predicate: ({ state }) => isUnreachable(state.error) });
  const client = new QueryClient({
    // Many may fail at once: `askAgain` waits once.
    queryCache: new QueryCache({ onError: (error) => void (isUnreachable(error) && whenBack(askAgain)) }),
    defaultOptions: {
      queries: {
        retry: mayRetry,
        retryDelay: (failures) => 500 * 2 ** failures,
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always",
      },
    },
  });
  return client;
}
