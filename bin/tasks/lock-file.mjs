import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An entry of package-lock.json. `os`, `cpu` and `libc` list what the package runs on, or with `!` what it does not;
 * without them it runs anywhere. `integrity` is absent if the registry did not have the package when the file was
 * written.
 *
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} [integrity]
 * @property {string} [resolved]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * The packages of a lock file by their path: `""` is this repository, the others are under `node_modules/`.
 * @typedef {Record<string, LockedPackage>} LockedPackages
 *
 * The platform of a binary: `process.platform`, `process.arch`, and on Linux the C library, else `null`.
 * @typedef {{ os: string, cpu: string, libc: string | null }} Platform
 *
 * A dependency of the package at `parent` on `name` in the version or range `wanted`.
 * @typedef {{ parent: string, name: string, wanted: string }} Dependency
 */

/**
 * @param {string} folder the one with package-lock.json
 * @returns {{ packages: LockedPackages }}
 */
export const readLock = (folder) => JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));

/** The platform of this process. @returns {Platform} */
export function thisPlatform() {
  const { platform, arch } = process;
  if (platform !== "linux") return { os: platform, cpu: arch, libc: null };
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return { os: platform, cpu: arch, libc: report.header.glibcVersionRuntime ? "glibc" : "musl" };
}

/** @param {Platform} platform @returns {string} such as `linux-x64-musl` or `darwin-arm64` */
export const formatPlatform = ({ os, cpu, libc }) => [os, cpu, libc].filter(Boolean).join("-");

/**
 * Whether a package runs on a platform, by npm's rules.
 *
 * @param {Partial<Pick<LockedPackage, "os" | "cpu" | "libc">>} locked
 * @param {Platform} platform
 */
export function runsOn({ os, cpu, libc }, platform) {
  return allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, platform.libc);
}

/**
 * @param {string[] | string | undefined} list
 * @param {string | null} value
 */
function allows(list, value) {
  const names = list === undefined ? [] : [list].flat();
  if (names.length === 0) return true;
  if (value === null || names.includes(`!${value}`)) return false;
  return names.includes(value) || names.every((name) => name.startsWith("!"));
}

/**
 * The platform in the name of a binary package, in the form of a lock file. All packages locked here are named
 * `…-OS-CPU[-LIBC]` or `…-wasm32-wasi`. Returns `null` for any other name.
 *
 * @param {string} name
 * @returns {Pick<LockedPackage, "os" | "cpu" | "libc"> | null}
 */
export function platformInName(name) {
  if (name.endsWith("-wasm32-wasi")) return { cpu: ["wasm32"] };
  const [, os, cpu, abi = ""] =
    /[/-](android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/.exec(
      name,
    ) ?? [];
  if (os === undefined || cpu === undefined) return null;
  const libc =
    os === "linux" ? /** @type {const} */ (["gnu", "musl"]).find((one) => abi.startsWith(one)) : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc === "gnu" ? "glibc" : libc] }) };
}

/**
 * The path of the package that a dependency resolves to, searched as Node does: in the parent's own packages, then
 * outwards. `null` if none is locked.
 *
 * @param {LockedPackages} packages
 * @param {string} parent
 * @param {string} name
 * @returns {string | null}
 */
export function findLocked(packages, parent, name) {
  for (let folder = parent; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = `${folder}${folder && "/"}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return null;
  }
}

/**
 * The optional dependencies that no entry satisfies. `npm ci` rejects a lock file that lacks one, even though it skips
 * the package on all other platforms. An exact version must match; ranges are left to npm.
 *
 * @param {LockedPackages} packages
 * @returns {Dependency[]}
 */
export function findUnlocked(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => {
        const path = findLocked(packages, parent, name);
        return path === null || (/^\d+\.\d+\.\d+$/.test(wanted) && packages[path]?.version !== wanted);
      })
      .map(([name, wanted]) => ({ parent, name, wanted })),
  );
}

/**
 * The packages that an installation can't run without on a platform: those that `roots` need, and for each package with
 * binaries per platform, the one for this platform. Optional features, such as Next's image optimiser, are not
 * included.
 *
 * @param {LockedPackages} packages
 * @param {string[]} roots names of direct dependencies
 * @param {Platform} platform
 * @returns {string[][]} paths; one of each group must be installed
 */
export function findNeeded(packages, roots, platform) {
  /** @type {string[][]} */
  const groups = [];
  const seen = new Set();
  const waiting = roots.map((name) => findLocked(packages, "", name));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const locked = packages[path ?? ""];
    if (path === null || path === "" || locked === undefined || seen.has(path)) continue;
    seen.add(path);
    groups.push([path]);
    const parent = path;
    waiting.push(...Object.keys(locked.dependencies ?? {}).map((name) => findLocked(packages, parent, name)));
    const binaries = Object.keys(locked.optionalDependencies ?? {})
      .map((name) => findLocked(packages, parent, name) ?? "")
      .filter((binary) => packages[binary]?.os !== undefined);
    const fitting = binaries.filter((binary) => runsOn(packages[binary] ?? { version: "" }, platform));
    if (binaries.length > 1 && fitting.length > 0) groups.push(fitting);
  }
  return groups;
}
