import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, StepFailure } from "./run.mjs";

/** Where the sources of threads are, each named `….worker.ts`. */
const SOURCES = "lib/server";

/** How Next names the file with which a thread begins: its source's path, with `_` for whatever else, and a hash. */
const THREAD = /^\[worker thread\]-(.+)_[\w.~-]{13}\._\.js$/;

/** The oldest Node that runs Backscroll. */
const TARGET = "node20.19";

/**
 * Makes one file of each thread, in place of the one that loads its modules out of Next's chunks. There each module
 * reads what it has of another through an object of that one, at every call and for every constant; in one file it is
 * named itself, and V8 inlines it: the threads of a first reading take 6 to 10 % less processor time. What
 * nothing uses is left out, most of zod. A thread that starts others stays as it is, since Next knows their files.
 *
 * @param {string} chunks the folder of Next's build with the server's chunks
 * @throws {StepFailure} where a thread has no file of a name as above, as after an update of Next
 */
export async function bundleThreads(chunks) {
  const files = readdirSync(chunks);
  for (const source of listThreads()) {
    const name = source.replaceAll(/\W/g, "_");
    const replaced = files.filter((file) => THREAD.exec(file)?.[1] === name);
    if (replaced.length === 0)
      throw new StepFailure(
        `${source} has no file in the form that bin/tasks/thread-files.mjs knows`,
        chunks,
      );
    const code = await bundleThread(source);
    if (code !== null) for (const file of replaced) writeFileSync(join(chunks, file), code);
  }
}

/**
 * The sources of all threads.
 *
 * @returns {string[]} relative to the repository, with `/`
 */
export function listThreads() {
  return readdirSync(join(ROOT, SOURCES), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".worker.ts"))
    .map((path) => `${SOURCES}/${path.replaceAll("\\", "/")}`)
    .sort();
}

/**
 * A thread's whole code.
 *
 * @param {string} source relative to the repository
 * @returns {Promise<string | null>} `null` for one that starts other threads
 * @throws {StepFailure}
 */
export async function bundleThread(source) {
  // In a fresh clone it is installed just before.
  const { build } = await import("esbuild");
  const { outputFiles, warnings } = await build({
    absWorkingDir: ROOT,
    entryPoints: [source],
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    format: "cjs",
    target: TARGET,
    charset: "utf8",
    // A package comes with the licences of all that it contains.
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  if (warnings.some(({ id }) => id === "empty-import-meta")) return null;
  const [output] = outputFiles;
  if (!output || warnings.length > 0)
    throw new StepFailure(source, warnings.map(({ text }) => text).join("\n"));
  return output.text;
}
