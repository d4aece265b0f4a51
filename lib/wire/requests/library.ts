import { z } from "zod";
import { ID_PATTERN, type SessionId } from "../ids";
import { SESSION_SORTS } from "../library-columns";
import { pageParameters, projectId, textLike, zone } from "./values";

/**
 * `sessions`. `q`: words of the title, first prompt, branch or path, and filters. `ids`: of these at most 100 alone, hidden
 * ones too, each with its `resumeCommand`.
 */
export const SessionsRequest = z.object({
  ids: textLike(
    `${ID_PATTERN}(,${ID_PATTERN}){0,99}`,
    "at most 100 ids of sessions, with commas between them",
  )
    .transform((ids) => ids.split(",") as SessionId[])
    .nullable()
    .default(null),
  project: projectId.nullable().default(null),
  q: z.string().max(1000).nullable().default(null),
  sort: z.enum(SESSION_SORTS).default("active"),
  zone,
  ...pageParameters,
});
