import { z } from "zod";
import { type Checked, idText, wholeNumber } from "./values";

/**
 * `…/compare`: two branches, or another session in place of either. Without `right` the active branch, without `left`
 * the one that was left last. `pair`: the rows of the turns that stand beside each other there.
 */
export const CompareRequest = z.object({
  left: idText.nullable().default(null),
  right: idText.nullable().default(null),
  pair: wholeNumber(0, 1e6).nullable().default(null),
});

/** Which two are compared. */
export type CompareQuery = Omit<Checked<typeof CompareRequest>, "pair">;
