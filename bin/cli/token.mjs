import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeOwnerOnly } from "../../lib/server/disk/owner-only.mjs";
import { renameHeld, writeDraft } from "../../lib/server/disk/rename-held.mjs";
import { setDamagedAside } from "./damaged-file.mjs";
import { inDataDir } from "./data-dir.mjs";

/**
 * The token stored in the data folder: 256 random bits, generated at the first start and reused later, so that links
 * and open pages survive a restart.
 *
 * @param {string} dataDir
 * @param {boolean} rotate make a new one, after which links with the old one no longer open
 * @returns {string}
 * @throws {UsageError} when it can be neither read nor written
 */
export function keepToken(dataDir, rotate) {
  return inDataDir(dataDir, () => tokenIn(join(dataDir, "token"), rotate));
}

/**
 * @param {string} file
 * @param {boolean} rotate
 */
function tokenIn(file, rotate) {
  const kept = rotate ? null : readToken(file);
  if (kept !== null) return kept;

  const token = randomBytes(32).toString("base64url");
  const draft = `${file}.${process.pid}`;
  writeDraft(draft, `${token}\n`);
  let taken = token;
  try {
    linkSync(draft, file);
  } catch {
    // Another first start was faster, there is an old one, or the file system has no links.
    const others = rotate ? null : readToken(file);
    if (others === null) renameHeld(draft, file);
    else taken = others;
  }
  rmSync(draft, { force: true });
  return taken;
}

/** @param {string} file */
function readToken(file) {
  try {
    const token = readFileSync(file, "utf8").trim();
    if (/^[A-Za-z0-9_.~-]{16,}$/.test(token)) {
      makeOwnerOnly(file);
      return token;
    }
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT") return null;
    // A folder has the token's name.
    if (code !== "EISDIR") throw cause;
  }
  const message = "the token kept in the data folder was damaged, so there is a new one";
  setDamagedAside(file, message, "Links made with the old one no longer open.");
  return null;
}
