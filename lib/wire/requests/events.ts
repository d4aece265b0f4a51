import { z } from "zod";
import { type AgentId, type BranchId, ID_PATTERN, RECORD_ID_PATTERN, ROW_KEY_PATTERN } from "../ids";
import { threadParameters } from "./threads";
import { madeId, sessionId, textLike } from "./values";

/** At most 16 agents, each with the branch of it that is read and its folded runs: `a1,b2@b2~1k9!folded!b2~1ka.0`. */
const agentViews = textLike(
  `(${ID_PATTERN}(@${RECORD_ID_PATTERN})?(!folded(!${ROW_KEY_PATTERN}){0,100})?(,|$)){0,16}`,
  "agents, like a1,b2@b2~1k9",
).transform((views) =>
  views
    .split(",")
    .filter(Boolean)
    .map((view) => {
      const [place = "", folded, ...open] = view.split("!");
      const [agent, branch] = place.split("@");
      return {
        agent: agent as AgentId,
        branch: (branch ?? null) as BranchId | null,
        runs: folded ? open : null,
      };
    }),
);

export const EventsRequest = z.object({
  session: sessionId.nullable().default(null),
  since: z.string().max(200).nullable().default(null),
  ...threadParameters,
  agents: agentViews.default([]),
  window: madeId.nullable().default(null),
  news: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});
