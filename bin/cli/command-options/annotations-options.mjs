import { resolve } from "node:path";
import { UsageError } from "../usage-error.mjs";
import { readOutput } from "./flags.mjs";

/** @typedef {{ name: "annotations", action: "export", output: string | undefined } | { name: "annotations", action: "import", file: string }} AnnotationsCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<AnnotationsCommand>} */
export const annotationsOptions = {
  takes: /** @type {const} */ (["output", "json"]),
  read: readAnnotationsCommand,
};

/**
 * @param {import("./flags.mjs").Values} values
 * @param {string[]} words
 * @returns {AnnotationsCommand}
 */
function readAnnotationsCommand({ output, json }, words) {
  const [action, file, ...more] = words.splice(0);
  if (json) throw new UsageError("what backscroll annotations export writes is JSON already.");
  if (action === "export" && file === undefined)
    return { name: "annotations", action, output: readOutput(output) };
  if (action === "import" && file !== undefined && more.length === 0 && output === undefined)
    return { name: "annotations", action, file: resolve(file) };
  throw new UsageError(
    "say what to do: backscroll annotations export [--output FILE], or backscroll annotations import FILE.",
  );
}
