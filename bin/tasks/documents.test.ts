import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { BUILDINGS } from "./import-floors.mjs";

const ROOT = join(import.meta.dirname, "../..");
const ROOMS = ["app", "bench", "bin", "components", "docs", "e2e", "lib"];
/** What people read, by its path in the repository. */
const DOCUMENTS = [
  ...["README.md", "ARCHITECTURE.md", "AGENTS.md"],
  ...readdirSync(join(ROOT, "docs/architecture")).map((name) => `docs/architecture/${name}`),
].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

it("links of the documents lead to files that are there", () => {
  const targets = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => join(dirname(path), target)),
  );
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});

it("files and folders that the documents name are there", () => {
  const below = ROOMS.flatMap((room) => readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }));
  const names = new Set([...readdirSync(ROOT), ...below.map((path) => basename(path))]);
  const inRoom = new RegExp(`^(?:${ROOMS.join("|")})/[\\w./@-]+$`);
  const isMissing = (named: string) => {
    if (inRoom.test(named)) return !existsSync(join(ROOT, named));
    const isFile = /^\w[\w/-]*(?:\.\w+)*\.(?:tsx?|mjs)$/.test(named);
    return isFile && !names.has(basename(named));
  };
  const missing = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .filter(([, named = ""]) => isMissing(named))
      .map(([, named]) => `${path}: ${named}`),
  );
  expect(missing).toEqual([]);
});

it("every document on a part is named in ARCHITECTURE.md", () => {
  const [, { text } = { text: "" }] = DOCUMENTS;
  for (const { path } of DOCUMENTS.slice(3)) expect(text, path).toContain(`](${path})`);
});

it("AGENTS.md names the rooms of the server and of the page from the bottom up", () => {
  const text = DOCUMENTS.find(({ path }) => path === "AGENTS.md")?.text ?? "";
  const named = (line: string) => [...line.matchAll(/`([a-z]+)`/g)].map(([, name = ""]) => name);
  for (const [building, begin] of [
    ["lib/server", "- `lib/server` all IO and state:"],
    ["components", "`components` a folder a feature"],
  ] as const) {
    const line = text.slice(text.indexOf(begin) + begin.length).split("\n")[0] ?? "";
    const floors = (BUILDINGS.find((one) => one.building === building)?.floors ?? "").split(" ");
    const floorOf = (room: string) => floors.findIndex((floor) => floor.split("|").includes(room));
    expect(named(line).toSorted()).toEqual(floors.flatMap((floor) => floor.split("|")).toSorted());
    expect(named(line).map(floorOf)).toEqual(
      named(line)
        .map(floorOf)
        .toSorted((a, b) => a - b),
    );
  }
});

it("AGENTS.md has at most 60 lines, and a route at most the 30 that it allows", () => {
  const lines = (path: string) => readFileSync(join(ROOT, path), "utf8").trimEnd().split("\n").length;
  expect(lines("AGENTS.md")).toBeLessThanOrEqual(60);
  const routes = readdirSync(join(ROOT, "app/api"), { recursive: true, encoding: "utf8" })
    .filter((path) => basename(path) === "route.ts")
    .map((path) => join("app/api", path));
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((path) => lines(path) > 30)).toEqual([]);
});

it("functions, classes and constants that the documents name are in the code", () => {
  const own = readdirSync(ROOT).map((name) => join(ROOT, name));
  const below = ["app", "bin", "components", "lib"].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }).map((path) =>
      join(ROOT, room, path),
    ),
  );
  const files = [...own, ...below].filter((path) => /\.(?:tsx?|mjs|cjs)$/.test(path));
  const code = new Set(files.flatMap((path) => readFileSync(path, "utf8").match(/[\w-]+/g) ?? []));
  const isName = (text: string) => /^[A-Za-z]\w+$/.test(text) && /[a-z][A-Z]|^[A-Z][A-Z_]+[A-Z]$/.test(text);
  const missing = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, named = ""]) => named.split(/[^\w-]+/).filter(isName))
      .filter((name) => !code.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
