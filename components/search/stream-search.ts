import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { EventReader } from "@/lib/client/connection/event-reader";
import { noteLoss } from "@/lib/client/connection/known-server";
import { getResponse } from "@/lib/client/connection/send";
import { ownZone } from "@/lib/format/format";
import type { SearchRequest } from "@/lib/wire/requests/search";
import type { Asked } from "@/lib/wire/requests/values";
import type { SearchEvent } from "@/lib/wire/search";
import { advance, IDLE, type SearchRun } from "./search-run";

/** A request to `/api/search`. */
export type SearchParameters = Asked<typeof SearchRequest> & { q: string };

/**
 * Streams a search: hits as they are found, how far it is, and its end. Throws `ApiError`; ends early
 * with the signal's reason when that aborts, which also ends the work on the server.
 */
export async function streamSearch(
  request: SearchParameters,
  signal: AbortSignal,
  onEvent: (event: SearchEvent) => void,
): Promise<void> {
  const response = await getResponse("/api/search", {
    query: { zone: ownZone(), ...request },
    signal,
    accept: "text/event-stream",
  });
  const lost = () => {
    noteLoss();
    return new ApiError(0, UNREACHABLE);
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw lost();
  const events = new EventReader<SearchEvent>();
  let hasEnded = false;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      // A stream that breaks off fails like a request that is not answered.
      if (!(cause instanceof TypeError)) throw cause;
      throw lost();
    });
    // A proxy may close what its server has not ended: that breaks off as well.
    if (done && !hasEnded) throw lost();
    if (done) return;
    for (const { event } of events.take(value)) {
      hasEnded ||= event.kind === "end";
      onEvent(event);
    }
  }
}

/** A search from its beginning to its end, or to the most hits that the page keeps. Throws as `streamSearch` does. */
export async function searchWhole(request: SearchParameters, signal: AbortSignal): Promise<SearchRun> {
  const startedAt = performance.now();
  let run: SearchRun = IDLE;
  do {
    const events: SearchEvent[] = [];
    await streamSearch({ ...request, cursor: run.nextCursor }, signal, (event) => events.push(event));
    run = advance({ ...run, nextCursor: null }, events);
  } while (run.nextCursor !== null && !run.overflow);
  return { ...run, phase: "done", tookMs: performance.now() - startedAt };
}
