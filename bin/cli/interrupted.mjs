/** With which a terminal or a system ends a program. */
export const ENDING_SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Does something that leaves files or processes behind until it is done. Where the program is ended meanwhile, that is undone
 * first.
 *
 * @template T
 * @param {(signal: NodeJS.Signals) => void} undo
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function undoneWhenInterrupted(undo, work) {
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    undo(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  }
}
