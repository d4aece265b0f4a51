import { z } from "zod";
import { formatCompact, formatCost, formatPlural } from "@/lib/format/format";
import { rangeOf } from "@/lib/server/library/days";
import { usageOf } from "@/lib/server/library/usage";
import { pricesInUse } from "@/lib/server/runtime/prices";
import type { SessionId } from "@/lib/wire/ids";
import { isDay } from "@/lib/wire/requests/usage";
import { USAGE_BY, type UsageSums } from "@/lib/wire/usage";
import { askedProject, projectInput } from "../asked";
import { tellingOfMany } from "../mcp-world";
import { tool } from "../tool";
import { briefName, facts } from "../words";

const MAX_ROWS = 60;
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "a day, like 2026-11-19")
  .refine(isDay, "a day that there is");

/** Adds up tokens and cost. */
export const usage = tool({
  name: "usage",
  title: "Tokens and cost",
  description:
    "Adds up the tokens of all requests of Claude Code sessions, each counted once, and what they would cost at the API's list prices: by day, week, month, project, model, branch, agent type, tool or session.",
  input: z.object({
    by: z.enum(USAGE_BY).default("day"),
    from: day.optional().describe("The first day"),
    to: day.optional().describe("The last day"),
    project: projectInput,
  }),
  answer: async (world, { by, from, to, project }) => {
    const { catalog, scanner } = world;
    const said = await tellingOfMany(world);
    const range = rangeOf({ from: from ? { day: from } : null, to: to ? { day: to } : null, zone: null });
    const asked = {
      by,
      project: askedProject(catalog, project),
      ...range,
      agents: true,
      zone: null,
      limit: MAX_ROWS,
    };
    const found = usageOf(catalog, scanner.totals, asked, pricesInUse().table.asOf);
    const { rows, total } = found;
    const told = [
      ...rows.map((row) => {
        const name = said(row.name, by === "session" ? (row.key as SessionId) : undefined);
        return `${briefName(name) || "(none)"}: ${sums(row)}`;
      }),
      `total: ${sums(found.totals)}`,
    ].join("\n");
    return {
      recorded: said(told),
      note: facts(
        `API-equivalent, at prices of ${found.pricesAsOf}`,
        total > rows.length && `the first ${rows.length} of ${total} rows`,
        !found.complete && "not every session has been read yet",
      ),
    };
  },
});

function sums({
  requests,
  input,
  output,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
  ...cost
}: UsageSums): string {
  return facts(
    formatCost(cost.costMicroUsd, cost.unpricedTokens),
    formatPlural(requests, "request"),
    `${formatCompact(input)} input`,
    `${formatCompact(output)} output`,
    `${formatCompact(cacheRead)} cache read`,
    `${formatCompact(cacheWrite5m + cacheWrite1h)} cache write`,
  );
}
