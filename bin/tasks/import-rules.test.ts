import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-rules-"));
  cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FORBIDDEN: [file: string, imported: string][] = [
  ["lib/records/a.ts", "@/lib/text/a"],
  ["lib/records/a.ts", "zod"],
  ["lib/records/deep/a.ts", "../../thread/a"],
  ["lib/thread/a.ts", "@/lib/server/a"],
  ["lib/thread/a.ts", "@/lib/wire/a"],
  ["lib/thread/a.ts", "../server/a"],
  ["lib/thread/a.ts", "node:fs"],
  ["lib/wire/a.ts", "@/lib/thread/a"],
  ["lib/text/a.ts", "node:path"],
  ["lib/text/a.ts", "@/lib/query/a"],
  ["lib/query/a.ts", "@/lib/server/a"],
  ["lib/query/a.ts", "../wire/a"],
  ["lib/query/a.ts", "re2js"],
  ["lib/server/a.ts", "@/components/ui/a"],
  ["lib/server/deep/a.ts", "../../client/a"],
  ["lib/client/a.ts", "@/lib/records/a"],
  ["lib/client/a.ts", "../server/a"],
  ["components/thread/a.tsx", "@/lib/server/a"],
  ["components/thread/a.tsx", "../../lib/thread/a"],
  ["components/thread/a.tsx", "@/app/page"],
  ["components/thread/a.tsx", "node:fs"],
  ["app/sessions/page.tsx", "@/lib/server/a"],
  ["app/api/health/route.ts", "@/lib/thread/a"],
  ["app/api/health/route.ts", "@/components/ui/a"],
];
const ALLOWED: [file: string, imported: string][] = [
  ["lib/records/deep/a.ts", "../json"],
  ["lib/thread/a.ts", "@/lib/records/a"],
  ["lib/thread/a.ts", "../text/a"],
  ["lib/query/a.ts", "./query"],
  ["lib/server/a.ts", "@/lib/thread/a"],
  ["components/search/a.tsx", "@/lib/query/a"],
  ["lib/server/a.ts", "node:fs"],
  ["lib/client/a.ts", "@/lib/wire/a"],
  ["components/thread/a.tsx", "@/lib/client/a"],
  ["components/inspector/a.tsx", "../thread/text/a"],
  ["app/page.tsx", "@/components/library/a"],
  ["app/api/health/route.ts", "@/lib/server/a"],
];

/** Lints a file for each import, all at once. Returns those that are forbidden there. */
function forbidden(imports: readonly [file: string, imported: string][]): string[] {
  for (const [at, [file, imported]] of imports.entries()) {
    const path = join(folder, nameOf(file, at));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `import { thing } from "${imported}";\n\nthing();\n`);
  }
  const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "--format=unix"], {
    cwd: folder,
    encoding: "utf8",
  });
  const lines = stdout.split("\n").filter((line) => line.includes("no-restricted-imports"));
  return imports
    .filter(([file], at) => lines.some((line) => line.includes(nameOf(file, at))))
    .map((pair) => pair.join(" imports "));
}

/** Each in a file of its own name. */
const nameOf = (file: string, at: number) => file.replace(/(?:a|page)\.tsx?$/, (name) => `${at}-${name}`);

it("an import against the rules is named", () => {
  expect(forbidden(FORBIDDEN)).toEqual(FORBIDDEN.map((pair) => pair.join(" imports ")));
});

it("no other is", () => {
  expect(forbidden(ALLOWED)).toEqual([]);
});
