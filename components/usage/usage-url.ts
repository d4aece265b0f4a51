import { useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { parseAsId } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { listPollMs, useHealth } from "@/lib/client/use-health";
import type { ProjectId } from "@/lib/wire/ids";
import { MISS_CAUSES } from "@/lib/wire/model-requests/session-requests";
import { USAGE_BY, USAGE_PROMPT_SORTS, type UsageBy } from "@/lib/wire/usage";
import { MEASURES } from "./usage-series";
import { USAGE_SORTS } from "./usage-table";

/** What the page shows: sums, the prompts of which most came, or the requests that missed the cache. */
const USAGE_VIEWS = ["sums", "prompts", "misses"] as const;

export type UsageView = (typeof USAGE_VIEWS)[number];

/** The query and how it is shown, in the address. `from`, `to`: days, both included. */
export function useUsageUrl() {
  return useQueryStates(
    {
      view: parseAsStringLiteral(USAGE_VIEWS).withDefault("sums"),
      by: parseAsStringLiteral(USAGE_BY).withDefault("day"),
      from: parseAsString,
      to: parseAsString,
      project: parseAsId<ProjectId>(),
      agents: parseAsBoolean.withDefault(true),
      measure: parseAsStringLiteral(MEASURES).withDefault("cost"),
      sort: parseAsStringLiteral(USAGE_SORTS),
      up: parseAsBoolean.withDefault(false),
      order: parseAsStringLiteral(USAGE_PROMPT_SORTS).withDefault("cost"),
      cause: parseAsStringLiteral(MISS_CAUSES),
    },
    { history: "replace" },
  );
}

/** What is asked for of the usage: the range and the threads of the address, grouped as requested. */
export function useUsageAsked(by: UsageBy) {
  const [{ from, to, project, agents }] = useUsageUrl();
  return { by, from, to, project, agents };
}

/** The usage in the range and the threads of the address: so many rows of it, `null` for all. */
export function useUsage(by: UsageBy, limit: number | null) {
  const health = useHealth();
  const asked = { ...useUsageAsked(by), limit };
  return useQuery({
    queryKey: ["usage", asked],
    queryFn: ({ signal }) => api.usage(asked, { signal }),
    placeholderData: (before) => (before?.by === by ? before : undefined),
    refetchInterval: ({ state }) => listPollMs(health.data, state.data?.complete ?? false),
    refetchOnWindowFocus: true,
  });
}
