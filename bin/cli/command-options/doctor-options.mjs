import { UsageError } from "../usage-error.mjs";

/** @typedef {{ name: "doctor", secrets: boolean, format: "text" | "json" | "sarif" }} DoctorCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<DoctorCommand>} */
export const doctorOptions = { takes: /** @type {const} */ (["json", "secrets", "sarif"]), read: readDoctor };

/**
 * @param {import("./flags.mjs").Values} values
 * @returns {DoctorCommand}
 */
function readDoctor({ json, secrets = false, sarif }) {
  if (sarif && (json || !secrets)) throw new UsageError("--sarif belongs to --secrets, without --json.");
  return { name: "doctor", secrets, format: sarif ? "sarif" : json ? "json" : "text" };
}
