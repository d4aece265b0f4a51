import { z } from "zod";
import { ROW_KEY_PATTERN } from "../ids";
import { DETAILS, foldedTurns } from "../rows";
import { agentId, branchId, type Checked, recordId, recordIds, textLike, wholeNumber } from "./values";

/** Numbers of folded turns: `1,4,9`, or `1-20,30`. Each once, in order, and of more than 20,000 the first. */
const fold = textLike(
  "(\\d{1,7}(-\\d{1,7})?(,\\d{1,7}(-\\d{1,7})?)*)?",
  "turn numbers and ranges, like 1-20,30",
).transform(foldedTurns);

/**
 * `folded`: neighbouring calls of a tool are one row; `folded,m~1k9.0`: except in the run that begins with that row.
 * At most 500 of those. Empty folds none.
 */
const runs = textLike(
  `(folded(,${ROW_KEY_PATTERN}){0,500})?`,
  "folded, then keys of open runs, like folded,m~1k9.0",
).transform((keys) => (keys === "" ? null : keys.split(",").slice(1)));

/** Which thread of a session, at which level, and what of it is folded. */
export const threadParameters = {
  branch: branchId.nullable().default(null),
  agent: agentId.nullable().default(null),
  detail: z.enum(DETAILS).default("tools"),
  fold: fold.default([]),
  runs: runs.nullable().default(null),
};

/** `…/turns/{turn}/brief` */
export const TurnPath = z.object({ turn: wholeNumber(1, 1e7) });

/** `…/errors` */
export const ThreadRequest = z.object(threadParameters);

/** `…/rows`. `beginning`: while the session is read for the first time, its first rows will do. */
export const RowsRequest = z.object({
  ...threadParameters,
  from: wholeNumber(0, 1e9).default(0),
  count: wholeNumber(1, 200).default(100),
  around: recordId.nullable().default(null),
  beginning: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});

/** `…/outline` */
export const OutlineRequest = z.object({
  branch: threadParameters.branch,
  from: wholeNumber(0, 1e9).default(0),
  count: wholeNumber(1, 5000).default(1000),
  detail: threadParameters.detail,
  fold: threadParameters.fold,
  runs: threadParameters.runs,
});

/** `…/graph`: the session's map; with `segment` what one item of it holds; with `rows` where things are in a thread,
 * of what `find` names or `q` finds as well.
 */
export const GraphRequest = z.object({
  segment: recordId.nullable().default(null),
  holds: wholeNumber(0, 1e6).default(0),
  rows: z
    .literal("1")
    .nullable()
    .default(null)
    .transform((wanted) => wanted !== null),
  ...threadParameters,
  find: recordIds.default([]),
  q: z.string().max(1000).nullable().default(null),
});

/** `…/turns/{turn}/brief` */
export const BriefRequest = z.object({ branch: branchId.nullable().default(null) });

/** A view of a thread. Where nothing is given of folded runs, none is folded. */
type View<Query extends { runs: unknown }> = Omit<Query, "runs"> & Partial<Pick<Query, "runs">>;

/** Which turns of which thread an outline is asked for. */
export type OutlineQuery = View<Checked<typeof OutlineRequest>>;

/** Around a record, when one is given: `from` is not used then. */
export type RowsQuery = View<Omit<Checked<typeof RowsRequest>, "beginning">> & { beginning?: boolean };

/** Which thread's errors are looked for, and in which view of it. */
export type ErrorsQuery = View<Checked<typeof ThreadRequest>>;

/** Which thread's rows a minimap draws. `find`: records to be marked, such as hits of a search. */
export type MinimapQuery = ErrorsQuery & Pick<Checked<typeof GraphRequest>, "find">;
