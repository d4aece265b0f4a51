import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { circles, importsUpward, readImports } from "./import-floors.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "backscroll-floors-"));
  for (const folder of ["app", "components", "lib"]) mkdirSync(join(root, folder));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, ...lines: string[]): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join("\n")}\n`);
}

/** Whether a file may import one thing, with the statement as the formatter writes it. */
function isForbidden(file: string, imported: string, type = ""): boolean {
  write(file, `import ${type}{ thing } from "${imported}";`, "", "thing();");
  if (imported.startsWith("@/")) write(`${imported.slice(2)}.ts`, "export const thing = () => 1;");
  return importsUpward(readImports(root)).some((fault) => fault.startsWith(`${file} may not import`));
}

it.each([
  ["lib/format/a.ts", "@/lib/query/a"],
  ["lib/format/a.ts", "node:path"],
  ["lib/query/a.ts", "@/lib/wire/a"],
  ["lib/query/a.ts", "re2js"],
  ["lib/wire/a.ts", "@/lib/log/rows/a"],
  ["lib/log/records/a.ts", "zod"],
  ["lib/log/records/a.ts", "@/lib/log/table/a"],
  ["lib/log/table/a.ts", "@/lib/log/adding/a"],
  ["lib/log/graph/a.ts", "@/lib/log/rows/a"],
  ["lib/log/map/a.ts", "@/lib/log/request/a"],
  ["lib/log/rows/a.ts", "@/lib/wire/a"],
  ["lib/log/rows/a.ts", "@/lib/server/disk/a"],
  ["lib/log/rows/a.ts", "node:fs"],
  ["lib/server/disk/a.ts", "@/lib/server/library/a"],
  ["lib/server/index/a.ts", "@/lib/server/search/a"],
  ["lib/server/doctor/a.ts", "@/lib/server/export/a"],
  ["lib/server/http/a.ts", "@/components/ui/a"],
  ["lib/client/a.ts", "@/lib/server/http/a"],
  ["lib/client/a.ts", "@/lib/log/records/a"],
  ["components/ui/a.tsx", "@/components/content/a"],
  ["components/content/code/a.tsx", "@/components/thread/a"],
  ["components/graph/a.tsx", "@/components/session/a"],
  ["components/now/a.tsx", "@/components/doctor/a"],
  ["components/thread/a.tsx", "@/lib/log/rows/a"],
  ["components/thread/a.tsx", "@/lib/wire/requests/usage"],
  ["components/thread/a.tsx", "@/app/a"],
  ["components/thread/a.tsx", "node:fs"],
  ["app/now/page.tsx", "@/lib/server/http/a"],
  ["app/api/now/route.ts", "@/components/ui/a"],
  ["app/api/now/route.ts", "node:fs"],
])("%s may not import %s", (file, imported) => {
  expect(isForbidden(file, imported)).toBe(true);
});

it.each([
  ["lib/log/records/deep/a.ts", "@/lib/log/records/json"],
  ["lib/log/request/a.ts", "@/lib/log/rows/a"],
  ["lib/log/rows/a.ts", "@/lib/format/a"],
  ["lib/log/rows/a.ts", "@/lib/wire/ids"],
  ["lib/server/http/a.ts", "@/lib/wire/requests/usage"],
  ["lib/server/disk/a.ts", "node:fs"],
  ["lib/server/search/a.ts", "@/lib/server/index/a"],
  ["lib/server/search/a.ts", "re2js"],
  ["lib/client/a.ts", "@/lib/wire/a"],
  ["components/session/panes/a.tsx", "@/components/thread/list/a"],
  ["components/search/a.tsx", "@/lib/query/a"],
  ["app/now/page.tsx", "@/components/now/a"],
  ["app/api/now/route.ts", "@/lib/server/http/a"],
  ["lib/log/rows/a.test.ts", "@/lib/server/http/a"],
  ["lib/testing/a.ts", "@/lib/server/http/a"],
])("%s may import %s", (file, imported) => {
  expect(isForbidden(file, imported)).toBe(false);
});

describe("types alone", () => {
  it("may come from lib/wire into lib/log, however they are written", () => {
    expect(isForbidden("lib/log/rows/a.ts", "@/lib/wire/a", "type ")).toBe(false);
    write("lib/log/rows/b.ts", 'import { type One, type Two } from "@/lib/wire/a";');
    expect(importsUpward(readImports(root))).toEqual([]);
    write("lib/log/rows/c.ts", 'import { type One, two } from "@/lib/wire/a";');
    expect(importsUpward(readImports(root))).toHaveLength(1);
  });
});

describe("circles", () => {
  it("are found over any number of files, relative or not, and over a dynamic import", () => {
    write("lib/format/a.ts", 'import { b } from "./b";', "export const a = b;");
    write("lib/format/b.ts", 'import { c } from "@/lib/format/deep/c";', "export const b = c;");
    write("lib/format/deep/c.ts", 'export const c = () => import("../a");');
    expect(circles(readImports(root))).toEqual([
      ["lib/format/a.ts", "lib/format/b.ts", "lib/format/deep/c.ts"],
    ]);
  });

  it("are none where two files import a third", () => {
    write(
      "lib/format/a.ts",
      'import { c } from "./c";',
      'import { b } from "./b";',
      "export const a = [b, c];",
    );
    write("lib/format/b.ts", 'import { c } from "./c";', "export const b = c;");
    write("lib/format/c.ts", "export const c = 1;");
    expect(circles(readImports(root))).toEqual([]);
  });
});
