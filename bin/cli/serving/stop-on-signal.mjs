import { ENDING_SIGNALS } from "../interrupted.mjs";
import { isNpmStart } from "../npm-start.mjs";

/** Who started this process. */
const PARENT = process.ppid;
const PARENT_POLL_MS = 1_000;

/**
 * Ends the server and the process where a terminal or a system asks for it.
 *
 * @param {import("node:http").Server} server open streams are cut, since they would never end
 * @param {import("node:net").Server | null} own
 */
export function stopOnSignal(server, own) {
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
