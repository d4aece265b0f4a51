import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes a line of a file, whatever its name holds", () => {
  expect(readOptions(["why", "src/a:b.ts:12", "logs"], {})).toMatchObject({
    command: { name: "why", path: resolve("src/a:b.ts"), line: 12, json: false },
    paths: ["logs"],
  });
  for (const place of [[], ["a.ts"], ["a.ts:0"], [":3"]])
    expect(() => readOptions(["why", ...place], {})).toThrow("give a line of a file");
});
