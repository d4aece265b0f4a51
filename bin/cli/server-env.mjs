import { resolve } from "node:path";
import { damagedFiles } from "./damaged-file.mjs";

/**
 * The server's settings, which it reads from the environment only:
 * - `BACKSCROLL_TOKEN`: the owner's bearer token.
 * - `BACKSCROLL_ROOTS`: JSON array of `{path, kind}`, see roots.mjs.
 * - `BACKSCROLL_DATA_DIR`: absolute path of its own folder, mode 0700.
 * - `BACKSCROLL_FLAGS`: JSON array of the flags and paths that name the roots and the data folder, for commands that the page shows.
 * - `BACKSCROLL_ARCHIVE_DIR`: absolute path of the folder in which what was read is kept; empty: nowhere.
 * - `BACKSCROLL_PRICES`: absolute path of a table of prices; empty: the built-in ones.
 * - `BACKSCROLL_ANNOTATIONS_DIR`: absolute path of the folder in which stars, notes and comments are kept.
 * - `BACKSCROLL_HOST`, `BACKSCROLL_PORT`: where it listens; the port is set before the first request.
 * - `BACKSCROLL_ALLOW_HOSTS`: JSON array of additional names for the Host header, `NAME` or `NAME:PORT`.
 * - `BACKSCROLL_BASE_PATH`: the path below which it is served, like `/logs`; empty: none.
 * - `BACKSCROLL_DEMO`: `1` when the roots are the samples, else empty.
 * - `BACKSCROLL_VERSION`: this package's version.
 * - `BACKSCROLL_BUILD`: what tells this build from every other, set where the built server is started (serving/serve.mjs).
 * - `BACKSCROLL_WARNINGS`: JSON array of warnings about damaged files in the data folder, to be shown on the page.
 * - `BACKSCROLL_PACKAGE_ROOT`: the folder of package.json, to load packages from that can't be bundled.
 *
 * @typedef {object} ServerSettings
 * @property {string} host
 * @property {number} port 0 takes any free one
 * @property {string} token
 * @property {import("./roots.mjs").Root[]} roots
 * @property {string} dataDir
 * @property {string[]} flags
 * @property {string | null} archiveDir
 * @property {string | undefined} prices
 * @property {string} annotationsDir
 * @property {string[]} allowHosts
 * @property {string} basePath
 * @property {boolean} demo
 * @property {string} version
 * @property {string} packageRoot
 *
 * @param {ServerSettings} settings
 */
export function serverEnv(settings) {
  const { host, port, token, roots, dataDir, archiveDir, annotationsDir } = settings;
  const { flags, prices, allowHosts, basePath, demo, version, packageRoot } = settings;
  return {
    BACKSCROLL_TOKEN: token,
    BACKSCROLL_ROOTS: JSON.stringify(roots),
    BACKSCROLL_DATA_DIR: dataDir,
    BACKSCROLL_FLAGS: JSON.stringify(flags),
    BACKSCROLL_ARCHIVE_DIR: archiveDir ?? "",
    BACKSCROLL_PRICES: prices === undefined ? "" : resolve(prices),
    BACKSCROLL_ANNOTATIONS_DIR: annotationsDir,
    BACKSCROLL_HOST: host,
    BACKSCROLL_PORT: String(port),
    BACKSCROLL_ALLOW_HOSTS: JSON.stringify(allowHosts),
    BACKSCROLL_BASE_PATH: basePath,
    BACKSCROLL_DEMO: demo ? "1" : "",
    BACKSCROLL_VERSION: version,
    BACKSCROLL_WARNINGS: JSON.stringify(damagedFiles()),
    BACKSCROLL_PACKAGE_ROOT: packageRoot,
    NEXT_TELEMETRY_DISABLED: "1",
  };
}
