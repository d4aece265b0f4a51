import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspect, isDeepStrictEqual } from "node:util";
import { moveAnnotations } from "./commands/annotations.mjs";
import { printArchive, runOnArchive } from "./commands/archive.mjs";
import { ask } from "./commands/ask.mjs";
import { exportSession } from "./commands/export-session.mjs";
import { files } from "./commands/files.mjs";
import { indexLogs } from "./commands/index-logs.mjs";
import { passOnMcp } from "./commands/mcp.mjs";
import { restoreSession } from "./commands/restore-session.mjs";
import { search } from "./commands/search.mjs";
import { printUsage } from "./commands/usage.mjs";
import { why } from "./commands/why.mjs";
import { keepCompiled } from "./compile-cache.mjs";
import { defaultDataDir, findAnnotationsDir, findArchiveDir, openDataDir } from "./data-dir.mjs";
import { drawFirstPage } from "./first-page.mjs";
import { helpFor } from "./help.mjs";
import { ENDING_SIGNALS } from "./interrupted.mjs";
import { limitHeapGrowth, restartLean } from "./lean-memory.mjs";
import { buildOf, locateServer, PACKAGE_ROOT } from "./locate-server.mjs";
import { openBrowser } from "./open-browser.mjs";
import { readingFlags, readOptions, USUAL } from "./options.mjs";
import { exitWhenPrinted, isReaderGone, outliveReaders, print, printError } from "./print.mjs";
import { findRoots } from "./roots.mjs";
import {
  answers,
  endRunningServer,
  findRunningServer,
  forgetRunningServer,
  localUrl,
  noteRunningServer,
} from "./running-server.mjs";
import { isLoopback, OWNERS_HOST } from "./serving/listeners.mjs";
import { serve } from "./serving/serve.mjs";
import { keepToken } from "./token.mjs";
import { UsageError } from "./usage-error.mjs";

/** Who started this process. */
const PARENT = process.ppid;
const PARENT_POLL_MS = 1_000;

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

  const roots = findRoots(options, process.env);
  const paths = roots.map((root) => root.path);
  const dataDir = openDataDir(resolve(options.dataDir ?? defaultDataDir(process.env, options.demo)), paths);
  const archiveDir = findArchiveDir(options, process.env, paths);
  const annotationsDir = findAnnotationsDir(options, process.env, dataDir, paths);
  const prices = findPrices(options.prices);
  const context = {
    roots,
    dataDir,
    archiveDir,
    annotationsDir,
    prices,
    flags: readingFlags(options),
    version,
  };
  if (options.command !== null) return runCommand(options.command, options, context);
  const serverFile = await locateServer(process.env);
  const build = buildOf(serverFile, version);
  if (await openRunning(options, context, build)) return;
  restartLean(process.env);
  limitHeapGrowth();
  keepCompiled({ serverFile, build, dataDir }, process.env);

  const token = options.token ?? keepToken(dataDir, options.newToken);
  const settings = { ...options, ...context, token, packageRoot: PACKAGE_ROOT };
  const isFirst = archiveDir !== null && !existsSync(archiveDir);
  const { host, port, server, own } = await serve(serverFile, settings).catch(async (cause) => {
    // Another start may have taken the port in the meantime.
    if (cause instanceof UsageError && (await openRunning(options, context, build))) process.exit(0);
    throw cause;
  });

  const note = {
    pid: process.pid,
    host,
    port,
    basePath: options.basePath,
    token,
    listensAt: options.host,
    allowHosts: options.allowHosts,
    roots: paths,
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

/**
 * The real path of a table of prices. The server says what is wrong inside of it; a path that leads to no JSON at all is a
 * mistake on the command line.
 *
 * @param {string | undefined} path
 */
function findPrices(path) {
  if (path === undefined) return undefined;
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return realpathSync.native(path);
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT")
      throw new UsageError(`there is no file ${path}. Check the path given as --prices.`);
    if (code === "EISDIR")
      throw new UsageError(`${path} is a folder. Give the file of prices in it as --prices.`);
    if (code !== undefined)
      throw new UsageError(`the prices in ${path} cannot be read (${code}). Check its permissions.`);
    throw new UsageError(`the prices in ${path} are no JSON: ${message}. README shows their form.`);
  }
}

/**
 * What a run reads and where it keeps things, found on this machine.
 *
 * @typedef {{ roots: import("./roots.mjs").Root[], dataDir: string, archiveDir: string | null, annotationsDir: string, prices: string | undefined, flags: string[], version: string }} Context
 */

/**
 * Runs a command against the server already running on this data folder, if it shows what was asked for, or against one
 * started just for the command, and then exits.
 *
 * @param {import("./command-options.mjs").Command} command
 * @param {import("./options.mjs").Options} options
 * @param {Context} context
 */
async function runCommand(command, options, context) {
  const { roots, dataDir, archiveDir, version } = context;
  const serverFile = await locateServer(process.env);
  const build = buildOf(serverFile, version);
  limitHeapGrowth();
  keepCompiled({ serverFile, build, dataDir }, process.env);
  if (command.name === "archive" && command.action !== "status") {
    // The compiled code alone is needed: a server that reads and keeps nothing.
    const nothing = {
      roots: [],
      dataDir: "",
      archiveDir: null,
      annotationsDir: "",
      ...FOR_COMMANDS,
      token: keepToken(dataDir, false),
    };
    await serve(serverFile, { ...options, ...context, ...nothing, packageRoot: PACKAGE_ROOT });
    const isWell = await runOnArchive(command, archiveDir, roots);
    return exitWhenPrinted(isWell ? undefined : 1);
  }
  const server = await findServer();
  try {
    await COMMANDS[command.name](server, /** @type {never} */ (command), () => findServer(true));
  } catch (cause) {
    if (cause instanceof UsageError || !("pid" in server) || (await answers(server))) throw cause;
    throw new UsageError(
      `the running Backscroll that was asked (process ${server.pid}) has ended. Run the command again.`,
    );
  }
  await exitWhenPrinted();

  /** @param {boolean} [isAgain] the one that was asked has ended: in its place there may be a newer one */
  async function findServer(isAgain = false) {
    const running = await findRunningServer(dataDir);
    const isSame =
      running !== null &&
      (isAgain || running.build === build) &&
      showsRoots(running, roots) &&
      unlike(running, options, context).length === 0;
    return isSame ? running : startQuietly();
  }

  async function startQuietly() {
    const token = options.token ?? keepToken(dataDir, options.newToken);
    const settings = { ...options, ...context, ...FOR_COMMANDS, token, packageRoot: PACKAGE_ROOT };
    const { host, port } = await serve(serverFile, settings);
    return { host, port, basePath: "", token };
  }
}

/** A server that is started for a command is asked by this process alone, whatever address others are given. */
const FOR_COMMANDS = { host: OWNERS_HOST, port: 0, basePath: "" };

const COMMANDS = {
  index: indexLogs,
  doctor,
  export: exportSession,
  restore: restoreSession,
  archive: printArchive,
  search,
  usage: printUsage,
  why,
  files,
  annotations: moveAnnotations,
  mcp: passOnMcp,
};

/**
 * `backscroll doctor`: prints the report, or the secrets found, as text, as the API's JSON or as SARIF.
 *
 * @param {import("./commands/ask.mjs").Server} server
 * @param {{ secrets: boolean, format: string }} options
 */
async function doctor(server, { secrets, format }) {
  const text = await (await ask(server, `doctor${secrets ? "/secrets" : ""}?format=${format}`)).text();
  print(text.endsWith("\n") ? text : `${text}\n`);
}

/**
 * Opens the server that already runs on this data folder, if there is one. A server of another build is stopped
 * instead: after an update, its files and so its pages may be gone.
 *
 * @param {import("./options.mjs").Options} options
 * @param {Context} context
 * @param {string} build of the server that would be started
 */
async function openRunning(options, context, build) {
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
 * @param {import("./running-server.mjs").RunningServer} running
 * @param {import("./options.mjs").Options} options
 * @param {Context} context
 */
function unlike(running, options, { prices, archiveDir }) {
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
 * @param {import("./running-server.mjs").RunningServer} running
 * @param {import("./options.mjs").Options} options
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
 * @param {import("./running-server.mjs").RunningServer} running
 * @param {import("./roots.mjs").Root[]} roots
 */
function showsRoots(running, roots) {
  return isDeepStrictEqual(
    running.roots,
    roots.map((root) => root.path),
  );
}

/**
 * @param {import("./running-server.mjs").RunningServer} server
 * @param {import("./options.mjs").Options} options
 */
async function announce(server, options) {
  print(`Backscroll is ready at ${localUrl(server)}/#t=${server.token}\n`);
  if (options.open) await openBrowser(server, process.env);
}

/** @param {string} folder said once, by the start that begins to keep */
function announceArchive(folder) {
  printError(
    `backscroll: what it reads is kept in ${folder}, compressed, so that sessions stay when the client removes its logs.\n` +
      "backscroll: the settings on the page and backscroll archive show how much; --no-archive keeps nothing.\n",
  );
}

/** @param {string} host */
function warnIfExposed(host) {
  if (isLoopback(host)) return;
  const reader = "whoever can read the network's traffic can read the token and the sessions";
  printError(`backscroll: listening on ${host} without encryption; ${reader}.\n`);
}

/**
 * @param {import("node:http").Server} server open streams are cut, since they would never end
 * @param {import("node:net").Server | null} own
 */
function stopOnSignal(server, own) {
  let isStopping = false;
  const stop = () => {
    // A terminal's Ctrl+C comes twice: from the terminal itself, and from the process that started this one.
    if (isStopping) return;
    isStopping = true;
    own?.close();
    server.close(() => process.exit(0));
    server.closeAllConnections();
    setTimeout(() => process.exit(0), 1_000).unref();
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, stop);
  if (!isNpmStart()) return;
  // npm hands a SIGTERM to the shell that it runs this in, which ends of it and hands on nothing.
  setInterval(() => process.ppid !== PARENT && stop(), PARENT_POLL_MS).unref();
}

/** Whether this is `npm start` in a clone. */
function isNpmStart() {
  const { npm_lifecycle_event: script, npm_package_name: of } = process.env;
  return script === "start" && of === "backscroll";
}
