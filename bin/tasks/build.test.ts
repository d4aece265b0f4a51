import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { refuseFolder, shareEqualChunks } from "./build.mjs";

test("a folder in which nothing can be built is named, with what to do", () => {
  expect(() => refuseFolder("/home/ada/C#/backscroll/")).toThrow(
    "Tailwind can't read below a folder with # in its name: move /home/ada/C#/backscroll/ elsewhere",
  );
  for (const root of ["/home/ada/backscroll/", "/home/ada/My Projects (ü) [y] 100%/a'b&c/"])
    refuseFolder(root);
});

test("chunks that are equal but for their map's name are loaded once, however often they are shared", () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-chunks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const chunk = (name: string, code: string) =>
    writeFileSync(join(folder, name), `${code}\n\n//# sourceMappingURL=${encodeURIComponent(name)}.map\n`);
  for (const name of ["[a]_1.js", "[a]_2.js", "b.js"]) chunk(name, "module.exports=[1,()=>'one'];");
  chunk("c.js", "module.exports=[1,()=>'two'];");
  const texts = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const before = texts();
  shareEqualChunks(folder);
  const after = texts();
  expect([after[0], after[3]]).toEqual([before[0], before[3]]);
  const load = createRequire(join(folder, "runtime.js"));
  const [first, ...others] = ["[a]_1.js", "[a]_2.js", "b.js", "c.js"].map((name) => load(`./${name}`));
  expect(others[0]).toBe(first);
  expect(others[1]).toBe(first);
  expect(others[2][1]()).toBe("two");
  shareEqualChunks(folder);
  expect(texts()).toEqual(after);
});
