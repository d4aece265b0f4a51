import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The modules that a module imports by their paths, from the repository's root. */
function importsOf(module: string): string[] {
  const text = readFileSync(join(ROOT, module), "utf8");
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.mjs)"/g)].map(([, path]) => path ?? "");
  return paths.map((path) => relative(ROOT, resolve(ROOT, dirname(module), path)).replaceAll("\\", "/"));
}

test("the package holds every module of the library that its command imports", () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: string[] };
  const commands = readdirSync(join(ROOT, "bin/cli"), { recursive: true, encoding: "utf8" });
  const waiting = [
    "bin/backscroll.mjs",
    ...commands
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => `bin/cli/${name.replaceAll("\\", "/")}`),
  ];
  const found = new Set(waiting);
  for (const path of waiting)
    for (const imported of importsOf(path)) {
      if (!found.has(imported)) waiting.push(imported);
      found.add(imported);
    }
  const ofLibrary = [...found].filter((module) => module.startsWith("lib/")).sort();
  expect(ofLibrary).toEqual(files.filter((file) => file.startsWith("lib/")).sort());
});
