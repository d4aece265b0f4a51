import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";

/** @type {{ keepCode: (folder: string) => void }} */
const { keepCode } = createRequire(import.meta.url)("./code-cache.cjs");

/** In a data folder, or beside a server that was built here. */
const NAME = "compiled";

/**
 * Keeps what V8 has compiled of the server and its threads, so that the next start need not compile it again: a quarter
 * of a start, and half of the first page's. Beside a server that was built here, where its build has begun it
 * (bin/tasks/precompile.mjs); else in the data folder, which nobody else may write, and from where those of another
 * build are removed. Each file is compared with the code that it was made of, and made again where it does not fit;
 * where none can be written, the server starts as it would without.
 *
 * V8 counts its flags into what fits, so all that are not to change come before.
 *
 * @param {{ serverFile: string, build: string, dataDir: string }} server the build is what tells its code from another's
 * @param {Record<string, string | undefined>} env changed, unless the user has a folder of their own, or wants none
 * @param {{ enableCompileCache?: (folder: string) => unknown }} node has one from 22.1 on, which threads follow by the variable
 */
export function keepCompiled({ serverFile, build, dataDir }, env, node = /** @type {never} */ (nodeModule)) {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  const beside = compiledFolder(dirname(serverFile));
  const isBeside = existsSync(beside);
  const name = createHash("sha256").update(build).digest("hex").slice(0, 16);
  removeOthers(join(dataDir, NAME), isBeside ? null : name);
  const folder = isBeside ? beside : join(dataDir, NAME, name);
  if (!node.enableCompileCache) return keepCode(join(folder, `${process.version}-${process.arch}`));
  node.enableCompileCache(folder);
  env.NODE_COMPILE_CACHE = folder;
}

/** @param {string} server the folder of one that was built here */
export function compiledFolder(server) {
  return join(server, NAME);
}

/**
 * @param {string} folder
 * @param {string | null} name
 */
function removeOthers(folder, name) {
  try {
    for (const other of readdirSync(folder))
      if (other !== name) rmSync(join(folder, other), { recursive: true, force: true });
  } catch {
    // There is none yet, or its files are for somebody else to remove: they only take room.
  }
}

/** How much of a function V8 runs, in bytes of its bytecode, before it looks whether to optimise it: 67584 by itself. */
const LOOKS_AFTER = 600_000;

/**
 * Has V8 optimise later, in Node before 22; for later ones, where the setting is another, it would gain little. Most of
 * what a start has optimised is hardly called again: without, a start and the first pages take a sixth less processor
 * time, and reading 128 MB for the first time an eighth less, of which the thread that reads takes 0.1 s more. A server
 * that is asked thousands of times at once takes a twelfth more for these; with twice the value, a seventh.
 *
 * It counts into what fits of compiled code (`keepCompiled`), so it comes before.
 */
export function optimiseLater(version = process.versions.node, setFlags = setFlagsFromString) {
  if (Number.parseInt(version, 10) < 22) setFlags(`--interrupt-budget=${LOOKS_AFTER}`);
}
