import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";

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
