import { EXPORT_FORMAT_IDS, WITH_COMMENTS, WITH_LOGGED_PATHS } from "../../../lib/wire/export-formats.mjs";
import { UsageError } from "../usage-error.mjs";
import { readOutput, readSession } from "./flags.mjs";

/**
 * `query`: with which the API is asked for each session. `output`: undefined for standard output.
 *
 * @typedef {{ name: "export", sessions: string[], query: string, output: string | undefined, isZip: boolean }} ExportCommand
 */

/** @satisfies {import("./flags.mjs").CommandOptions<ExportCommand>} */
export const exportOptions = {
  takes: /** @type {const} */ ([
    "format",
    "output",
    "to",
    "redact",
    "tilde",
    "relative",
    "comments",
    "branch",
    "turns",
    "records",
    "without",
    "digest",
  ]),
  read: readExport,
};

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {ExportCommand}
 */
function readExport(values, words) {
  const session = readSession("export", words);
  const output = readOutput(values.output);
  if (values.to === undefined)
    return { name: "export", sessions: [session], query: readExportQuery(values), output, isZip: false };
  const ofOne = /** @type {const} */ (["output", "branch", "turns", "records", "digest"]).find(
    (flag) => values[flag] !== undefined,
  );
  if (ofOne)
    throw new UsageError(`--${ofOne} is for one session, and --to for a zip of several. Give one of them.`);
  const sessions = [session, ...words.splice(0)];
  const query = readExportQuery(values);
  return { name: "export", sessions, query, output: readOutput(values.to), isZip: true };
}

/** What can be left out of an export. */
const LEFT_OUT = ["thinking", "tools", "agents", "images"];

/**
 * The query with which the API is asked for an export.
 *
 * @param {import("./flags.mjs").Values} values
 */
function readExportQuery({
  format,
  redact,
  tilde,
  relative,
  comments,
  branch,
  turns,
  records,
  without,
  digest,
}) {
  if (format === undefined || !EXPORT_FORMAT_IDS.some((one) => one === format)) {
    throw new UsageError(`give --format one of ${EXPORT_FORMAT_IDS.join(", ")}.`);
  }
  if (turns !== undefined && !/^[1-9]\d{0,6}(-[1-9]\d{0,6})?$/.test(turns))
    throw new UsageError(
      `"${turns}" names no turns. Give --turns a number, like 3, or the first and the last, like 3-7.`,
    );
  if (
    records !== undefined &&
    !/^[a-z0-9]+~[0-9a-z]+(\.\.[a-z0-9]+~[0-9a-z]+|(,[a-z0-9]+~[0-9a-z]+)*)$/.test(records)
  )
    throw new UsageError(
      `"${records}" names no records. Give --records the first and the last, like m~1k9..m~2ab, or single ones, like m~1k9,m~2ab: a row’s link names its record.`,
    );
  if ((tilde || relative) && WITH_LOGGED_PATHS.some((one) => one === format))
    throw new UsageError(
      `what Claude Code reads has its paths as they were logged: --${tilde ? "tilde" : "relative"} does not go with --format ${format}.`,
    );
  if (comments && !WITH_COMMENTS.some((one) => one === format))
    throw new UsageError(
      `--comments goes with --format ${WITH_COMMENTS.join(" or ")}: others have no place for them.`,
    );
  const leftOut = (without ?? "").split(",").filter(Boolean);
  const unknown = leftOut.find((one) => !LEFT_OUT.includes(one));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" cannot be left out. Give --without any of ${LEFT_OUT.join(", ")}, with commas between them.`,
    );
  if (digest !== undefined && !/^[1-9]\d{0,5}$/.test(digest))
    throw new UsageError(
      `"${digest}" is no number of turns. Give --digest how many of the last turns stay as they are.`,
    );
  const query = new URLSearchParams({ format });
  if (redact) query.set("redact", "1");
  if (tilde) query.set("tilde", "1");
  if (relative) query.set("relative", "1");
  if (comments) query.set("comments", "1");
  if (branch !== undefined) query.set("branch", branch);
  if (turns !== undefined) query.set("turns", turns);
  if (records !== undefined) query.set("records", records);
  if (digest !== undefined) query.set("digest", digest);
  for (const one of leftOut) query.set(one, "0");
  return query.toString();
}
