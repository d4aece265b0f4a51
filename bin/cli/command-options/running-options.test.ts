import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes nothing but the form of what is printed", () => {
  expect(readOptions(["running"], {}).command).toEqual({ name: "running", json: false });
  expect(readOptions(["running", "--json"], {}).command).toEqual({ name: "running", json: true });
  expect(() => readOptions(["running", "--limit", "5"], {})).toThrow("--limit belongs to backscroll");
});
