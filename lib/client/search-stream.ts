import type { ProjectId, SessionId } from "@/lib/wire/ids";
import type { SearchEvent } from "@/lib/wire/search";
import { getResponse } from "./get-json";

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
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, left } = takeEvents(rest + value);
    rest = left;
    for (const event of events) onEvent(event);
  }
}

/** Takes the whole events from the head of an event stream; `left` is the beginning of the next. */
export function takeEvents(text: string): { events: SearchEvent[]; left: string } {
  const parts = text.split(/\r?\n\r?\n/);
  const left = parts.pop() ?? "";
  const events = parts.flatMap((part) => {
    const data = part
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []));
    return data.length > 0 ? [JSON.parse(data.join("\n")) as SearchEvent] : [];
  });
  return { events, left };
}
