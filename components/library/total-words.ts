import { totalTokens } from "@/lib/client/total-tokens";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import type { Totals } from "@/lib/wire/totals";

/** Totals over sessions in full, for a tooltip. */
export function totalWords({ turns, messages, usage }: Totals): string {
  const parts = [
    `${formatCount(totalTokens(usage))} tokens`,
    `${formatCount(usage.input)} input`,
    `${formatCount(usage.output)} output`,
    `${formatCount(usage.cacheRead)} read from caches`,
    `${formatCount(usage.cacheWrite)} written to caches (${formatCount(usage.cacheWrite5m)} for 5 minutes, ${formatCount(usage.cacheWrite1h)} for an hour)`,
  ];
  if (totalTokens(usage) === 0) parts.splice(0, parts.length, "no usage recorded");
  const web = usage.webSearches + usage.webFetches;
  if (web > 0) parts.push(formatPlural(web, "web request"));
  return `${parts.join(", ")}; ${formatPlural(turns, "turn")}, ${formatPlural(messages, "message")}. What forks repeat counts once.`;
}
