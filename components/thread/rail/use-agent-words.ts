import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { api } from "@/lib/client/api";
import { formatCompact, formatPlural } from "@/lib/format/format-count";
import { formatDuration } from "@/lib/format/format-duration";
import type { AgentEntry } from "@/lib/wire/session";

/** Which agent a lane is of, asked for when the pointer comes: a rail has hundreds of lanes. */
export function useAgentWords(agent: number): { words: string; ask: () => void } {
  const { sessionId } = useThreadActions();
  const client = useQueryClient();
  const [words, setWords] = useState("An agent is out");
  const ask = async () => {
    const { agents } = await client.ensureQueryData({
      queryKey: ["agents", sessionId],
      queryFn: ({ signal }) => api.agents(sessionId, { limit: 200 }, { signal }),
    });
    const entry = agents[agent];
    if (entry) setWords(wordsOf(entry));
  };
  return { words: `${words}\nClick for the call that started it`, ask: () => void ask() };
}

function wordsOf({ description, type, state, toolCalls, tokens, durationMs }: AgentEntry): string {
  const ended = state !== "running" && durationMs !== null ? formatDuration(durationMs) : null;
  const facts = [
    state === "unknown" ? null : state,
    formatPlural(toolCalls, "tool"),
    tokens > 0 ? `${formatCompact(tokens)} tokens` : null,
    ended,
  ];
  return `${[description ?? "An agent", type].filter(Boolean).join(" · ")}\n${facts.filter(Boolean).join(" · ")}`;
}
