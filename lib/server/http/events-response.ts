import { z } from "zod";
import { eventStreamResponse } from "./event-response";
import {
  AgentIdParam,
  AgentViewsParam,
  BranchIdParam,
  DetailParam,
  FoldParam,
  parseQuery,
  RunsParam,
  SessionIdParam,
} from "./parameters";
import { getState } from "./state";

const Query = z.object({
  session: SessionIdParam.nullable().default(null),
  since: z.string().max(200).nullable().default(null),
  branch: BranchIdParam.nullable().default(null),
  agent: AgentIdParam.nullable().default(null),
  detail: DetailParam.default("tools"),
  fold: FoldParam.default([]),
  runs: RunsParam.default(null),
  agents: AgentViewsParam.default([]),
});

/** The stream that a request for events means; `Last-Event-ID` goes before `since`. */
export async function eventsResponse(request: Request): Promise<Response> {
  const { session, since, branch, agent, detail, fold, runs, agents } = parseQuery(request, Query);
  const { catalog, live } = getState();
  if (session) await catalog.settle(session);
  const body = live.open({
    session,
    since: request.headers.get("last-event-id") ?? since,
    view: { branch, agent, detail, fold: fold.join(","), runs: runs && runs.join(",") },
    folding: { fold, runs },
    beside: agents.map((one) => ({
      view: { ...one, detail, fold: "", runs: one.runs && one.runs.join(",") },
      folding: { fold: [], runs: one.runs },
    })),
    signal: request.signal,
  });
  return eventStreamResponse(body);
}
