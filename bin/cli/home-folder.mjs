import { homedir } from "node:os";
import { UsageError } from "./usage-error.mjs";

/**
 * The user's home folder. An account of a container may have none: a number without an entry in the system's list of users,
 * and no HOME.
 *
 * @returns {string}
 * @throws {UsageError}
 */
export function homeFolder() {
  try {
    return homedir();
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code !== "ERR_SYSTEM_ERROR") throw cause;
    throw new UsageError(
      "this account has no home folder. Name the folders with --claude-dir DIR and --data-dir DIR, or set HOME.",
    );
  }
}
