import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, where what a program doesn't bundle is found. */
export const REPO = fileURLToPath(new URL("../..", import.meta.url));

type Bundler = { build(options: object): Promise<unknown> };

/**
 * Bundles a program that stands in this folder, for a process of its own: compiling it at each of
 * hundreds of starts would be most of a test. Returns its path.
 */
export async function bundleProgram(contents: string, folder: string): Promise<string> {
  // The compiler's own bundler; not one more dependency.
  const { build } = createRequire(createRequire(join(REPO, "package.json")).resolve("tsx"))(
    "esbuild",
  ) as Bundler;
  const outfile = join(folder, "program.mjs");
  await build({
    stdin: { contents, resolveDir: join(REPO, "lib/server/index"), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    absWorkingDir: REPO,
    logLevel: "error",
  });
  return outfile;
}
