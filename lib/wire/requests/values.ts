import { z } from "zod";
import {
  type AgentId,
  type BranchId,
  ID_PATTERN,
  type ProjectId,
  RECORD_ID_PATTERN,
  type RecordId,
  type SessionId,
} from "../ids";
import { MAX_GUEST_NAME } from "../presence";

/*
 * What each request takes: its query, the parts of its path, its body; a module for each part of the API, and here what
 * several take. The server checks with these, and the client builds its addresses from their types alone, so that no page
 * loads them.
 */

/** A whole text of this pattern. `allowed` says what that is: it is part of the error's hint. */
export function textLike(pattern: string, allowed: string) {
  return z.string().regex(new RegExp(`^${pattern}$`), allowed);
}

export const idText = textLike(ID_PATTERN, "an id: letters, digits and . _ ~ -");
const recordIdText = textLike(RECORD_ID_PATTERN, "a record id, like m~1k9");

export const sessionId = idText.transform((id) => id as SessionId);
export const projectId = idText.transform((id) => id as ProjectId);
export const agentId = idText.transform((id) => id as AgentId);
/** An id that the page made: of a window, or of something that it adds. */
export const madeId = textLike("[A-Za-z0-9-]{8,64}", "an id of 8 to 64 letters, digits and -");
export const recordId = recordIdText.transform((id) => id as RecordId);
export const branchId = recordIdText.transform((id) => id as BranchId);

/** A whole number from `least` to `most`, in decimal digits. */
export function wholeNumber(least: number, most: number) {
  const allowed = `a whole number from ${least} to ${most}`;
  return textLike("\\d{1,15}", allowed)
    .transform(Number)
    .refine((value) => value >= least && value <= most, allowed);
}

/** `0` or `1`. */
export function zeroOrOne(usual: "0" | "1") {
  return z
    .enum(["0", "1"])
    .default(usual)
    .transform((wanted) => wanted === "1");
}

/** At most 500 record ids, with commas between them. */
export const recordIds = textLike(
  `(${RECORD_ID_PATTERN}(,|$)){0,500}`,
  "record ids, like m~1k9,m~2b",
).transform((ids) => ids.split(",").filter(Boolean) as RecordId[]);

export const pageParameters = {
  limit: wholeNumber(1, 1000).default(200),
  cursor: z.string().max(400).nullable().default(null),
};

/** `…/branches`, `…/agents` and `…/files` */
export const PageRequest = z.object(pageParameters);

/** By whose clock days are told, such as `Europe/Berlin`; the server's for none, and for one that is not known there. */
export const zone = z.string().max(100).nullable().default(null);

/** What a guest calls themselves, in one line; `null` for nothing. */
export const guestName = z
  .string()
  .max(MAX_GUEST_NAME)
  .nullable()
  .default(null)
  .transform((name) => name?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim() || null);

/** What a handler gets of a request. */
export type Checked<Schema extends z.ZodType> = z.output<Schema>;

/** A page of a collection: `cursor` is an earlier answer's `nextCursor`. */
export type Page = Checked<typeof PageRequest>;

type Text = string | number | boolean;

/** What a client gives for a request: values that print as themselves, and what is more than that as its text. */
export type Asked<Schema extends z.ZodObject> = {
  [Name in keyof z.output<Schema>]?:
    | ([NonNullable<z.output<Schema>[Name]>] extends [Text]
        ? z.output<Schema>[Name]
        : Extract<z.input<Schema>[Name & keyof z.input<Schema>], string>)
    | null;
};
