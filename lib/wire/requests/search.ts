import { z } from "zod";
import { ID_PATTERN, parseRowKey, ROW_KEY_PATTERN, type SessionId } from "../ids";
import { MAX_STATED_HITS, SEARCH_FIELDS } from "../search";
import { pageParameters, projectId, recordId, sessionId, textLike, wholeNumber, zone } from "./values";

export const SearchRequest = z.object({
  q: z.string().max(1000).default(""),
  project: projectId.nullable().default(null),
  session: sessionId.nullable().default(null),
  here: sessionId.optional(),
  zone,
  limit: wholeNumber(1, 500).default(50),
  cursor: pageParameters.cursor,
});

/** At most 100 hits, each by its session, record and block: `<session>!m~1k9.0`. */
export const HitPlacesRequest = z.object({
  hits: textLike(`(${ID_PATTERN}!${ROW_KEY_PATTERN}(,|$)){0,100}`, "hits, like <session>!m~1k9.0").transform(
    (hits) =>
      hits
        .split(",")
        .filter(Boolean)
        .map((hit) => {
          const cut = hit.indexOf("!");
          return { session: hit.slice(0, cut) as SessionId, ...parseRowKey(hit.slice(cut + 1)) };
        }),
  ),
});

/** The body of `POST search/states`. */
export const HitStatesBody = z.object({
  hits: z
    .array(z.object({ session: sessionId, recordId, block: z.int().min(0), field: z.enum(SEARCH_FIELDS) }))
    .max(MAX_STATED_HITS),
});
