/** @typedef {{ name: "running", json: boolean }} RunningCommand */

/** @satisfies {import("./flags.mjs").CommandOptions<RunningCommand>} */
export const runningOptions = {
  takes: /** @type {const} */ (["json"]),
  read: ({ json = false }) => ({ name: "running", json }),
};
