import { EventReader } from "@/lib/client/event-reader";
import { getResponse } from "@/lib/client/get-json";
import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SearchEvent } from "@/lib/wire/search";

/** What is asked of `/api/search`. */
export type SearchRequest = {
  q: string;
  project?: ProjectId | null;
  session?: SessionId | null;
  /** Where an earlier stream stopped. */
  cursor?: string | null;
};

/**
 * Streams a search: hits as they are found, how far it is, and its end. Throws `ApiError`; ends early
 * with the signal's reason when that aborts, which also ends the work on the server.
 */
export async function streamSearch(
  request: SearchRequest,
  signal: AbortSignal,
  onEvent: (event: SearchEvent) => void,
): Promise<void> {
  const response = await getResponse("/api/search", {
    query: { ...request },
    signal,
    accept: "text/event-stream",
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  const events = new EventReader<SearchEvent>();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const { event } of events.take(value)) onEvent(event);
  }
}
