import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { guardNextServer } from "./guard.mjs";
import { quietConsole } from "./print.mjs";
import { answers } from "./running-server.mjs";
import { serverEnv } from "./server-env.mjs";
import { UsageError } from "./usage-error.mjs";

/**
 * Starts the built server in this process and resolves to its port once it answers.
 *
 * @param {string} serverFile
 * @param {import("./server-env.mjs").ServerSettings} settings
 * @returns {Promise<{ port: number, server: import("node:http").Server }>}
 * @throws {UsageError} when the port, the address or a database cannot be had
 */
export async function serve(serverFile, settings) {
  const { host, port, token, basePath } = settings;
  refuseWithoutSqlite(settings.packageRoot);
  Object.assign(process.env, serverEnv(settings), {
    NODE_ENV: "production",
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
  const actual = server.address().port;
  process.env.BACKSCROLL_PORT = String(actual);

  // The first answer is the slowest, so we take it instead of the reader.
  await answers({ host, port: actual, basePath, token });
  endSilence();
  return { port: actual, server };
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
  const { listen } = server;
  server.listen = function () {
    return listen.call(this, { port, host });
  };
}

/**
 * @param {NodeJS.ErrnoException} cause
 * @param {string} host
 * @param {number} port
 */
function listenError(cause, host, port) {
  switch (cause.code) {
    case "EADDRINUSE":
      return new UsageError(
        `port ${port} is in use by another program. Give another with --port N (0 takes any free one).`,
      );
    case "EACCES":
      return new UsageError(`port ${port} may not be used by this account. Give another with --port N.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UsageError(
        `${host} is not an address of this machine. Give --host another, such as 127.0.0.1.`,
      );
    default:
      return cause;
  }
}
