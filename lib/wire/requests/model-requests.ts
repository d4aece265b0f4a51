import { z } from "zod";
import { threadParameters } from "./threads";
import { type Checked, pageParameters, wholeNumber, zeroOrOne } from "./values";

/**
 * `…/requests`: all of a session's, or with a `limit` those of one thread: that with the request `step`, else that of the
 * agent, else the main one.
 */
export const RequestsRequest = z.object({
  agent: threadParameters.agent,
  // What is no record names no request.
  step: z.string().max(400).nullable().default(null),
  limit: wholeNumber(1, 5000).nullable().default(null),
  cursor: pageParameters.cursor,
  // A page that is not the first has them too, for whoever goes on with a thread that has grown.
  threads: zeroOrOne("0"),
});

export type RequestsQuery = Checked<typeof RequestsRequest>;
