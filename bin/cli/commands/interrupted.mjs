/** With which a terminal or a system ends a program. */
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Does something that leaves files behind until it is done. Where the program is ended meanwhile, they are removed first.
 *
 * @template T
 * @param {() => void} undo
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function undoneWhenInterrupted(undo, work) {
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    undo();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
