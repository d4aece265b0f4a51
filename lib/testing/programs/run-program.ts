import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, where what a program doesn't bundle is found. */
export const REPO = fileURLToPath(new URL("../../..", import.meta.url));

type Bundler = { build: (options: object) => Promise<unknown> };

/**
 * Bundles a program of `lib/testing/programs` for a process of its own: compiling it at each of hundreds of starts
 * would be most of a test. Returns its path, in `folder`.
 */
export async function bundleProgram(
  name: "read-library" | "index-library" | "exit-in-database" | "keep-files" | "annotate",
  folder: string,
): Promise<string> {
  // The compiler's own bundler; not one more dependency.
  const { build } = createRequire(createRequire(join(REPO, "package.json")).resolve("tsx"))(
    "esbuild",
  ) as Bundler;
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    absWorkingDir: REPO,
    logLevel: "error",
  });
  return outfile;
}
