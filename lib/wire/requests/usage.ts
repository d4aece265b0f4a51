import { z } from "zod";
import { MISS_CAUSES } from "../model-requests/session-requests";
import { USAGE_BY, USAGE_PROMPT_SORTS } from "../usage";
import { projectId, textLike, wholeNumber, zeroOrOne, zone } from "./values";

/** A day, or a moment in epoch milliseconds. */
export const momentParameter = textLike(
  "\\d{4}-\\d{2}-\\d{2}|\\d{11,15}",
  "a day, like 2026-11-19, or epoch milliseconds",
)
  .refine((value) => !value.includes("-") || isDay(value), "a day that there is")
  .transform((value) => (value.includes("-") ? { day: value } : { ms: Number(value) }));

/** True for a day that there is, like `2026-11-19`: a 31st of February would be another one. */
export function isDay(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * `usage`. `to`: a day included, a moment not. `agents=0`: what main threads used alone. `zone`: by whose clock days are
 * told, such as `Europe/Berlin`. Without a `limit` all rows come at once.
 */
export const UsageRequest = z.object({
  by: z.enum(USAGE_BY).default("day"),
  limit: wholeNumber(1, 100_000).nullable().default(null),
  // It contains a row's key, which may be any name of a branch or tool.
  cursor: z.string().max(8_000).nullable().default(null),
  from: momentParameter.nullable().default(null),
  to: momentParameter.nullable().default(null),
  project: projectId.nullable().default(null),
  agents: zeroOrOne("1"),
  zone,
});

/** `usage/prompts` */
export const UsagePromptsRequest = UsageRequest.omit({ by: true, cursor: true }).extend({
  sort: z.enum(USAGE_PROMPT_SORTS).default("cost"),
  limit: wholeNumber(1, 1_000).default(100),
});

/** `usage/misses`. `cause`: the list alone is of one. */
export const UsageMissesRequest = UsageRequest.omit({ by: true, cursor: true }).extend({
  cause: z.enum(MISS_CAUSES).nullable().default(null),
  limit: wholeNumber(1, 1_000).default(100),
});
