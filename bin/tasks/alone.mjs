import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 250;

/** What this process is alone with. */
const own = new Set();

/**
 * Does something in a clone that no two processes may do at once, such as an install or a build. Who comes second says so
 * on stderr and waits; who was killed meanwhile is not waited for.
 *
 * @template T
 * @param {string} folder the clone's
 * @param {(hasWaited: boolean) => Promise<T>} work after a wait it may have been done by the other
 * @returns {Promise<T>}
 */
export async function alone(folder, work) {
  mkdirSync(join(folder, ".cache"), { recursive: true });
  const file = join(folder, ".cache", "at-work");
  const claim = `${process.pid} ${randomUUID()}`;
  let hasWaited = false;
  own.add(claim);
  try {
    while (!take(file, claim)) {
      if (!hasWaited)
        process.stderr.write(
          `… waiting for another start in this clone (if there is none, remove ${file})\n`,
        );
      hasWaited = true;
      await pause(POLL_MS);
    }
    try {
      return await work(hasWaited);
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    own.delete(claim);
  }
}

/**
 * @param {string} file
 * @param {string} claim
 * @returns {boolean} false while another is at work
 */
function take(file, claim) {
  if (claimed(file, claim)) return true;
  const other = claimIn(file);
  if (other === "" || isAtWork(other)) return false;
  // Of all who find a dead claim, the one that makes this file removes it, if it is still that one.
  const breaking = `${file}.${other.split(" ")[1]}`;
  if (!claimed(breaking, claim)) return false;
  if (claimIn(file) === other) rmSync(file, { force: true });
  rmSync(breaking, { force: true });
  return claimed(file, claim);
}

/**
 * @param {string} file made, unless there is one
 * @param {string} claim
 */
function claimed(file, claim) {
  try {
    writeFileSync(file, claim, { flag: "wx" });
    return true;
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code === "EEXIST") return false;
    throw cause;
  }
}

/** @param {string} file @returns {string} "" where there is none, or none yet */
function claimIn(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** @param {string} claim */
function isAtWork(claim) {
  const pid = Number(claim.split(" ")[0]);
  // The number of a process that was killed may be this one's by now.
  if (pid === process.pid) return own.has(claim);
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return /** @type {NodeJS.ErrnoException} */ (cause).code === "EPERM";
  }
}
