import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { findNeeded, readLock, thisPlatform } from "./lock-file.mjs";
import { ROOT } from "./run.mjs";
import { listFiles, SOURCES } from "./source-files.mjs";

/**
 * A package whose code is passed on.
 *
 * @typedef {{ name: string, version: string, text: string }} Licensed
 */

/** Sources that stay here: what only tests import. */
const NOT_SHIPPED = /[\\/](testing|scenarios)[\\/]/;
/** As the formatter writes them, so that no text of the page is taken for one. */
const IMPORT = /^(?:import |export |\} )(?:.* )?(?:from )?"([^".][^"]*)";$|\bimport\("([^".][^"]*)"\)/gm;
const STYLE_IMPORT = /^@import "([^".][^"]*)"/gm;
/** Not imported, but `npm run prices` copies its figures. */
const COPIED = ["@pydantic/genai-prices"];
const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * The packages of which code is in our package: what the shipped files import, and what that depends on. Some are not
 * used in the end, none that is used is missing.
 *
 * @returns {Licensed[]} by name
 */
export function shippedPackages() {
  const { packages } = readLock(ROOT);
  const roots = [...new Set([...importedPackages(), ...COPIED])];
  return findNeeded(packages, roots, thisPlatform())
    .map(([path = ""]) => path)
    .filter((path) => packages[path]?.os === undefined)
    .map((path) => join(ROOT, path))
    .flatMap((folder) => [licensed(folder), ...compiledInto(folder)])
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The packages of these files, as a bundler names them.
 *
 * @param {readonly string[]} files paths relative to the repository
 * @returns {Licensed[]} by name
 */
export function packagesOf(files) {
  const folders = files.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? "");
  return [...new Set(folders)]
    .filter(Boolean)
    .sort()
    .map((folder) => licensed(join(ROOT, folder)));
}

/**
 * The notices of packages, each licence's text once, behind the packages and copyrights that it holds for.
 *
 * @param {readonly Licensed[]} packages
 */
export function formatNotices(packages) {
  /** @type {Map<string, { text: string, holders: Set<string>, names: string[] }>} */
  const licences = new Map();
  for (const { name, version, text } of packages) {
    const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
    const isHolder = (/** @type {string} */ line) =>
      /^\s*(copyright\b|\(c\)|©)(?! (notice|holders?|owner))/i.test(line);
    const terms = lines.filter(
      (line) => !isHolder(line) && !/^(the )?mit license( \(mit\))?$/i.test(line.trim()),
    );
    const body = terms
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim();
    const key = body.replaceAll(/\s+/g, " ");
    const licence = licences.get(key) ?? { text: body, holders: new Set(), names: [] };
    licence.names.push(`${name} ${version}`.trimEnd());
    for (const line of lines.filter(isHolder)) licence.holders.add(line.trim());
    licences.set(key, licence);
  }
  return [...licences.values()]
    .map(({ text, holders, names }) =>
      [names.join(", "), [...holders].join("\n"), text].filter(Boolean).join("\n\n"),
    )
    .join(`\n\n${"-".repeat(80)}\n\n`);
}

/** @returns {string[]} names of the packages that shipped files import */
function importedPackages() {
  const files = [...SOURCES, "bin/cli"].flatMap(listFiles).filter((file) => !NOT_SHIPPED.test(file));
  const named = files.flatMap((file) => {
    const pattern = /\.(ts|tsx|mjs)$/.test(file) ? IMPORT : file.endsWith(".css") ? STYLE_IMPORT : null;
    if (pattern === null) return [];
    const text = readFileSync(join(ROOT, file), "utf8");
    return [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? "");
  });
  return named
    .filter((specifier) => !specifier.startsWith("@/") && !isBuiltin(specifier))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}

/** Packages that Next has compiled into its own. @param {string} folder @returns {Licensed[]} */
function compiledInto(folder) {
  const compiled = join(folder, "dist", "compiled");
  if (!existsSync(compiled)) return [];
  const names = readdirSync(compiled).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(compiled, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return names
    .filter((name) => licenceFiles(join(compiled, name)).length > 0)
    .map((name) => licensed(join(compiled, name)));
}

/** @param {string} folder @returns {Licensed} */
function licensed(folder) {
  const file = join(folder, "package.json");
  const { name, version, license, author } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const texts = licenceFiles(folder).map((one) => readFileSync(join(folder, one), "utf8"));
  const holder = typeof author === "string" ? author : author?.name;
  // A few have no text, only what their package.json says.
  const text = texts.join("\n") || [license, holder && `Copyright ${holder}`].filter(Boolean).join("\n");
  return { name: name ?? folder.split(/[\\/]compiled[\\/]/).at(-1), version: version ?? "", text };
}

/** @param {string} folder @returns {string[]} */
const licenceFiles = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
        .map(({ name }) => name)
        .sort()
    : [];
