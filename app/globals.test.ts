import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const CLASS =
  /(?<![\w-])(?:text|bg|border(?:-[trblxy])?|fill|stroke|outline|decoration|accent|caret)-([a-z]+(?:-[a-z0-9]+)*)/g;

test("every colour that a class names is one of the theme: of another, nothing is drawn", () => {
  const css = readFileSync(join(ROOT, "app/globals.css"), "utf8");
  const colours = new Set([...css.matchAll(/--color-([a-z][\w-]*):/g)].map((match) => match[1] ?? ""));
  const families = new Set([...colours].map((name) => name.split("-")[0]));
  const unknown: string[] = [];
  for (const folder of ["app", "components"]) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || /\.test\.tsx?$/.test(name)) continue;
      for (const [used, colour = ""] of readFileSync(join(ROOT, folder, name), "utf8").matchAll(CLASS))
        if (families.has(colour.split("-")[0]) && !colours.has(colour)) unknown.push(`${name}: ${used}`);
    }
  }
  expect(colours.size).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});
