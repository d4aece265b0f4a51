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

it("an exported function or class says what it is for, at the first of its signatures", () => {
  const documented = new Set<string>();
  const bare = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return [...text.matchAll(/^export (?:async )?(?:function\*?|class) (\w+)/gm)].flatMap(
      ({ index, 1: name }) => {
        const one = `${file}: ${name}`;
        if (text.slice(0, index).trimEnd().endsWith("*/")) documented.add(one);
        return documented.has(one) ? [] : [one];
      },
    );
  });
  expect(documented.size).toBeGreaterThan(1_500);
  expect(bare).toEqual([]);
});
