import { expect, test } from "vitest";
import { refuseFolder } from "./build.mjs";

test("a folder in which nothing can be built is named, with what to do", () => {
  expect(() => refuseFolder("/home/ada/C#/backscroll/")).toThrow(
    "Tailwind can't read below a folder with # in its name: move /home/ada/C#/backscroll/ elsewhere",
  );
  for (const root of ["/home/ada/backscroll/", "/home/ada/My Projects (ü) [y] 100%/a'b&c/"])
    refuseFolder(root);
});
