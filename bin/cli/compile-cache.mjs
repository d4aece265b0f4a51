import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";

/**
 * Keeps what V8 has compiled of the server in the data folder, which nobody else may write, so that the next start
 * need not compile it again: a sixth of a start's work, on Node 22.1 and later. The server's threads follow by the
 * variable. Node compares each of these files with the code that it was made of, and makes it again where it does not
 * fit; where none can be written, the server starts as it would without. Those of another build are removed.
 *
 * @param {string} dataDir
 * @param {string} build what tells the server's code from another
 * @param {Record<string, string | undefined>} env changed, unless the user has a folder of their own, or wants none
 * @param {{ enableCompileCache?: (folder: string) => unknown }} node
 */
export function keepCompiled(dataDir, build, env, node = /** @type {never} */ (nodeModule)) {
  if (!node.enableCompileCache || env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  const name = createHash("sha256").update(build).digest("hex").slice(0, 16);
  const folder = join(dataDir, "compiled");
  removeOthers(folder, name);
  node.enableCompileCache(join(folder, name));
  env.NODE_COMPILE_CACHE = join(folder, name);
}

/**
 * @param {string} folder
 * @param {string} name
 */
function removeOthers(folder, name) {
  try {
    for (const other of readdirSync(folder))
      if (other !== name) rmSync(join(folder, other), { recursive: true, force: true });
  } catch {
    // There is none yet, or its files are for somebody else to remove: they only take room.
  }
}
