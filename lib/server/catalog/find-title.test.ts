import { join } from "node:path";
import { expect, it } from "vitest";
import { findTitle } from "./find-title";
import { answer, makeTree, prompt } from "./test-tree";

const filler = Array.from({ length: 30 }, () => answer("x".repeat(100_000)));

async function titleOf(lines: (Record<string, unknown> | string)[]) {
  const root = makeTree({ "log.jsonl": lines });
  return findTitle(root, join(root, "log.jsonl"));
}

it("finds the last title given, a person's own before a generated one", async () => {
  const named = { type: "custom-title", customTitle: "first" };
  const renamed = { type: "custom-title", customTitle: "second" };
  const generated = { type: "ai-title", aiTitle: "generated" };
  expect(await titleOf([prompt("p"), named, ...filler, renamed, generated, ...filler])).toEqual({
    title: "second",
    titleSource: "custom",
  });
  expect(await titleOf([...filler, generated, ...filler])).toEqual({ title: "generated", titleSource: "ai" });
});

it("takes no title from what was merely talked about", async () => {
  expect(
    await titleOf([prompt('{"type":"custom-title","customTitle":"no"}'), '{broken -title"', ...filler]),
  ).toBeNull();
});
