import { isDeepStrictEqual } from "node:util";
import { USUAL } from "../options.mjs";
import { printError } from "../print.mjs";
import { endRunningServer, findRunningServer } from "../running-server.mjs";
import { UsageError } from "../usage-error.mjs";
import { announce } from "./announce.mjs";

/**
 * Opens the server that already runs on this data folder, if there is one. A server of another build is stopped
 * instead: after an update, its files and so its pages may be gone.
 *
 * @param {import("../options.mjs").Options} options
 * @param {import("../context.mjs").Context} context
 * @param {string} build of the server that would be started
 */
export async function openRunning(options, context, build) {
  const { roots } = context;
  const running = await findRunningServer(context.dataDir);
  if (running === null) return false;
  if (options.newToken || (options.token !== undefined && options.token !== running.token)) {
    throw new UsageError(`already running with another token (process ${running.pid}). Stop it first.`);
  }
  if (running.build !== build && (await endRunningServer(running))) {
    printError(`backscroll: ended process ${running.pid}, which ran another build of it.\n`);
    return false;
  }
  if (!showsRoots(running, roots)) {
    const shown = running.roots.join(", ");
    printError(`backscroll: already running and showing ${shown}; --data-dir DIR starts another.\n`);
  }
  const flags = [...unlike(running, options, context), ...servesUnlike(running, options)].join(" and ");
  if (flags)
    printError(
      `backscroll: already running otherwise than with this ${flags}; stop it first (process ${running.pid}).\n`,
    );
  await announce(running, options);
  return true;
}

/**
 * The flags that were given and for which a running server has something else.
 *
 * @param {import("../running-server.mjs").RunningServer} running
 * @param {import("../options.mjs").Options} options
 * @param {import("../context.mjs").Context} context
 */
export function unlike(running, options, { prices, archiveDir }) {
  return [
    ...(prices !== undefined && running.prices !== prices ? ["--prices"] : []),
    ...(options.archiveDir !== undefined && running.archiveDir !== (archiveDir ?? "")
      ? ["--archive-dir"]
      : []),
  ];
}

/**
 * The same of the flags that say where its pages are and whether anything is kept, which are nothing to a command that
 * asks it. What is usual counts as not given.
 *
 * @param {import("../running-server.mjs").RunningServer} running
 * @param {import("../options.mjs").Options} options
 */
function servesUnlike(running, { port, host, basePath, allowHosts, archive }) {
  return [
    ...(port !== 0 && port !== USUAL.port && port !== running.port ? ["--port"] : []),
    ...(host !== USUAL.host && host !== running.listensAt ? ["--host"] : []),
    ...(basePath !== USUAL.basePath && basePath !== running.basePath ? ["--base-path"] : []),
    ...(allowHosts.every((name) => running.allowHosts.includes(name)) ? [] : ["--allow-host"]),
    ...(!archive && running.archiveDir !== "" ? ["--no-archive"] : []),
  ];
}

/**
 * @param {import("../running-server.mjs").RunningServer} running
 * @param {import("../roots.mjs").Root[]} roots
 */
export function showsRoots(running, roots) {
  return isDeepStrictEqual(
    running.roots,
    roots.map((root) => root.path),
  );
}
