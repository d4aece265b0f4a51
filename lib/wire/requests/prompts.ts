import { z } from "zod";
import { PROMPT_SORTS } from "../search";
import { momentParameter } from "./usage";
import { pageParameters, projectId, textLike, wholeNumber, zone } from "./values";

/** `prompts`. `q`: words of a prompt, and filters of sessions. `from`, `to`: when it was used; a day `to` is included. */
export const PromptsRequest = z.object({
  q: z.string().max(1000).default(""),
  project: projectId.nullable().default(null),
  from: momentParameter.nullable().default(null),
  to: momentParameter.nullable().default(null),
  sort: z.enum(PROMPT_SORTS).default("recent"),
  zone,
  limit: wholeNumber(1, 1000).default(100),
  cursor: pageParameters.cursor,
});

/** `prompts/{id}` */
export const PromptPath = z.object({
  id: textLike("[0-9a-f]{16}", "an id that the list of prompts gave out"),
});
export const PromptUsesRequest = PromptsRequest.omit({ sort: true });
