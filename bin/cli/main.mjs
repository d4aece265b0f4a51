import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { runCommand } from "./commands/run-command.mjs";
import { keepCompiled, optimiseLater } from "./compile-cache.mjs";
import { findContext } from "./context.mjs";
import { drawFirstPage } from "./first-page.mjs";
import { helpFor } from "./help.mjs";
import { limitHeapGrowth, restartLean } from "./lean-memory.mjs";
import { buildOf, locateServer, PACKAGE_ROOT } from "./locate-server.mjs";
import { isNpmStart } from "./npm-start.mjs";
import { readOptions } from "./options.mjs";
import { exitWhenPrinted, isReaderGone, outliveReaders, print, printError } from "./print.mjs";
import { forgetRunningServer, noteRunningServer, pidNotedAt } from "./running-server.mjs";
import { openRunning } from "./serving/already-running.mjs";
import { announce, announceArchive, warnIfExposed } from "./serving/announce.mjs";
import { serve } from "./serving/serve.mjs";
import { stopOnSignal } from "./serving/stop-on-signal.mjs";
import { keepToken } from "./token.mjs";
import { UsageError } from "./usage-error.mjs";

/**
 * Runs a command line. Errors that the caller can fix print one line on stderr and exit with 2; bugs print a stack
 * trace and exit with 1.
 *
 * @param {string[]} args without node and script
 */
export async function main(args) {
  outliveReaders();
  try {
    await run(args);
  } catch (cause) {
    // Whoever read what was printed has seen enough of it.
    if (isReaderGone(cause)) process.exit(0);
    const isUsage = cause instanceof UsageError;
    printError(isUsage ? `backscroll: ${cause.message}\n` : `${inspect(cause)}\n`);
    await exitWhenPrinted(isUsage ? 2 : 1);
  }
}

/** @param {string[]} args */
async function run(args) {
  // npm moves to the clone first; paths are the caller's, who may stand below it.
  const { INIT_CWD } = process.env;
  if (isNpmStart() && INIT_CWD && existsSync(INIT_CWD)) process.chdir(INIT_CWD);
  const options = readOptions(args, process.env);
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"));
  if (options.help) return print(helpFor(args));
  if (options.version) return print(`${version}\n`);

  const context = findContext(options, process.env);
  const { command } = options;
  if (command !== null && command.name !== "open") return runCommand(command, options, context, version);

  const { roots, dataDir, archiveDir, prices } = context;
  const serverFile = await locateServer(process.env);
  const build = buildOf(serverFile, version);
  if (await openRunning(options, context, build)) return;
  restartLean(process.env);
  limitHeapGrowth();
  optimiseLater();
  keepCompiled({ serverFile, build, dataDir }, process.env);

  const token = options.token ?? keepToken(dataDir, options.newToken);
  const settings = { ...options, ...context, token, version, packageRoot: PACKAGE_ROOT };
  const isFirst = archiveDir !== null && !existsSync(archiveDir);
  const { host, port, server, own } = await serve(serverFile, settings).catch(async (cause) => {
    // Another start may have taken the port in the meantime.
    if (!(cause instanceof UsageError)) throw cause;
    if (await openRunning(options, context, build)) process.exit(0);
    throw portHeldBySilent(dataDir, options.port) ?? cause;
  });

  const note = {
    pid: process.pid,
    host,
    port,
    basePath: options.basePath,
    token,
    listensAt: options.host,
    allowHosts: options.allowHosts,
    roots: roots.map((root) => root.path),
    prices: prices ?? "",
    archiveDir: archiveDir ?? "",
    build,
  };
  noteServer(dataDir, note);
  stopOnSignal(server, own);
  warnIfExposed(options.host);
  const opened = announce(note, options);
  if (isFirst) announceArchive(archiveDir);
  await Promise.all([opened, drawFirstPage(note)]);
}

/**
 * Why a port cannot be had that the server of this data folder holds without answering: its process was stopped, or the
 * machine has no time for it. `null` where it does not hold it.
 *
 * @param {string} dataDir
 * @param {number} port
 */
function portHeldBySilent(dataDir, port) {
  const pid = pidNotedAt(dataDir, port);
  if (pid === null) return null;
  return new UsageError(
    `port ${port} is in use by the server of this data folder (process ${pid}), which does not answer. Try again, or stop it first.`,
  );
}

/**
 * Writes down that this process serves, as long as it does. It can do without: on a full disk there is all to read.
 *
 * @param {string} dataDir
 * @param {import("./running-server.mjs").RunningServer} note
 */
function noteServer(dataDir, note) {
  try {
    noteRunningServer(dataDir, note);
    process.on("exit", () => forgetRunningServer(dataDir));
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === undefined) throw cause;
    printError(
      `backscroll: ${dataDir} cannot be written (${code}), so other starts and commands do not find this one.\n`,
    );
  }
}
