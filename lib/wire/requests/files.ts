import { z } from "zod";
import { RECORD_ID_PATTERN } from "../ids";
import { pageParameters, textLike } from "./values";

/** `…/blame`, the same in `…/file` and, without `at`, `…/file-versions`. `at`: a record, a call in it, or just before it. */
export const FileVersionsRequest = z.object({ path: z.string().min(1).max(4096) });
const fileVersion = textLike(
  `${RECORD_ID_PATTERN}(\\.\\d{1,6}(:before|:after)?)?`,
  "a record id, like m~1k9, or a version's id, like m~1k9.0",
)
  .nullable()
  .default(null);
/** `…/changed-files`: all that the session changed in its project, as it was then. */
export const ChangedFilesRequest = z.object({ at: fileVersion });
export const FileRequest = z.object({ ...FileVersionsRequest.shape, at: fileVersion });
/** `…/file`. `blame`: with who wrote its lines. `against`: with the file as it was at another version, for a comparison. */
export const FileAtRequest = z.object({
  ...FileRequest.shape,
  against: fileVersion,
  blame: z
    .literal("1")
    .optional()
    .transform((wanted) => wanted !== undefined),
});
/** `files`: which sessions changed a file, by its path or the end of it. */
export const FileSessionsRequest = z.object({ ...FileVersionsRequest.shape, ...pageParameters });
/** `files/known`: the files that sessions changed; `q` is a part of the path. */
export const KnownFilesRequest = z.object({
  q: z.string().max(4096).default(""),
  limit: pageParameters.limit,
});
/** `why`: where a line is from. Lines of fewer letters stand everywhere. */
export const WhyRequest = z.object({
  text: z
    .string()
    .max(2000)
    .transform((line) => line.trim())
    .refine((line) => line.length >= 4 && !line.includes("\n"), "one line, of at least 4 characters"),
  path: z.string().max(4096).nullable().default(null),
});
