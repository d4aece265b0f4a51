import { useEffect } from "react";
import { ApiError } from "@/lib/client/connection/api-error";
import type { ThreadStore } from "./thread-store";
import { useThreadState } from "./use-thread";

/*
 * An agent that has only just begun may be listed, and named by its call, before it has rows, and be in an address before
 * it is listed. Who knows that it exists asks again.
 */

export const AGAIN_MS = 1_000;

/** Whether it failed because the agent that was asked for has no rows yet, if it has any. */
export function isUnknownAgent(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "agent-not-found";
}

/** Has the store ask for its agent again for as long as that is listed and has no rows. */
export function useAskedAgain(store: ThreadStore, isListed: boolean): void {
  const error = useThreadState(store, (state) => state.error);
  useEffect(() => {
    if (!isListed || !isUnknownAgent(error)) return;
    const timer = setTimeout(store.retry, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [store, error, isListed]);
}
