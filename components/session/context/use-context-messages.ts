import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/client/api";
import { clip } from "@/lib/format/clip";
import type { RecordId, SessionId } from "@/lib/wire/ids";

/** What the model was sent before it wrote this record. Big and rarely read twice, so soon forgotten. */
export function useContextMessages(sessionId: SessionId, at: RecordId) {
  return useQuery({
    queryKey: ["messages", sessionId, at],
    queryFn: ({ signal }) => api.messages(sessionId, at, { signal }),
    gcTime: 30_000,
  });
}

/**
 * What the request led to, as the end of a sentence: "it wrote “All read.”". A record that the model did
 * not write is the point until which the thread is told.
 */
export function useContextWords(sessionId: SessionId, at: RecordId): string {
  const { data } = useQuery({
    // The inspector's own key: one request for both.
    queryKey: ["record", sessionId, at],
    queryFn: ({ signal }) => api.record(sessionId, at, { signal }),
    gcTime: 60_000,
    structuralSharing: false,
  });
  if (!data) return "before this";
  return data.type === "assistant" ? `before it wrote ${answerWords(data.json)}` : "up to this record";
}

function answerWords(json: unknown): string {
  const { message } = (json ?? {}) as { message?: { content?: unknown } };
  const blocks = Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [];
  const [first] = blocks;
  if (first?.type === "text" && typeof first.text === "string") {
    return `“${clip(first.text.trim().replaceAll("\n", " "), 100)}”`;
  }
  if (first?.type === "tool_use") return `its call of ${String(first.name)}`;
  return first?.type === "thinking" ? "its thinking" : "this";
}
