import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/** What the server is built from. */
export const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "instrumentation.ts",
  "next.config.mjs",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];

/**
 * @param {string} path of a file or folder, relative to the repository
 * @returns {string[]} the files, without tests, relative as well, in a stable order
 */
export function listFiles(path) {
  const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}
