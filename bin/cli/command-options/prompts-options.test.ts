import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes the words behind prompts as what they are narrowed to, or none", () => {
  const all = { name: "prompts", query: "", from: null, to: null, project: null, limit: 50, json: false };
  expect(readOptions(["prompts"], {})).toMatchObject({ command: all, paths: [] });
  const flags = "--from 2026-11-01 --to 2026-11-30 --limit 5 --json".split(" ");
  expect(readOptions(["prompts", "flaky retry", "is:error", ...flags], {}).command).toEqual({
    ...{
      ...all,
      query: "flaky retry is:error",
      from: "2026-11-01",
      to: "2026-11-30",
      limit: 5,
      json: true,
    },
  });
  expect(() => readOptions(["prompts", "--limit", "0"], {})).toThrow('"0" is no number of results.');
});
