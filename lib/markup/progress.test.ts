import { expect, it } from "vitest";
import { foldProgress } from "./progress";

it("leaves the last state of a progress", () => {
  const git = ["Receiving objects:  12% (1/8)", "Receiving objects: 100% (8/8), 1.2 MiB | 3 MiB/s, done."];
  expect(foldProgress(`remote: ${git.join("\r")}`)).toEqual({ text: `remote: ${git.join("\r")}`, left: 0 });
  expect(foldProgress(git.join("\r"))).toEqual({ text: git[1], left: 1 });
  expect(foldProgress("  0  0  0\r 50 1k  0\r100 2k  1k")).toEqual({ text: "100 2k  1k", left: 2 });
  expect(foldProgress("⠋ idealTree\r\r⠙ idealTree\r\rdone")).toEqual({
    text: "⠙ idealTree\r\rdone",
    left: 1,
  });
});

it("keeps lines that are no states of one display", () => {
  for (const text of ["a line\rthe next\rthe last", "a\r", "\rb", "no return"])
    expect(foldProgress(text)).toEqual({ text, left: 0 });
});
