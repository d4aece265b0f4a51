import { z } from "zod";
import { EXPORT_FORMAT_IDS, MAX_EXPORTED_SESSIONS } from "../export-formats.mjs";
import { type BranchId, ID_PATTERN, RECORD_ID_PATTERN, type RecordId } from "../ids";
import { textLike, wholeNumber, zeroOrOne } from "./values";

/** At most 500 names of secrets as a redaction gives them, with a dot: `email.2,user.1`. */
const secretNames = textLike(
  "([a-z0-9-]{1,40}\\.\\d{1,7}(,|$)){0,500}",
  "names of secrets, like email.2,user.1",
).transform((names) =>
  names
    .split(",")
    .filter(Boolean)
    .map((name) => name.replace(".", " ")),
);

/** The number of a branch, as the page shows it, or its id. */
const branchOrNumber = textLike(
  `(\\d{1,7}|${RECORD_ID_PATTERN})`,
  "a branch’s number, like 2, or its id, like m~1k9",
).transform((branch) => (branch.includes("~") ? (branch as BranchId) : Number(branch)));

/** Turns from 1, both ends included: `3-7`, or `3`. */
const turns = textLike(
  "[1-9]\\d{0,6}(-[1-9]\\d{0,6})?",
  "a turn, like 3, or the first and the last, like 3-7",
).transform((range) => {
  const [from = 1, to = from] = range.split("-").map(Number);
  return { from, to };
});

/** Records, both ends included: `m~1k9..m~2ab`, or at most 500 of them: `m~1k9,m~2ab`. */
const someRecords = textLike(
  `${RECORD_ID_PATTERN}(\\.\\.${RECORD_ID_PATTERN}|(,${RECORD_ID_PATTERN}){0,499})`,
  "the first and the last record, like m~1k9..m~2ab, or at most 500 records with commas between them",
).transform((list) => {
  const [from, to] = list.split("..") as [RecordId, RecordId?];
  return to === undefined ? (list.split(",") as RecordId[]) : { from, to };
});

/**
 * `…/export`. `redact`: with secrets replaced, but for those that `except` names. `tilde`: with the home folder as `~`;
 * `relative`: with paths in the project's folder from there; `comments`: with the comments on what is exported. Of the session a branch, turns of it or single records, and
 * with 0 no thinking, no tool calls, no agents' threads or no images and documents. `digest`: of a clone, how many turns
 * stay behind a digest of all before them.
 */
export const ExportRequest = z.object({
  format: z.enum(EXPORT_FORMAT_IDS),
  redact: zeroOrOne("0"),
  except: secretNames.default([]),
  tilde: zeroOrOne("0"),
  relative: zeroOrOne("0"),
  comments: zeroOrOne("0"),
  branch: branchOrNumber.nullable().default(null),
  turns: turns.nullable().default(null),
  records: someRecords.nullable().default(null),
  thinking: zeroOrOne("1"),
  tools: zeroOrOne("1"),
  agents: zeroOrOne("1"),
  images: zeroOrOne("1"),
  digest: wholeNumber(1, 1e6).nullable().default(null),
});

/** `…/export-sizes`: of what `…/export` would be in each format, or in one. */
export const ExportSizesRequest = ExportRequest.omit({ format: true, digest: true }).extend({
  format: ExportRequest.shape.format.nullable().default(null),
});

/** `export`: a zip of sessions, each by its id or by a beginning of it that no other has. */
export const ManyExportRequest = z.object({
  sessions: textLike(
    `${ID_PATTERN}(,${ID_PATTERN}){0,${MAX_EXPORTED_SESSIONS - 1}}`,
    `ids of 1 to ${MAX_EXPORTED_SESSIONS} sessions, with commas between them`,
  ).transform((ids) => ids.split(",")),
  format: ExportRequest.shape.format,
  redact: ExportRequest.shape.redact,
  tilde: ExportRequest.shape.tilde,
  relative: ExportRequest.shape.relative,
  comments: ExportRequest.shape.comments,
  thinking: ExportRequest.shape.thinking,
  tools: ExportRequest.shape.tools,
  agents: ExportRequest.shape.agents,
  images: ExportRequest.shape.images,
});

/**
 * The body of `POST tickets`: of a download, or of the owner's token, for a browser that is to be opened. The longest path
 * names 500 sessions by the names of their logs.
 */
export const TicketBody = z.object({
  path: z
    .string()
    .max(50_000)
    .regex(
      /^\/api\/(token|sessions\/[A-Za-z0-9._~-]+\/changed-files\?(at=[a-z0-9~.:]+)?|(sessions\/[A-Za-z0-9._~-]+\/export\?|export\?sessions=[A-Za-z0-9._~,-]+&)format=[a-z]+(&(redact|except|tilde|relative|comments|branch|turns|records|thinking|tools|agents|images|digest)=[a-z0-9.,~-]+){0,13})$/,
      "a download's path and query, or /api/token",
    ),
});
