import { chmodSync, statSync } from "node:fs";

/**
 * Has a file readable by its owner alone. A disk without such rights, as FAT and exFAT are, refuses that; whoever mounted
 * it has said who reads what is there.
 *
 * @param {string} path
 * @throws what the system says, for a file of another account too
 */
export function makeOwnerOnly(path) {
  try {
    chmodSync(path, 0o600);
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    const isRefused = code === "EPERM" || code === "ENOTSUP";
    if (!isRefused || statSync(path).uid !== process.getuid?.()) throw cause;
  }
}
