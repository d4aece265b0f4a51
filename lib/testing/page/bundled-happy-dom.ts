import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const MODULES = join(import.meta.dirname, "../../../node_modules");

/** Begins a run of the unit tests: builds happy-dom into one file, unless its version has been already. */
export async function setup(): Promise<void> {
  const path = bundledHappyDom();
  if (existsSync(path)) return;
  const { build } = await import("esbuild");
  const partial = `${path}.${process.pid}`;
  await build({
    entryPoints: [createRequire(import.meta.url).resolve("happy-dom")],
    outfile: partial,
    bundle: true,
    platform: "node",
    format: "esm",
    // Of the CommonJS modules in it.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  renameSync(partial, path);
}

/** The path of that file; its folder is there. */
export function bundledHappyDom(): string {
  const { version } = JSON.parse(readFileSync(join(MODULES, "happy-dom/package.json"), "utf8")) as {
    version: string;
  };
  const folder = join(MODULES, ".cache/backscroll");
  mkdirSync(folder, { recursive: true });
  return join(folder, `happy-dom-${version}.mjs`);
}
