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
  for (const { path, text } of DOCUMENTS) {
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(join(ROOT, dirname(path), target)), `${path} → ${target}`).toBe(true);
  }
});

it("files and folders that the documents name are there", () => {
  const below = ROOMS.flatMap((room) => readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }));
  const names = new Set([...readdirSync(ROOT), ...below.map((path) => basename(path))]);
  const inRoom = new RegExp(`^(?:${ROOMS.join("|")})/[\\w./@-]+$`);
  for (const { path, text } of DOCUMENTS) {
    for (const [, named = ""] of text.matchAll(/`([^`\s]+)`/g)) {
      if (inRoom.test(named)) expect(existsSync(join(ROOT, named)), `${path}: ${named}`).toBe(true);
      else if (/^[\w/-]+(?:\.\w+)*\.(?:tsx?|mjs)$/.test(named) && !named.startsWith("/"))
        expect(names.has(basename(named)), `${path}: ${named}`).toBe(true);
    }
  }
});

it("every document on a part is named in ARCHITECTURE.md", () => {
  const [, { text } = { text: "" }] = DOCUMENTS;
  for (const { path } of DOCUMENTS.slice(3)) expect(text, path).toContain(`](${path})`);
});
