import { useQuery } from "@tanstack/react-query";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { api } from "./api";

/** What the model was sent before it wrote this record. Big and rarely read twice, so soon forgotten. */
export function useContextMessages(sessionId: SessionId, at: RecordId) {
  return useQuery({
    queryKey: ["messages", sessionId, at],
    queryFn: ({ signal }) => api.messages(sessionId, at, { signal }),
    gcTime: 30_000,
  });
}

/** First words of the answer that a request led to; `null` while it is read, or where it has no text. */
export function useAnswerWords(sessionId: SessionId, at: RecordId): string | null {
  const { data } = useQuery({
    // The inspector's own key: one request for both.
    queryKey: ["record", sessionId, at],
    queryFn: ({ signal }) => api.record(sessionId, at, { signal }),
    gcTime: 60_000,
  });
  return data ? answerWords(data.json) : null;
}

function answerWords(json: unknown): string | null {
  const { message } = (json ?? {}) as { message?: { content?: unknown } };
  const blocks = Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [];
  const [first] = blocks;
  if (first?.type === "text" && typeof first.text === "string") return `“${first.text.trim()}”`;
  if (first?.type === "tool_use") return `its call of ${String(first.name)}`;
  if (first?.type === "thinking") return "its thinking";
  return null;
}
