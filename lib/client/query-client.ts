import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./connection/api-error";

/** Only what may go away by itself is tried again: no answer, or a server error. Never a 4xx. */
function mayRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The page's cache. Nothing refetches unless a query asks for it, so that a focus never starts a storm. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
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
}
