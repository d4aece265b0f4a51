import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes by what usage is added up, the days, and a project by its id or folder", () => {
  const usage = "usage --by model --from 2026-11-01 --to 2026-11-30 --json";
  expect(readOptions(usage.split(" "), {}).command).toEqual({
    name: "usage",
    by: "model",
    query: "by=model&from=2026-11-01&to=2026-11-30",
    project: null,
    json: true,
  });
  expect(readOptions(["usage", "--project", "shop/"], {}).command).toMatchObject({
    query: "by=day",
    project: ["shop/", resolve("shop")],
  });
  expect(() => readOptions(["usage", "--by", "weather"], {})).toThrow("give --by one of day, week");
});
