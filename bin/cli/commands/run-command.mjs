import { keepCompiled, optimiseLater } from "../compile-cache.mjs";
import { limitHeapGrowth } from "../lean-memory.mjs";
import { buildOf, locateServer, PACKAGE_ROOT } from "../locate-server.mjs";
import { exitWhenPrinted } from "../print.mjs";
import { answers, findRunningServer } from "../running-server.mjs";
import { showsRoots, unlike } from "../serving/already-running.mjs";
import { OWNERS_HOST } from "../serving/listeners.mjs";
import { serve } from "../serving/serve.mjs";
import { keepToken } from "../token.mjs";
import { UsageError } from "../usage-error.mjs";
import { moveAnnotations } from "./annotations.mjs";
import { printArchive, runOnArchive } from "./archive.mjs";
import { printReport } from "./doctor.mjs";
import { exportSession } from "./export-session.mjs";
import { files } from "./files.mjs";
import { indexLogs } from "./index-logs.mjs";
import { passOnMcp } from "./mcp.mjs";
import { printPrompts } from "./prompts.mjs";
import { restoreSession } from "./restore-session.mjs";
import { printRunning } from "./running.mjs";
import { search } from "./search.mjs";
import { printSessions } from "./sessions.mjs";
import { printUsage } from "./usage.mjs";
import { why } from "./why.mjs";

/** A server that is started for a command is asked by this process alone, whatever address others are given. */
const FOR_COMMANDS = { host: OWNERS_HOST, port: 0, basePath: "" };

const COMMANDS = {
  index: indexLogs,
  doctor: printReport,
  export: exportSession,
  restore: restoreSession,
  archive: printArchive,
  sessions: printSessions,
  running: printRunning,
  search,
  usage: printUsage,
  prompts: printPrompts,
  why,
  files,
  annotations: moveAnnotations,
  mcp: passOnMcp,
};

/**
 * Runs a command against the server already running on this data folder, if it shows what was asked for, or against one
 * started just for the command, and then exits.
 *
 * @param {Exclude<import("../command-options/read-command.mjs").Command, { name: "open" }>} command one that serves no pages
 * @param {import("../options.mjs").Options} options
 * @param {import("../context.mjs").Context} context
 * @param {string} version of this package
 */
export async function runCommand(command, options, context, version) {
  const { roots, dataDir, archiveDir } = context;
  const serverFile = await locateServer(process.env);
  const build = buildOf(serverFile, version);
  limitHeapGrowth();
  optimiseLater();
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
    await serve(serverFile, { ...options, ...context, ...nothing, version, packageRoot: PACKAGE_ROOT });
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
    const settings = { ...options, ...context, ...FOR_COMMANDS, token, version, packageRoot: PACKAGE_ROOT };
    const { host, port } = await serve(serverFile, settings);
    return { host, port, basePath: "", token };
  }
}
