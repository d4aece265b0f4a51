import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Takes the places of modules of `lib/client` in an exported file, so it has their names. */
const STAND_INS = "components/exported/stand-ins.tsx";

const files = ["components", "lib"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|^lib\/testing\//.test(path)),
);

/** The command line and what `npm run …` runs. */
const programs = readdirSync(join(ROOT, "bin"), { recursive: true, encoding: "utf8" })
  .map((path) => `bin/${path.replaceAll("\\", "/")}`)
  .filter((path) => /\.[mc]js$/.test(path));

it("an exported function, class, constant or type has a name that no other has", () => {
  const byName = new Map<string, Set<string>>();
  for (const file of files.filter((one) => one !== STAND_INS)) {
    const text = readFileSync(join(ROOT, file), "utf8");
    for (const [, name = ""] of text.matchAll(
      /^export (?:async )?(?:function\*?|class|const|type|interface|enum) (\w+)/gm,
    ))
      byName.set(name, (byName.get(name) ?? new Set()).add(file));
  }
  expect(byName.size).toBeGreaterThan(2_000);
  const shared = [...byName].filter(([, places]) => places.size > 1);
  expect(shared.map(([name, places]) => `${name}: ${[...places].join(", ")}`)).toEqual([]);
});

/** A function or class, by itself or as the value of a constant. */
const EXPORTED =
  /^export (?:(?:async )?(?:function\*?|class) (\w+)|const (\w+)(?:: .+?)? = (?:async )?(?:\(|\w+ =>|function\b|class\b))/gm;

it("an exported function or class says what it is for, at the first of its signatures", () => {
  const documented = new Set<string>();
  const bare = [...files, ...programs].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return [...text.matchAll(EXPORTED)].flatMap(({ index, 1: name, 2: constant = "" }) => {
      const one = `${file}: ${name ?? constant}`;
      if (text.slice(0, index).trimEnd().endsWith("*/")) documented.add(one);
      return documented.has(one) ? [] : [one];
    });
  });
  const counts = ["lib/", "components/", "bin/"].map(
    (folder) => [...documented].filter((one) => one.startsWith(folder)).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(90);
  expect(documented.size).toBeGreaterThan(1_500);
  expect(bare).toEqual([]);
});
