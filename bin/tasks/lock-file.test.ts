import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findNeeded, findUnlocked, platformInName, readLock, runsOn } from "./lock-file.mjs";

const ROOT = join(import.meta.dirname, "../..");
const { packages } = readLock(ROOT);
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** A locked platform as text: `linux x64 musl`. */
const formatLocked = ({ os = [], cpu = [], libc = [] }: { os?: string[]; cpu?: string[]; libc?: string[] }) =>
  [...os, ...cpu, ...libc].join(" ");

it("the lock file has every platform's packages, without which npm ci refuses it there", () => {
  expect(findUnlocked(packages).map(({ parent, name }) => `${nameOf(parent)} → ${name}`)).toEqual([]);
});

it("the lock file gives each binary the platform that its name tells", () => {
  const wrong = Object.entries(packages).flatMap(([path, locked]) => {
    const told = platformInName(nameOf(path));
    if (told === null) return [];
    // Some names omit the C library, as some manifests do for 32-bit ARM.
    const libc = told.libc && !told.cpu?.includes("arm") ? told.libc : locked.libc;
    const expected = formatLocked({ ...told, libc });
    const actual = formatLocked(locked);
    return actual === expected ? [] : [`${path}: ${actual}, not ${expected}`];
  });
  expect(wrong).toEqual([]);
});

it("a package that is tied to a platform is optional, so that others do without", () => {
  const tied = Object.entries(packages).filter(([, { os, cpu, optional }]) => (os ?? cpu) && !optional);
  expect(tied.map(([path]) => path)).toEqual([]);
});

it("the lock file has a hash for all but binaries that could not be had, and names no host", () => {
  const hashless = Object.entries(packages).filter(([path, { integrity }]) => path !== "" && !integrity);
  expect(hashless.filter(([path]) => platformInName(path) === null).map(([path]) => path)).toEqual([]);
  const urls = readFileSync(join(ROOT, "package-lock.json"), "utf8").match(/"resolved": "[^"]+/g) ?? [];
  expect(urls.filter((url) => !url.startsWith('"resolved": "https://registry.npmjs.org/'))).toEqual([]);
});

it("finds the optional dependencies that are not locked, or in another version", () => {
  const some = {
    "": { version: "1.0.0" },
    "node_modules/css": {
      version: "2.0.0",
      optionalDependencies: {
        "css-darwin-arm64": "2.0.0",
        "css-linux-x64": "2.0.0",
        "css-win32-x64": "2.0.0",
      },
    },
    "node_modules/css-linux-x64": { version: "2.0.0" },
    "node_modules/css-win32-x64": { version: "1.9.0" },
    "node_modules/old": {
      version: "1.0.0",
      optionalDependencies: { "css-win32-x64": "^1.0.0", css: "1.0.0" },
    },
    "node_modules/old/node_modules/css": { version: "1.0.0" },
  };
  expect(findUnlocked(some).map(({ parent, name, wanted }) => `${parent} ${name}@${wanted}`)).toEqual([
    "node_modules/css css-darwin-arm64@2.0.0",
    "node_modules/css css-win32-x64@2.0.0",
  ]);
});

it.each([
  ["@next/swc-darwin-arm64", "darwin arm64"],
  ["@oxlint-tsgolint/win32-x64", "win32 x64"],
  ["lightningcss-linux-arm64-musl", "linux arm64 musl"],
  ["@oxlint/binding-linux-x64-gnu", "linux x64 glibc"],
  ["@oxlint/binding-linux-arm-musleabihf", "linux arm musl"],
  ["@oxc-parser/binding-win32-ia32-msvc", "win32 ia32"],
  ["@tailwindcss/oxide-wasm32-wasi", "wasm32"],
])("%s is for %s", (name, platform) => {
  expect(formatLocked(platformInName(name) ?? {})).toBe(platform);
});

it("tells no platform by a name that has none", () => {
  expect(platformInName("is-windows")).toBe(null);
  expect(platformInName("linux")).toBe(null);
});

it("knows what runs where, as npm does", () => {
  const mac = { os: "darwin", cpu: "arm64", libc: null };
  const alpine = { os: "linux", cpu: "x64", libc: "musl" };
  expect(runsOn({}, mac)).toBe(true);
  expect(runsOn({ os: ["darwin"], cpu: ["arm64"] }, mac)).toBe(true);
  expect(runsOn({ os: ["darwin"], cpu: ["x64"] }, mac)).toBe(false);
  expect(runsOn({ os: ["!win32"] }, mac)).toBe(true);
  expect(runsOn({ os: ["!darwin"] }, mac)).toBe(false);
  expect(runsOn({ os: ["linux"], libc: ["musl"] }, alpine)).toBe(true);
  expect(runsOn({ os: ["linux"], libc: ["glibc"] }, alpine)).toBe(false);
});

it.each([
  [{ os: "darwin", cpu: "arm64", libc: null }, "darwin-arm64"],
  [{ os: "darwin", cpu: "x64", libc: null }, "darwin-x64"],
  [{ os: "win32", cpu: "x64", libc: null }, "win32-x64-msvc"],
  [{ os: "linux", cpu: "arm64", libc: "glibc" }, "linux-arm64-gnu"],
  [{ os: "linux", cpu: "x64", libc: "musl" }, "linux-x64-musl"],
])("building needs the binaries for %o, and no image optimiser", (platform, suffix) => {
  const needed = findNeeded(packages, ["next", "@tailwindcss/postcss"], platform).map((group) =>
    group.map(nameOf),
  );
  expect(needed).toContainEqual([`@next/swc-${suffix}`]);
  expect(needed).toContainEqual([`@tailwindcss/oxide-${suffix}`]);
  expect(needed).toContainEqual([`lightningcss-${suffix}`]);
  expect(needed.flat().filter((name) => name.includes("sharp"))).toEqual([]);
});
