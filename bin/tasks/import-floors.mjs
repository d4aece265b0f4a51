import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { asProgram, isProgram, ROOT, StepFailure } from "./run.mjs";

/**
 * Who may import whom: this table is the architecture. A room is a folder; rooms of one building stand on floors,
 * from the bottom up. A file may import its own room, the rooms on the floors below it, and what its building names
 * in `also`, buildings or single files. Rooms joined by `|` share a floor and don't know each other. `packages` lists the npm packages that a
 * building may use, `*` any; `node` whether it may use Node's own modules; `types` buildings of which it may import
 * types alone, even where `also` names them.
 *
 * @type {readonly { building: string, floors?: string, also?: string, types?: string, packages?: string, node?: boolean }[]}
 */
export const BUILDINGS = [
  { building: "lib/format" },
  { building: "lib/tools", also: "lib/format" },
  { building: "lib/query" },
  { building: "lib/cost" },
  { building: "lib/wire", also: "lib/tools", types: "lib/query", packages: "zod" },
  // What the page draws as elements and an export writes as escaped text: both are made from the same tokens.
  { building: "lib/markup", also: "lib/format", types: "lib/wire", packages: "markdown-it diff" },
  {
    building: "lib/log",
    floors: "records table adding graph rows map|request requests|compare|spans",
    // Rows carry ids, and ids have one codec; lanes are laid out for as many columns as a page draws.
    also: "lib/format lib/tools lib/cost lib/wire/ids.ts lib/wire/rows.ts",
    types: "lib/wire",
  },
  { building: "lib/redact", packages: "re2js" },
  {
    building: "lib/server",
    floors:
      "runtime disk archive library scan index session search prompts extras secrets live annotations shares presence doctor|export mcp http",
    also: "lib/log lib/format lib/tools lib/query lib/cost lib/wire lib/markup lib/redact",
    packages: "*",
    node: true,
  },
  // zod, with which requests are checked, stays on the server.
  {
    building: "lib/client",
    also: "lib/format lib/tools lib/query lib/wire",
    types: "lib/wire/requests",
    packages: "*",
  },
  {
    building: "components",
    floors:
      "ui canvas|content live|share|annotations thread graph|library|present search session now|doctor|exported|usage|files|prompts shell gallery",
    also: "lib/client lib/format lib/tools lib/query lib/wire lib/markup",
    types: "lib/wire/requests",
    packages: "*",
  },
  { building: "app/api", also: "lib/server lib/wire lib/log", packages: "*" },
  { building: "app", also: "components lib/client lib/wire lib/format", packages: "*" },
];

/** Tests and what only they use may import anything. */
const FREE = /\.test\.tsx?$|^lib\/testing\//;
const IMPORT =
  /^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** @typedef {{ from: string, to: string, typesOnly: boolean }} Import `to`: a file of ours, `node:…`, or a package */

/**
 * The imports of every source file, paths relative to the repository with `/`.
 *
 * @param {string} root
 * @returns {Map<string, Import[]>}
 */
export function readImports(root = ROOT) {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/")),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const imports = [...text.matchAll(IMPORT)].map(([statement, type, ...specs]) => {
        const spec = specs.find((one) => one !== undefined) ?? "";
        return {
          from: file,
          to: resolve(file, spec, known),
          typesOnly: Boolean(type) || onlyTypes(statement),
        };
      });
      return [file, imports];
    }),
  );
}

/** @param {string} statement */
function onlyTypes(statement) {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(",")
    .filter((name) => name.trim() !== "");
  return names !== undefined && names.length > 0 && names.every((name) => name.trim().startsWith("type "));
}

/**
 * @param {string} file
 * @param {string} spec
 * @param {ReadonlySet<string>} known
 */
function resolve(file, spec, known) {
  const path = spec.startsWith("@/")
    ? spec.slice(2)
    : spec.startsWith(".")
      ? join(dirname(file), spec)
      : null;
  if (path === null) return spec;
  const base = normalize(path).split(sep).join("/");
  return [base, `${base}.ts`, `${base}.tsx`].find((one) => known.has(one)) ?? base;
}

/**
 * What stands against the table, one line an import.
 *
 * @param {ReadonlyMap<string, readonly Import[]>} imports
 * @returns {string[]}
 */
export function importsUpward(imports) {
  return [...imports].flatMap(([file, list]) =>
    FREE.test(file)
      ? []
      : list
          .filter((one) => !isAllowed(one))
          .map(({ to }) => `${file} may not import ${to} (bin/tasks/import-floors.mjs)`),
  );
}

/** @param {Import} one */
export function isAllowed({ from, to, typesOnly }) {
  const building = buildingOf(from);
  if (!building) return true;
  const { also = "", types = "", packages = "", node = false } = building;
  if (to.startsWith("node:")) return node;
  if (!/^(app|components|lib|bin|bench|e2e)\//.test(to))
    return packages === "*" || packages.split(" ").includes(packageOf(to));
  if (isIn(to, types) && !isFileOf(to, also)) return typesOnly;
  if (isIn(to, also)) return true;
  if (buildingOf(to) !== building) return false;
  const floors = (building.floors ?? "").split(" ").map((floor) => floor.split("|"));
  const [mine, its] = [roomOf(from, building.building), roomOf(to, building.building)];
  if (!building.floors || mine === its) return true;
  const floorOf = (/** @type {string} */ room) => floors.findIndex((floor) => floor.includes(room));
  return floorOf(its) !== -1 && floorOf(mine) > floorOf(its);
}

/**
 * Circles of imports, types included, each as the files on it.
 *
 * @param {ReadonlyMap<string, readonly Import[]>} imports
 * @returns {string[][]}
 */
export function circles(imports) {
  /** @type {string[][]} */
  const found = [];
  /** @type {Map<string, number>} */
  const number = new Map();
  /** @type {Map<string, number>} */
  const lowest = new Map();
  /** @type {string[]} */
  const open = [];
  const visit = (/** @type {string} */ file) => {
    number.set(file, number.size);
    lowest.set(file, number.size - 1);
    open.push(file);
    for (const { to } of imports.get(file) ?? []) {
      if (!imports.has(to) || FREE.test(to)) continue;
      if (!number.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(file) !== number.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of imports.keys()) if (!number.has(file) && !FREE.test(file)) visit(file);
  return found;
}

/** Fails with every import that goes up a floor and every circle. Part of `npm run check`. */
export async function checkImportFloors() {
  const imports = readImports();
  const faults = [
    ...importsUpward(imports),
    ...circles(imports).map((circle) => `a circle: ${circle.join(" → ")}`),
  ];
  if (faults.length > 0) throw new StepFailure("imports against the floors", faults.join("\n"));
}

/** @param {string} file */
const buildingOf = (file) => BUILDINGS.find(({ building }) => file.startsWith(`${building}/`));

/**
 * @param {string} file
 * @param {string} buildings
 */
const isIn = (file, buildings) =>
  buildings.split(" ").some((one) => one !== "" && (file === one || file.startsWith(`${one}/`)));

/**
 * @param {string} file
 * @param {string} files
 */
const isFileOf = (file, files) => files.split(" ").includes(file);

/**
 * @param {string} file
 * @param {string} building
 */
const roomOf = (file, building) => file.slice(building.length + 1).split("/")[0] ?? "";

/** @param {string} spec */
const packageOf = (spec) =>
  spec
    .split("/")
    .slice(0, spec.startsWith("@") ? 2 : 1)
    .join("/");

// By itself, as `npm run check` does among others.
if (isProgram(import.meta.url)) await asProgram(checkImportFloors);
