import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-rules-"));
  cpSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Lints a file with a single import, and tells whether that import is forbidden there. */
function isForbidden(file: string, imported: string): boolean {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `import { thing } from "${imported}";\n\nthing();\n`);
  const oxlint = join(ROOT, "node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "--format=unix", file], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout.includes("no-restricted-imports");
}

it.each([
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
])("%s may not import %s", (file, imported) => {
  expect(isForbidden(file, imported)).toBe(true);
});

it.each([
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
])("%s may import %s", (file, imported) => {
  expect(isForbidden(file, imported)).toBe(false);
});
