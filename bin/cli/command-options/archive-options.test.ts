import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("tells how the archive is, moves it, or removes of it", () => {
  const command = (...args: string[]) => readOptions(["archive", ...args], {}).command;
  expect(command("--json")).toEqual({ name: "archive", action: "status", json: true });
  expect(command("verify")).toEqual({ name: "archive", action: "verify" });
  expect(readOptions(["archive", "export", "dir"], {})).toMatchObject({
    command: { name: "archive", action: "export", folder: resolve("dir") },
    paths: [],
  });
  expect(command("remove", "a", "b", "--older-than", "9", "--yes")).toEqual({
    name: "archive",
    action: "remove",
    words: ["a", "b"],
    olderThanDays: 9,
    yes: true,
  });
  // What may be a folder is one, from where it is named.
  expect(command("remove", "1a2b", "shop/", ".")).toMatchObject({
    words: ["1a2b", resolve("shop"), resolve(".")],
  });
});

it.each([
  [["archive", "export"], "give one folder"],
  [["archive", "import", "a", "b"], "give one folder"],
  [["archive", "verify", "/mnt/copy"], "Give another with --archive-dir"],
  [["archive", "verify", "--json"], "--json belongs to backscroll archive alone"],
  [["archive", "remove"], "say what to remove"],
  [["archive", "remove", ""], "an empty word"],
  [["archive", "remove", "--older-than", "x"], "is no number of days. Give --older-than one"],
  [["archive", "verify", "--yes"], "belong to backscroll archive remove"],
])("refuses %j", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});
