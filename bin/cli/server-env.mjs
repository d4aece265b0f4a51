import { damagedFiles } from "./damaged-file.mjs";

/**
 * The environment is all that the server code is told:
 * - `BACKSCROLL_TOKEN`: the owner's bearer token.
 * - `BACKSCROLL_ROOTS`: JSON array of `{path, kind}`, see roots.mjs.
 * - `BACKSCROLL_DATA_DIR`: absolute path of a folder of its own, mode 0700.
 * - `BACKSCROLL_HOST`, `BACKSCROLL_PORT`: where it listens; the port is known before the first request.
 * - `BACKSCROLL_ALLOW_HOSTS`: JSON array of further names for the Host header, `NAME` or `NAME:PORT`.
 * - `BACKSCROLL_DEMO`: `1` when the roots are the samples, else empty.
 * - `BACKSCROLL_VERSION`: this package's version.
 * - `BACKSCROLL_WARNINGS`: JSON array of what was damaged in the data folder, for readers to be told.
 * - `BACKSCROLL_PACKAGE_ROOT`: the folder of package.json, from which packages that cannot be bundled load.
 *
 * @typedef {object} ServerSettings
 * @property {string} host
 * @property {number} port 0 takes any free one
 * @property {string} token
 * @property {import("./roots.mjs").Root[]} roots
 * @property {string} dataDir
 * @property {string[]} allowHosts
 * @property {boolean} demo
 * @property {string} version
 * @property {string} packageRoot
 *
 * @param {ServerSettings} settings
 */
export function serverEnv({ host, port, token, roots, dataDir, allowHosts, demo, version, packageRoot }) {
  return {
    BACKSCROLL_TOKEN: token,
    BACKSCROLL_ROOTS: JSON.stringify(roots),
    BACKSCROLL_DATA_DIR: dataDir,
    BACKSCROLL_HOST: host,
    BACKSCROLL_PORT: String(port),
    BACKSCROLL_ALLOW_HOSTS: JSON.stringify(allowHosts),
    BACKSCROLL_DEMO: demo ? "1" : "",
    BACKSCROLL_VERSION: version,
    BACKSCROLL_WARNINGS: JSON.stringify(damagedFiles()),
    BACKSCROLL_PACKAGE_ROOT: packageRoot,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}
