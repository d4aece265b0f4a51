import { formatCost, formatCount, formatDollars, formatIsoDay, formatPlural } from "@/lib/format/format";
import { compareVersions } from "@/lib/format/text";
import { failedCalls } from "@/lib/wire/library-columns";
import type { SessionDetail } from "@/lib/wire/session";

/** When a session's last line was written, and what that means: it has ended, or may go on. */
export function endOf({ state, lastActiveAtMs }: Pick<SessionDetail, "state" | "lastActiveAtMs">): {
  label: string;
  atMs: number | null;
} {
  const goesOn = state === "running" || state === "waiting" || state === "idle";
  return { label: goesOn ? "Last active" : "Ended", atMs: lastActiveAtMs };
}

/** `2.1.330` or `2.1.42 (120 records), 2.1.330 (96 records)`: the client versions that wrote the session. */
export function formatVersions(versions: SessionDetail["versions"]): string {
  const names = Object.keys(versions).sort(compareVersions);
  if (names.length === 0) return "no version in the log";
  if (names.length === 1) return names.join();
  return names.map((name) => `${name} (${formatPlural(versions[name] ?? 0, "record")})`).join(", ");
}

/**
 * `12 turns · 340 tool calls · 2 tool errors`: what a session holds. Turns and calls are always told, the others where
 * there are any, branches where there are several. A number stays beside what it counts.
 */
export function formatCounts(counts: SessionDetail["counts"]): string {
  const failed = failedCalls(counts);
  const totals = [
    formatPlural(counts.turns, "turn"),
    formatPlural(counts.toolCalls, "tool call"),
    failed > 0 && formatPlural(failed, "tool error"),
    counts.toolsDenied > 0 && `${formatCount(counts.toolsDenied)} denied`,
    counts.agents > 0 && formatPlural(counts.agents, "agent"),
    counts.files > 0 && formatPlural(counts.files, "file changed", "files changed"),
    counts.branches > 1 && formatPlural(counts.branches, "branch", "branches"),
    counts.compactions > 0 && formatPlural(counts.compactions, "compaction"),
  ];
  return totals
    .filter((one) => one !== false)
    .map((one) => one.replaceAll(" ", "\u00a0"))
    .join(" · ");
}

/** A part of a session's tokens. */
export type UsagePart = { name: string; tokens: number; about: string };

/** A session's tokens by how they were sent or written; parts that are zero are left out. */
export function usageParts({ usage }: Pick<SessionDetail, "usage">): UsagePart[] {
  const { input, output, cacheRead, cacheWrite, cacheWrite5m, cacheWrite1h } = usage;
  const unknown = Math.max(0, cacheWrite - cacheWrite5m - cacheWrite1h);
  const parts: UsagePart[] = [
    { name: "Input", tokens: input, about: "Sent and not in the cache" },
    { name: "Cache read", tokens: cacheRead, about: "Sent before and read from the cache" },
    { name: "Cache write", tokens: unknown, about: "Sent and kept in the cache" },
    { name: "Cache write, 5 m", tokens: cacheWrite5m, about: "Sent and kept in the cache for five minutes" },
    { name: "Cache write, 1 h", tokens: cacheWrite1h, about: "Sent and kept in the cache for an hour" },
    { name: "Output", tokens: output, about: "Written by the model, thinking included" },
  ];
  return parts.filter(({ tokens }) => tokens > 0);
}

/** A figure of what a session cost, as its header and its facts say it. */
export type CostLine = { name: string; amount: string; about: string };

/** What a session would cost at the API's prices, its own thread alone, what its client said, and the difference. */
export function costLines({
  cost,
  ownCost,
  pricesAsOf,
  counts,
}: Pick<SessionDetail, "cost" | "ownCost" | "pricesAsOf" | "counts">): CostLine[] {
  if (!cost) return [];
  const { microUsd, unpricedTokens, reportedMicroUsd } = cost;
  const lines: CostLine[] = [
    {
      name: "API-equivalent",
      amount: formatCost(microUsd, unpricedTokens),
      about: [
        `At list prices as of ${formatIsoDay(pricesAsOf)}, each request once`,
        counts.agents > 0 && "agents included",
        unpricedTokens > 0 && `${formatCount(unpricedTokens)} tokens have no known price and are not in it`,
      ]
        .filter(Boolean)
        .join(", "),
    },
  ];
  if (counts.agents > 0 || ownCost.microUsd !== microUsd)
    lines.push({
      name: "Own only",
      amount: formatCost(ownCost.microUsd, ownCost.unpricedTokens),
      about:
        counts.agents > 0
          ? `Without ${formatPlural(counts.agents, "agent")}`
          : "Without the client’s own agents, which are not listed",
    });
  if (reportedMicroUsd !== null) {
    const difference = reportedMicroUsd - (microUsd ?? 0);
    // Each request is rounded to a millionth of a dollar.
    const isSame = Math.abs(difference) <= counts.messages;
    const more =
      unpricedTokens > 0
        ? "It also counts what has no known price here"
        : "It also counts requests without an answer in the log, such as compactions";
    lines.push({
      name: "Claude Code’s own",
      amount: formatDollars(reportedMicroUsd),
      about: isSame
        ? "What it wrote in the log: the same"
        : `What it wrote in the log: ${formatDollars(Math.abs(difference))} ${difference > 0 ? "more" : "less"}. ${
            difference > 0 ? more : "It does not count what was copied from another session"
          }`,
    });
  }
  return lines;
}
