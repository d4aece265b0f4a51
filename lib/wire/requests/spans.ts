import { z } from "zod";
import { threadParameters } from "./threads";
import { type Checked, pageParameters, textLike, wholeNumber } from "./values";

/** At most 200 ids of spans: `t.m~1k9.0,g.a1.0`. */
const spanIds = textLike(
  "([a-z]\\.[A-Za-z0-9._~-]{1,220}(,|$)){1,200}",
  "ids of spans, like t.m~1k9.0",
).transform((ids) => ids.split(",").filter(Boolean));

/** `…/spans`: of a turn, of some (`3-7`, `3-` from there on), or of all. `only` these, with what they are about. With a `limit` page by page. */
export const SpansRequest = z.object({
  branch: threadParameters.branch,
  turn: textLike("\\d{1,7}(-\\d{0,7})?", "a turn, like 3, or turns, like 3-7 or 3-")
    .transform((range) => {
      const [from = "0", to] = range.split("-");
      return { from: Number(from), to: to === "" ? Number.POSITIVE_INFINITY : Number(to ?? from) };
    })
    .nullable()
    .default(null),
  only: spanIds.nullable().default(null),
  limit: wholeNumber(1, 5000).nullable().default(null),
  cursor: pageParameters.cursor,
});

export type SpansQuery = Omit<Checked<typeof SpansRequest>, keyof SpansCut>;
/** Which page of the spans. */
export type SpansCut = Pick<Checked<typeof SpansRequest>, "limit" | "cursor">;
