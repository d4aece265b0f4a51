import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, StepFailure } from "./run.mjs";

/**
 * The threads of a first reading, which call the same few functions for every line. Of the others, which answer a request
 * now and then, a file each would make the package two megabytes larger.
 */
export const READING_THREADS = [
  "lib/server/archive/keep.worker.ts",
  "lib/server/index/index.worker.ts",
  "lib/server/index/read.worker.ts",
  "lib/server/index/scan.worker.ts",
];

/** How Next names the file with which a thread begins: its source's path, with `_` for whatever else, and a hash. */
const THREAD = /^\[worker thread\]-(.+)_[\w.~-]{13}\._\.js$/;

/** The oldest Node that runs Backscroll. */
const TARGET = "node20.19";

/**
 * Makes one file of each of these threads, in place of the one that loads its modules out of Next's chunks. There each
 * module reads what it has of another through an object of that one, at every call and for every constant; in one file it
 * is named itself, and V8 inlines it: reading all logs for the first time takes 6 to 10 % less of their processor time. What
 * nothing uses is left out, most of zod.
 *
 * @param {string} chunks the folder of Next's build with the server's chunks
 * @throws {StepFailure} where a thread has no file of a name as above, as after an update of Next
 */
export async function bundleThreads(chunks) {
  const files = readdirSync(chunks);
  for (const source of READING_THREADS) {
    const name = source.replaceAll(/\W/g, "_");
    const replaced = files.filter((file) => THREAD.exec(file)?.[1] === name);
    if (replaced.length === 0)
      throw new StepFailure(
        `${source} has no file in the form that bin/tasks/thread-files.mjs knows`,
        chunks,
      );
    const code = await bundleThread(source);
    for (const file of replaced) writeFileSync(join(chunks, file), code);
  }
}

/**
 * A thread's whole code.
 *
 * @param {string} source relative to the repository
 * @returns {Promise<string>}
 * @throws {StepFailure} where it cannot be one file, as one that starts other threads: Next knows the files of those
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
  const [output] = outputFiles;
  if (!output || warnings.length > 0)
    throw new StepFailure(source, warnings.map(({ text }) => text).join("\n"));
  return output.text;
}
