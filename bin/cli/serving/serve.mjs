import { createHash } from "node:crypto";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildOf } from "../locate-server.mjs";
import { quietConsole } from "../print.mjs";
import { answers } from "../running-server.mjs";
import { serverEnv } from "../server-env.mjs";
import { UsageError } from "../usage-error.mjs";
import { guardNextServer } from "./guard.mjs";
import { handOn, listenError, listenForOwner, placesOf, portOf } from "./listeners.mjs";

/**
 * A server that answers. Its owner reaches it at `host`, which may be another than it was told to listen on; `own` is
 * the listener there, where that needs one.
 *
 * @typedef {{ host: string, port: number, server: import("node:http").Server, own: import("node:net").Server | null }} Served
 */

/**
 * Starts the built server in this process and resolves once it answers.
 *
 * @param {string} serverFile
 * @param {import("../server-env.mjs").ServerSettings} settings
 * @returns {Promise<Served>}
 * @throws {UsageError} when the port, the address or a database cannot be had
 */
export async function serve(serverFile, settings) {
  const { token, basePath } = settings;
  refuseWithoutSqlite(settings.packageRoot);
  const { host, ownersHost, own } = await openPlaces(settings.host, settings.port);
  const port = own ? portOf(own) : settings.port;
  const build = createHash("sha256").update(buildOf(serverFile, settings.version)).digest("hex");
  Object.assign(process.env, serverEnv({ ...settings, host, port }), {
    NODE_ENV: "production",
    // Pages tell by it that they are of another build. It says nothing to who has no token.
    BACKSCROLL_BUILD: build.slice(0, 16),
    // Read by Next. Without HOSTNAME it listens on every address, and many shells set it to something else.
    HOSTNAME: host,
    PORT: String(port),
    NEXT_MANUAL_SIG_HANDLE: "1",
    // Colours would be escaped (print.mjs) like any other control sequence.
    NO_COLOR: "1",
  });

  const endSilence = quietConsole();
  const listening = new Promise((resolve, reject) => {
    guardNextServer((server) => {
      listenOn(server, port, host);
      server.once("listening", () => resolve(server));
      server.on("error", (cause) => reject(listenError(cause, host, port)));
    }, basePath);
  });
  const [server] = await Promise.all([listening, import(pathToFileURL(serverFile).href)]);
  const actual = portOf(server);
  process.env.BACKSCROLL_PORT = String(actual);
  if (own) handOn(own, server);

  // The first answer is the slowest, so we take it instead of the reader.
  await answers({ host: ownersHost, port: actual, basePath, token });
  endSilence();
  return { host: ownersHost, port: actual, server, own };
}

/**
 * @param {string} host
 * @param {number} port
 */
async function openPlaces(host, port) {
  try {
    const places = await placesOf(host);
    return { ...places, own: places.isApart ? await listenForOwner(host, port) : null };
  } catch (cause) {
    throw listenError(/** @type {NodeJS.ErrnoException} */ (cause), host, port);
  }
}

/**
 * Checks that a SQLite is available: Node's own from 22.13 on, else an optional package, which npm silently leaves out
 * if it has no binary for the platform.
 *
 * @param {string} packageRoot
 * @param {boolean} hasOwn whether this Node brings one
 * @throws {UsageError} when there is neither
 */
export function refuseWithoutSqlite(packageRoot, hasOwn = isBuiltin("node:sqlite")) {
  if (hasOwn) return;
  try {
    createRequire(join(packageRoot, "package.json")).resolve("@photostructure/sqlite");
  } catch {
    throw new UsageError(
      `Node ${process.versions.node} has no SQLite, and the package that brings one is not installed. Use Node 22.13 or newer, or install again.`,
    );
  }
}

/**
 * Next treats port 0 as "not given" and uses 3000, so the server's own `listen` is overridden.
 *
 * @param {import("node:http").Server} server
 * @param {number} port
 * @param {string} host
 */
function listenOn(server, port, host) {
  const listen = server.listen.bind(server);
  server.listen = () => listen({ port, host });
}
